import { isStorable } from "@fairway/contract/text";
import { type ColumnType, type GeneratedAlways, type JSONColumnType, type Kysely, type Selectable, sql } from "kysely";
import type { BaseLogger } from "pino";
import type { z } from "zod";
import type { Database } from "#database/schema.ts";
import { parsed } from "#http/parsed.ts";
import { Refusal } from "#http/refusal.ts";
import type { EntityType } from "./entity-types.ts";
import { type SecretKey, decryptSecrets, encryptSecrets, maskSecrets } from "./secrets.ts";
import { storedFormOf } from "./stored-form.ts";

/** Entities of all types are in one table. The contract of a type defines the body. */
declare module "#database/schema.ts" {
  interface Database {
    entities: {
      /** Path segment of the administration calls: `datasets/internal`, `notices`, …. */
      type: string;
      id: string;
      enabled: boolean;
      /** Incremented on each save. A save with an older version is refused. */
      version: ColumnType<number, number | undefined, number>;
      body: JSONColumnType<Record<string, unknown>>;
      created_at: ColumnType<Date, never, never>;
      updated_at: ColumnType<Date, never, Date>;
    };
    /** Every change by administrators, including changes of accounts; without secrets. */
    entity_revisions: {
      revision: GeneratedAlways<string>;
      type: string;
      entity_id: string;
      at: ColumnType<Date, never, never>;
      /** A username, which may no longer exist; null = the portal itself. */
      by: string | null;
      action: string;
      /** Null = the entity did not exist. */
      before: JSONColumnType<Record<string, unknown> | null>;
      after: JSONColumnType<Record<string, unknown> | null>;
    };
  }
}

/** NOTIFY channel; the payload is the type of the changed entity. */
export const entitiesChannel = "entities";

/** A stored entity. */
export interface Stored<Body> {
  /** The body with masked secrets. */
  readonly body: Body;
  /** The body with decrypted secrets, only for the code that uses them. Throws UnreadableCiphertext. */
  readonly reveal: () => Body;
  readonly enabled: boolean;
  /** Incremented on each save. */
  readonly version: number;
  readonly updatedAt: Date;
}

/**
 * Stores what administrators configure. Bodies are parsed by their type on write and on read. A write and its NOTIFY are one
 * transaction, so gateways are notified of exactly the committed changes. Secrets are encrypted; a save with a secret's mask
 * keeps the secret.
 */
export interface EntityStore {
  /** Ordered by id. Entities whose stored body no longer matches their type are omitted and logged. */
  list<Body extends object>(type: EntityType<Body>): Promise<Stored<Body>[]>;
  /** Refuses with not-found. */
  get<Body extends object>(type: EntityType<Body>, id: string): Promise<Stored<Body>>;
  /** Refuses with name-taken when the id is in use. */
  create<Body extends object>(type: EntityType<Body>, body: unknown, options?: { enabled?: boolean }): Promise<Stored<Body>>;
  /** Like `create`, but returns undefined if the id is in use. */
  createIfAbsent<Body extends object>(type: EntityType<Body>, body: unknown): Promise<Stored<Body> | undefined>;
  /** Refuses with not-found, and with stale-version if `version` is not the newest. The id cannot change. */
  replace<Body extends object>(type: EntityType<Body>, id: string, body: unknown, version?: number): Promise<Stored<Body>>;
  /** Refuses with not-found. */
  setEnabled<Body extends object>(type: EntityType<Body>, id: string, enabled: boolean): Promise<Stored<Body>>;
  /** Refuses with not-found. */
  remove(type: Pick<EntityType<unknown>, "name">, id: string): Promise<void>;
}

type Row = Selectable<Database["entities"]>;

/** `onChanged` is called for this gateway's writes right after their commit. Other gateways are notified by NOTIFY. */
export function entityStore(
  db: Kysely<Database>,
  log: Pick<BaseLogger, "error">,
  key: SecretKey,
  onChanged: (type: string) => void = () => {},
): EntityStore {
  const write = async <T>(type: string, work: (trx: Kysely<Database>) => Promise<T>): Promise<T> => {
    const result = await db.transaction().execute(async (trx) => {
      const workResult = await work(trx);
      await sql`select pg_notify(${entitiesChannel}, ${type})`.execute(trx);
      return workResult;
    });
    onChanged(type);
    return result;
  };

  const insert = <Body extends object>(type: EntityType<Body>, body: Body, enabled: boolean) =>
    write(type.name, async (trx) => {
      const row = await trx
        .insertInto("entities")
        .values({ type: type.name, id: idOf(type, body), enabled, body: toStoredBody(key, type, body, undefined) })
        .onConflict((conflict) => conflict.columns(["type", "id"]).doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && toEntity(key, type, row);
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
        const parsed = type.schema.safeParse(maskedBody(type, row));
        if (parsed.success) return [withBody(key, type, parsed.data, row)];
        log.error(
          { type: type.name, id: row.id, issues: parsed.error.issues },
          "a stored entity no longer matches its type and is omitted",
        );
        return [];
      });
    },
    get: async (type, id) => {
      requireStorable(type, id);
      const row = await db.selectFrom("entities").selectAll().where("type", "=", type.name).where("id", "=", id).executeTakeFirst();
      return toEntity(key, type, requireRow(type, id, row));
    },
    create: async (type, body, { enabled = true } = {}) => {
      const parsedBody = parseBody(type, body);
      const created = await insert(type, parsedBody, enabled);
      if (!created)
        throw new Refusal("name-taken", `There is already an entity with the id '${idOf(type, parsedBody)}'.`, { path: type.idField });
      return created;
    },
    createIfAbsent: (type, body) => insert(type, parseBody(type, body), true),
    replace: async (type, id, body, version) => {
      requireStorable(type, id);
      const parsedBody = parseBody(type, body);
      if (idOf(type, parsedBody) !== id)
        throw new Refusal("invalid-request", "The id of an entity cannot be changed.", { path: type.idField });
      return write(type.name, async (trx) => {
        const current = await trx
          .selectFrom("entities")
          .select(["version", "body"])
          .where("type", "=", type.name)
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        const { version: newest, body: before } = requireRow(type, id, current);
        if (version !== undefined && version !== newest) {
          throw new Refusal("stale-version", `'${id}' was changed by someone else since version ${version}; the newest is ${newest}.`);
        }
        const row = await update(trx, type.name, id, { body: toStoredBody(key, type, parsedBody, before) });
        return toEntity(key, type, requireRow(type, id, row));
      });
    },
    setEnabled: async (type, id, enabled) => {
      requireStorable(type, id);
      return write(type.name, async (trx) => toEntity(key, type, requireRow(type, id, await update(trx, type.name, id, { enabled }))));
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

/** Refuses a body that does not match its type or cannot be stored. */
export function parseBody<Body extends object>(type: Pick<EntityType<Body>, "schema">, body: unknown): Body {
  const result = parsed(type.schema, body, "The entity");
  // JSON escapes of the forbidden characters, unless the backslash is escaped itself.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(result)))
    throw new Refusal("invalid-request", "The entity contains a character that cannot be stored (NUL, or half of a character).");
  return result;
}

function toStoredBody<Body extends object>(key: SecretKey, type: EntityType<Body>, body: Body, before: object | undefined): string {
  return JSON.stringify(encryptSecrets(key, { type, id: idOf(type, body) }, storedFormOf(type).toStored(body), before));
}

const maskedBody = <Body extends object>(type: EntityType<Body>, { id, body }: Row): object =>
  maskSecrets({ type, id }, storedFormOf(type).fromStored(body));

function toEntity<Body extends object>(key: SecretKey, type: EntityType<Body>, row: Row): Stored<Body> {
  const parsed: z.ZodSafeParseResult<Body> = type.schema.safeParse(maskedBody(type, row));
  if (!parsed.success) throw new Error(`the stored entity ${type.name} '${row.id}' no longer matches its type`, { cause: parsed.error });
  return withBody(key, type, parsed.data, row);
}

const withBody = <Body extends object>(key: SecretKey, type: EntityType<Body>, body: Body, row: Row): Stored<Body> => ({
  body,
  reveal: () => type.schema.parse(decryptSecrets(key, { type, id: row.id }, storedFormOf(type).fromStored(row.body))),
  enabled: row.enabled,
  version: row.version,
  updatedAt: row.updated_at,
});

/** The schema of every type ensures that its id is a string. */
const idOf = <Body extends object>({ idField }: EntityType<Body>, body: Body): string =>
  (body as Readonly<Record<string, unknown>>)[idField] as string;

/** Refuses with not-found an id that PostgreSQL cannot store. */
function requireStorable(type: Pick<EntityType<unknown>, "name">, id: string): void {
  if (!isStorable(id)) requireRow(type, id, undefined);
}

function requireRow<T>(type: Pick<EntityType<unknown>, "name">, id: string, row: T | undefined): T {
  if (row === undefined) throw new Refusal("not-found", `There is no '${id.slice(0, 100)}' among ${type.name}.`);
  return row;
}
