import { isStorable } from "@fairway/contract/text";
import { type ColumnType, type GeneratedAlways, type JSONColumnType, type Kysely, type Selectable, sql } from "kysely";
import type { BaseLogger } from "pino";
import type { z } from "zod";
import type { Database } from "#database/schema.ts";
import { parsed } from "#http/parsed.ts";
import { Refusal } from "#http/refusal.ts";
import type { EntityType } from "./entity-types.ts";
import { type SecretKey, masked, revealed, sealed } from "./secrets.ts";

/** Everything an administrator configures, of every type, in one table; the type's contract knows the body. */
declare module "#database/schema.ts" {
  interface Database {
    entities: {
      /** `datasets/internal`, `notices`, …: the path segment of the administration's calls. */
      type: string;
      id: string;
      enabled: boolean;
      /** Counts up with each save; a save that names an older one is refused. */
      version: ColumnType<number, number | undefined, number>;
      body: JSONColumnType<Record<string, unknown>>;
      created_at: ColumnType<Date, never, never>;
      updated_at: ColumnType<Date, never, Date>;
    };
    /** Every change that administrators make, of accounts too; without secrets. */
    entity_revisions: {
      revision: GeneratedAlways<string>;
      type: string;
      entity_id: string;
      at: ColumnType<Date, never, never>;
      /** A username, which may be gone meanwhile; null: the portal itself. */
      by: string | null;
      action: string;
      /** Null: it was not there. */
      before: JSONColumnType<Record<string, unknown> | null>;
      after: JSONColumnType<Record<string, unknown> | null>;
    };
  }
}

/** Gateways are told the type of a changed entity here. */
export const entitiesChannel = "entities";

/** An entity with what the store knows of it. */
export interface Stored<Body> {
  /** Its secrets are masked. */
  readonly body: Body;
  /** The body with its secrets, for the part that uses them and nobody else. Throws UnreadableCiphertext. */
  readonly reveal: () => Body;
  readonly enabled: boolean;
  /** Counts up with each save. */
  readonly version: number;
  readonly updatedAt: Date;
}

/**
 * Keeps what administrators configure. Bodies are parsed by their type on the way in and on the way out. A write and the
 * word of it to every gateway are one transaction: nobody hears of a change that was not kept, or misses one that was.
 * Secrets are encrypted; a save that brings a secret's mask back keeps it.
 */
export interface EntityStore {
  /** In the order of their ids. One whose stored body no longer fits its type is left out and logged. */
  list<Body extends object>(type: EntityType<Body>): Promise<Stored<Body>[]>;
  /** Refuses with not-found. */
  get<Body extends object>(type: EntityType<Body>, id: string): Promise<Stored<Body>>;
  /** Refuses with name-taken when the id is in use. */
  create<Body extends object>(type: EntityType<Body>, body: unknown, options?: { enabled?: boolean }): Promise<Stored<Body>>;
  /** The same, but an id in use stays as it is; undefined then. */
  createIfAbsent<Body extends object>(type: EntityType<Body>, body: unknown): Promise<Stored<Body> | undefined>;
  /** Refuses with not-found, and with stale-version when `version` is given and no longer the newest. The id stays. */
  replace<Body extends object>(type: EntityType<Body>, id: string, body: unknown, version?: number): Promise<Stored<Body>>;
  /** Refuses with not-found. */
  setEnabled<Body extends object>(type: EntityType<Body>, id: string, enabled: boolean): Promise<Stored<Body>>;
  /** Refuses with not-found. */
  remove(type: Pick<EntityType<unknown>, "name">, id: string): Promise<void>;
}

type Row = Selectable<Database["entities"]>;

/** `changed` hears of this gateway's own writes as soon as they are kept; the others hear by NOTIFY. */
export function entityStore(
  db: Kysely<Database>,
  log: Pick<BaseLogger, "error">,
  key: SecretKey,
  changed: (type: string) => void = () => {},
): EntityStore {
  const write = async <T>(type: string, work: (trx: Kysely<Database>) => Promise<T>): Promise<T> => {
    const result = await db.transaction().execute(async (trx) => {
      const done = await work(trx);
      await sql`select pg_notify(${entitiesChannel}, ${type})`.execute(trx);
      return done;
    });
    changed(type);
    return result;
  };

  const insert = <Body extends object>(type: EntityType<Body>, body: Body, enabled: boolean) =>
    write(type.name, async (trx) => {
      const row = await trx
        .insertInto("entities")
        .values({ type: type.name, id: idOf(type, body), enabled, body: kept(key, type, body, undefined) })
        .onConflict((conflict) => conflict.columns(["type", "id"]).doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && stored(key, type, row);
    });

  return {
    list: async (type) => {
      const rows = await db
        .selectFrom("entities")
        .selectAll()
        .where("type", "=", type.name)
        .orderBy(sql`id collate "C"`)
        .execute();
      return rows.flatMap((row) => {
        const parsed = type.schema.safeParse(masked({ type, id: row.id }, row.body));
        if (parsed.success) return [withBody(key, type, parsed.data, row)];
        log.error({ type: type.name, id: row.id, issues: parsed.error.issues }, "a stored entity no longer fits its type and is left out");
        return [];
      });
    },
    get: async (type, id) => {
      requireStorable(type, id);
      const row = await db.selectFrom("entities").selectAll().where("type", "=", type.name).where("id", "=", id).executeTakeFirst();
      return stored(key, type, requireRow(type, id, row));
    },
    create: async (type, body, { enabled = true } = {}) => {
      const fitting = parseBody(type, body);
      const created = await insert(type, fitting, enabled);
      if (!created)
        throw new Refusal("name-taken", `There is already an entity with the id '${idOf(type, fitting)}'.`, { path: type.idField });
      return created;
    },
    createIfAbsent: (type, body) => insert(type, parseBody(type, body), true),
    replace: async (type, id, body, version) => {
      requireStorable(type, id);
      const fitting = parseBody(type, body);
      if (idOf(type, fitting) !== id)
        throw new Refusal("invalid-request", "The id of an entity cannot be changed.", { path: type.idField });
      return write(type.name, async (trx) => {
        const at = await trx
          .selectFrom("entities")
          .select(["version", "body"])
          .where("type", "=", type.name)
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        const { version: newest, body: before } = requireRow(type, id, at);
        if (version !== undefined && version !== newest) {
          throw new Refusal("stale-version", `'${id}' was changed by somebody else since version ${version}; the newest is ${newest}.`);
        }
        return stored(key, type, requireRow(type, id, await update(trx, type.name, id, { body: kept(key, type, fitting, before) })));
      });
    },
    setEnabled: async (type, id, enabled) => {
      requireStorable(type, id);
      return write(type.name, async (trx) => stored(key, type, requireRow(type, id, await update(trx, type.name, id, { enabled }))));
    },
    remove: async (type, id) => {
      requireStorable(type, id);
      await write(type.name, async (trx) => {
        const row = await trx.deleteFrom("entities").where("type", "=", type.name).where("id", "=", id).returning("id").executeTakeFirst();
        requireRow(type, id, row);
      });
    },
  };
}

const update = (
  trx: Kysely<Database>,
  type: string,
  id: string,
  change: { body: string } | { enabled: boolean },
): Promise<Row | undefined> =>
  trx
    .updateTable("entities")
    .set((eb) => ({ ...change, version: eb("version", "+", 1), updated_at: sql<Date>`now()` }))
    .where("type", "=", type)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();

/** Refuses a body that does not fit its type or cannot be kept. */
export function parseBody<Body extends object>(type: Pick<EntityType<Body>, "schema">, body: unknown): Body {
  const fit = parsed(type.schema, body, "The entity");
  // As JSON writes them: an escape that is not itself escaped.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(fit)))
    throw new Refusal("invalid-request", "The entity holds a character that cannot be kept (NUL, or half of one).");
  return fit;
}

function kept<Body extends object>(key: SecretKey, type: EntityType<Body>, body: Body, before: object | undefined): string {
  return JSON.stringify(sealed(key, { type, id: idOf(type, body) }, body, before));
}

function stored<Body extends object>(key: SecretKey, type: EntityType<Body>, row: Row): Stored<Body> {
  const parsed: z.ZodSafeParseResult<Body> = type.schema.safeParse(masked({ type, id: row.id }, row.body));
  if (!parsed.success) throw new Error(`the stored entity ${type.name} '${row.id}' no longer fits its type`, { cause: parsed.error });
  return withBody(key, type, parsed.data, row);
}

const withBody = <Body extends object>(key: SecretKey, type: EntityType<Body>, body: Body, row: Row): Stored<Body> => ({
  body,
  reveal: () => type.schema.parse(revealed(key, { type, id: row.id }, row.body)),
  enabled: row.enabled,
  version: row.version,
  updatedAt: row.updated_at,
});

/** Every type's schema makes the field of its id a text. */
const idOf = <Body extends object>({ idField }: EntityType<Body>, body: Body): string =>
  (body as Readonly<Record<string, unknown>>)[idField] as string;

/** PostgreSQL's texts cannot hold these: nothing can have such an id. */
function requireStorable(type: Pick<EntityType<unknown>, "name">, id: string): void {
  if (!isStorable(id)) requireRow(type, id, undefined);
}

function requireRow<T>(type: Pick<EntityType<unknown>, "name">, id: string, row: T | undefined): T {
  if (row === undefined) throw new Refusal("not-found", `There is no '${id.slice(0, 100)}' among ${type.name}.`);
  return row;
}
