import type { DatasetRef } from "@fairway/contract/datasets";
import { randomUUID } from "node:crypto";
import { type ColumnType, type Generated, type JSONColumnType, type Kysely, type Selectable, sql } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import { nameKey } from "#database/name-key.ts";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import type { Scope } from "./scope.ts";
import { newValue } from "./value.ts";

declare module "#database/schema.ts" {
  interface Database {
    api_keys: {
      id: string;
      user_id: string;
      name: string;
      /** `nameKey(name)`; unique for each user. */
      name_key: string;
      datasets: JSONColumnType<DatasetRef[]>;
      fileset_ids: string[];
      ecosystem_names: string[];
      may_append: Generated<boolean>;
      /** Names of those of its owner's roles that it acts with; null for all. */
      roles: string[] | null;
      expires_at: Date | null;
      last_used_at: Date | null;
      created_at: ColumnType<Date, never, never>;
    };
    /** The values of keys: the current one and, during a rotation, the previous one. */
    api_key_values: {
      /** sha256 of the value, hex. */
      hash: string;
      key_id: string;
      /** The value, encrypted with the master key. */
      value: string;
      /** Its last characters. */
      hint: string;
      /** Null for the current value. */
      ends_at: Date | null;
    };
  }
}

/** A key with the displayable part of its values. */
export interface StoredKey extends Selectable<Database["api_keys"]> {
  readonly hint: string;
  readonly previous_ends_at: Date | null;
}

export interface NewKey {
  readonly userId: string;
  readonly name: string;
  readonly scope: Scope;
  readonly mayAppend: boolean;
  readonly roles: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly maxPerUser: number;
}

const selectKeys = (db: Kysely<Database>) =>
  db
    .selectFrom("api_keys")
    .innerJoin("api_key_values as current", (join) => join.onRef("current.key_id", "=", "api_keys.id").on("current.ends_at", "is", null))
    .selectAll("api_keys")
    .select("current.hint")
    .select((key) =>
      key
        .selectFrom("api_key_values as previous")
        .select(({ fn }) => fn.max("previous.ends_at").as("ends_at"))
        .whereRef("previous.key_id", "=", "api_keys.id")
        .where("previous.ends_at", ">", sql<Date>`now()`)
        .as("previous_ends_at"),
    );

export const keysOf = (db: Kysely<Database>, userId: string): Promise<StoredKey[]> =>
  selectKeys(db).where("api_keys.user_id", "=", userId).orderBy("api_keys.name_key").execute();

/** The keys of all users, sorted by username. */
export const allKeys = (db: Kysely<Database>) =>
  selectKeys(db)
    .innerJoin("users", "users.id", "api_keys.user_id")
    .select(["users.username", "users.locked"])
    .orderBy("users.username_key")
    .orderBy("api_keys.name_key")
    .execute();

/** A user's key by its name, ignoring case. Refuses with `not-found`. */
export async function requireKey(db: Kysely<Database>, userId: string, name: string): Promise<StoredKey> {
  const found = await selectKeys(db)
    .where("api_keys.user_id", "=", userId)
    .where("api_keys.name_key", "=", nameKey(name.trim()))
    .executeTakeFirst();
  if (!found) throw noSuchKey();
  return found;
}

/** Refuses with `name-taken`, or with `conflict` beyond `maxPerUser`. Returns the value, which cannot be read again. */
export const addKey = (db: Kysely<Database>, masterKey: Pick<MasterKey, "encrypt">, key: NewKey): Promise<string> =>
  countedInsert(db, {
    kind: "api-keys",
    owner: key.userId,
    requireRoom: async (trx) => {
      const { count } = await trx
        .selectFrom("api_keys")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .where("user_id", "=", key.userId)
        .executeTakeFirstOrThrow();
      if (Number(count) < key.maxPerUser) return;
      throw new Refusal("conflict", `You have ${key.maxPerUser} API keys, as many as there can be. Delete one first.`);
    },
    insert: async (trx) => {
      const id = randomUUID();
      const inserted = await trx
        .insertInto("api_keys")
        .values({
          id,
          user_id: key.userId,
          name: key.name,
          name_key: nameKey(key.name.trim()),
          ...columnsOf(key.scope),
          may_append: key.mayAppend,
          roles: key.roles === null ? null : [...key.roles],
          expires_at: key.expiresAt,
        })
        .onConflict((conflict) => conflict.columns(["user_id", "name_key"]).doNothing())
        .returning("id")
        .executeTakeFirst();
      if (!inserted) throw new Refusal("name-taken", "An API key with this name already exists.", { path: "name" });
      const { value, stored } = newValue(masterKey, { keyId: id, userId: key.userId });
      await trx
        .insertInto("api_key_values")
        .values({ ...stored, key_id: id })
        .execute();
      return value;
    },
  });

interface KeyChange extends Pick<NewKey, "scope" | "mayAppend" | "roles"> {
  /** Undefined keeps it. */
  readonly expiresAt: Date | null | undefined;
}

export async function changeKey(db: Kysely<Database>, id: string, { scope, mayAppend, roles, expiresAt }: KeyChange): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({
      ...columnsOf(scope),
      may_append: mayAppend,
      roles: roles === null ? null : [...roles],
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    })
    .where("id", "=", id)
    .execute();
}

/**
 * Gives a key a new value and returns it; it cannot be read again. The current value works for another `overlapHours`; an
 * earlier one stops working now.
 */
export const rotateKey = (
  db: Kysely<Database>,
  masterKey: Pick<MasterKey, "encrypt">,
  key: StoredKey,
  overlapHours: number,
): Promise<string> =>
  db.transaction().execute(async (trx) => {
    // Serializes rotations of one key.
    const existing = await trx.selectFrom("api_keys").select("id").where("id", "=", key.id).forUpdate().executeTakeFirst();
    if (!existing) throw noSuchKey();
    await trx
      .deleteFrom("api_key_values")
      .where("key_id", "=", key.id)
      .$if(overlapHours > 0, (values) => values.where("ends_at", "is not", null))
      .execute();
    await trx
      .updateTable("api_key_values")
      .set({ ends_at: sql<Date>`now() + make_interval(hours => ${overlapHours})` })
      .where("key_id", "=", key.id)
      .execute();
    const { value, stored } = newValue(masterKey, { keyId: key.id, userId: key.user_id });
    await trx
      .insertInto("api_key_values")
      .values({ ...stored, key_id: key.id })
      .execute();
    return value;
  });

export async function deleteKey(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("api_keys").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

const noSuchKey = () => new Refusal("not-found", "You have no API key with this name.");

const columnsOf = ({ datasets, filesets, ecosystems }: Scope) => ({
  datasets: JSON.stringify(datasets),
  fileset_ids: [...filesets],
  ecosystem_names: [...ecosystems],
});

export const scopeOf = (key: Pick<StoredKey, "datasets" | "fileset_ids" | "ecosystem_names">): Scope => ({
  datasets: key.datasets,
  filesets: key.fileset_ids,
  ecosystems: key.ecosystem_names,
});
