import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Database } from "#database/schema.ts";
import type { EntityType } from "#entities/entity-types.ts";
import { entityId } from "@fairway/contract/entities";
import { deepStrict } from "@fairway/contract/unknown-fields";
import { isStorable, normalName } from "@fairway/contract/text";
import { withNormalNames } from "#entities/new-names.ts";
import { type SecretKey, encryptSecrets, maskSecrets } from "#entities/secrets.ts";
import { entitiesChannel, parseBody } from "#entities/store.ts";
import { storedFormOf } from "#entities/stored-form.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { type Change, type EntityRepository, type EntityState, type Trx, remainingIds, removedIds } from "./entity-repository.ts";
import { fieldOrder } from "./field-order.ts";

type Row = Pick<Database["entities"], "id" | "enabled"> & { version: number; body: Record<string, unknown> };
type Draft = Readonly<Record<string, unknown>>;

/** Behavior of a type beyond its schema. */
export interface EntityBehavior<Body extends object> {
  /** Whether at most one entity can be enabled. */
  readonly isExclusive?: true;
  /** Adds generated fields to a draft before validation. `before` is masked. */
  readonly complete?: (draft: Draft, before: Draft | undefined) => Draft;
  /** Converts a body to and from its stored form, to keep the order of keys. The schema must accept both forms. */
  readonly pack?: (body: Body) => object;
  readonly unpack?: (stored: object) => object;
  /** Checks beyond the schema. Refuses with the path of the invalid field. */
  readonly check?: (body: Body) => void | Promise<void>;
  /** Consequences of the save of a changed entity beyond its fields, in words that follow its name. */
  readonly notes?: (before: Draft, after: Draft) => readonly string[];
  /** Readable names of what refers to removed entities, by their ids. Called after the removal. */
  readonly referrers?: (removed: readonly EntityState[], trx: Trx) => Promise<ReadonlyMap<string, readonly string[]>>;
}

export interface JsonEntityParts {
  /** Encrypts secrets. */
  readonly key: SecretKey;
  /** Called with the type after this gateway has written it. Other gateways are notified by NOTIFY. */
  readonly onChanged: (type: string) => void;
}

/** Stores a type in the table `entities`, with bodies as JSON. */
export function jsonEntityRepository<Body extends object>(
  { key, onChanged }: JsonEntityParts,
  type: EntityType<Body>,
  behavior: EntityBehavior<Body> = {},
): EntityRepository {
  const jsonSchema = () => z.toJSONSchema(type.schema, { io: "input", unrepresentable: "any" });
  // Both are derived on first use, because a gateway has many types and few are read soon after its start.
  let strictType: { readonly schema: EntityType<Body>["schema"] } | undefined;
  let order: ReturnType<typeof fieldOrder> | undefined;
  const { toStored, fromStored } = storedFormOf(type);
  const inOrder = (body: object) => (order ??= fieldOrder(jsonSchema() as Parameters<typeof fieldOrder>[0]))(body);

  // Not validated again: parsing ten thousand bodies would block the event loop for seconds, and bodies that a newer schema rejects
  // must be shown, so that they can be fixed.
  const stateOf = (row: Row): EntityState => {
    const maskedBody = maskSecrets({ type, id: row.id }, fromStored(row.body));
    const body = inOrder(behavior.unpack?.(maskedBody) ?? maskedBody);
    const entity = { ...body, version: row.version, enabled: row.enabled };
    return { id: row.id, key: row.id, entity, stored: row.body };
  };

  const statesOf = async (rows: readonly Row[]): Promise<EntityState[]> => {
    const slice = new TimeSlice();
    const states: EntityState[] = [];
    for (const row of rows) {
      await slice.end();
      states.push(stateOf(row));
    }
    return states;
  };

  return {
    type: type.name,
    noun: type.noun,
    idField: type.idField,
    canDisable: true,
    isExclusive: behavior.isExclusive ?? false,
    jsonSchema,
    states: async (trx, ids) => statesOf(await rowsOf(trx, type.name, ids)),
    idOf: async (draft, trx, snapshot) => {
      const { data: id } = entityId.safeParse(draft[type.idField]);
      if (id === undefined || id === normalName(id)) return id;
      if (snapshot) return snapshot.byId.has(id) ? id : normalName(id);
      // Ids that were saved before normalization are found by their exact spelling.
      return (await rowsOf(trx, type.name, [id])).length > 0 ? id : normalName(id);
    },
    validate: async (draft, before) => {
      const { own, newer } = splitNewerFields(type, draft, before);
      const named = withNormalNames(type, behavior.complete?.(own, before?.entity) ?? own, before?.entity);
      strictType ??= { schema: deepStrict(type.schema) };
      const body = parseBody(strictType, named.draft);
      named.requireValid();
      await behavior.check?.(body);
      const id = (body as Draft)[type.idField] as string;
      const packed = toStored(behavior.pack?.(body) ?? body);
      return { id, key: id, draft: { ...encryptSecrets(key, { type, id }, packed, before?.stored), ...newer } };
    },
    apply: async (changes, trx) => {
      await removeAll(trx, type.name, changes);
      await saveAll(trx, type.name, changes);
      await enableAll(trx, type.name, changes);
      await sql`select pg_notify(${entitiesChannel}, ${type.name})`.execute(trx);
      return statesOf(await rowsOf(trx, type.name, remainingIds(changes)));
    },
    notes: (before, after) => behavior.notes?.(before, after) ?? [],
    referrers: (removed, trx) => behavior.referrers?.(removed, trx) ?? Promise.resolve(new Map()),
    requireConsistent: () => Promise.resolve(),
    changed: () => {
      onChanged(type.name);
      return Promise.resolve();
    },
  };
}

/**
 * Separates fields that only a newer version knows, whose gateways may share the database: they are kept if they are sent back as they
 * are stored. All other unknown fields are left in the draft, and refused with it.
 */
function splitNewerFields(
  type: { readonly schema: z.ZodType },
  draft: Draft,
  before: EntityState | undefined,
): { own: Draft; newer: Draft } {
  if (before?.stored === undefined || !(type.schema instanceof z.ZodObject)) return { own: draft, newer: {} };
  const { shape } = type.schema;
  const stored = before.stored as Draft;
  const isNewer = (name: string) =>
    !Object.hasOwn(shape, name) && Object.hasOwn(stored, name) && isDeepStrictEqual(draft[name], stored[name]);
  const fields = Object.entries(draft);
  return {
    own: Object.fromEntries(fields.filter(([name]) => !isNewer(name))),
    newer: Object.fromEntries(fields.filter(([name]) => isNewer(name))),
  };
}

async function rowsOf(db: Kysely<Database>, type: string, ids?: readonly string[]): Promise<Row[]> {
  return db
    .selectFrom("entities")
    .select(["id", "enabled", "version", "body"])
    .where("type", "=", type)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${(ids ?? []).filter(isStorable)}::text[])`))
    .orderBy(sql`id collate "C"`)
    .execute();
}

async function removeAll(trx: Trx, type: string, changes: readonly Change[]): Promise<void> {
  const ids = removedIds(changes);
  if (ids.length > 0) await sql`delete from entities where type = ${type} and id = any(${ids}::text[])`.execute(trx);
}

/** Unchanged entities keep their version. */
async function saveAll(trx: Trx, type: string, changes: readonly Change[]): Promise<void> {
  const rows = changes.flatMap((change) =>
    change.kind === "save" ? [{ id: change.id, enabled: change.enabled, body: change.draft }] : [],
  );
  if (rows.length === 0) return;
  await sql`
    insert into entities (type, id, enabled, body)
    select ${type}, id, enabled, body from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as saved (id text, enabled boolean, body jsonb)
    on conflict (type, id) do update
      set enabled = excluded.enabled, body = excluded.body, version = entities.version + 1, updated_at = now()
      where (entities.enabled, entities.body) is distinct from (excluded.enabled, excluded.body)`.execute(trx);
}

async function enableAll(trx: Trx, type: string, changes: readonly Change[]): Promise<void> {
  for (const enabled of [true, false]) {
    const ids = changes.flatMap((change) => (change.kind === "enable" && change.enabled === enabled ? [change.id] : []));
    if (ids.length === 0) continue;
    await sql`
      update entities set enabled = ${enabled}, version = version + 1, updated_at = now()
      where type = ${type} and id = any(${ids}::text[]) and enabled <> ${enabled}`.execute(trx);
  }
}
