import { datasetOfColumnsKey, kindOfKey, preferenceLimits, preferences } from "@fairway/contract/preferences";
import type { Kysely } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { type CanRead, requireReadable } from "#personal/readable-dataset.ts";

declare module "#database/schema.ts" {
  interface Database {
    preferences: { user_id: string; key: string; value: string };
  }
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly canRead: CanRead;
}

export const openPreferences = (parts: Parts): Capability => ({ routes: { preferences: implement(preferences, handlers(parts)) } });

/** Rows that are read at once, so that the largest possible list is never in memory. */
const rowsPerChunk = 20;

const handlers = ({ db, canRead }: Parts): Handlers<typeof preferences> => ({
  list: async ({ user }) => ({ contentType: "application/json; charset=utf-8", chunks: listText(db, user.id) }),
  save: async ({ user, params: { key }, body }) => {
    const { value } = body;
    if (value.kind !== kindOfKey(key)) {
      throw new Refusal("invalid-value", `The value of '${key}' is of kind '${kindOfKey(key)}'.`, { path: "value.kind" });
    }
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > preferenceLimits.valueBytes) {
      throw new Refusal("too-large", `A preference can have at most ${preferenceLimits.valueBytes.toLocaleString("en-US")} bytes.`, {
        path: "value",
      });
    }
    const dataset = datasetOfColumnsKey(key);
    if (dataset) await requireReadable(canRead, user, dataset);
    await store(db, user.id, key, text);
    return { key, value };
  },
  // Also of datasets that the user can no longer read.
  remove: async ({ user, params: { key } }) => {
    const { numDeletedRows } = await db
      .deleteFrom("preferences")
      .where("user_id", "=", user.id)
      .where("key", "=", key)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw new Refusal("not-found", "You have no preference with this key.");
    return undefined;
  },
});

const store = (db: Kysely<Database>, userId: string, key: string, value: string): Promise<unknown> =>
  countedInsert(db, {
    kind: "preferences",
    owner: userId,
    requireRoom: async (trx) => {
      const { others } = await trx
        .selectFrom("preferences")
        .select(({ fn }) => fn.countAll<string>().as("others"))
        .where("user_id", "=", userId)
        .where("key", "!=", key)
        .executeTakeFirstOrThrow();
      if (Number(others) < preferenceLimits.perUser) return;
      throw new Refusal("conflict", `You have ${preferenceLimits.perUser} preferences, as many as there can be. Delete one first.`);
    },
    insert: (trx) =>
      trx
        .insertInto("preferences")
        .values({ user_id: userId, key, value })
        .onConflict((conflict) => conflict.columns(["user_id", "key"]).doUpdateSet({ value }))
        .execute(),
  });

/** The JSON of the list. Stored values are not parsed. */
async function* listText(db: Kysely<Database>, userId: string): AsyncGenerator<string> {
  let after = "";
  let separator = "[";
  for (;;) {
    const rows = await db
      .selectFrom("preferences")
      .select(["key", "value"])
      .where("user_id", "=", userId)
      .where("key", ">", after)
      .orderBy("key")
      .limit(rowsPerChunk)
      .execute();
    for (const { key, value } of rows) {
      yield `${separator}{"key":${JSON.stringify(key)},"value":${value}}`;
      separator = ",";
      after = key;
    }
    if (rows.length < rowsPerChunk) break;
  }
  yield separator === "[" ? "[]" : "]";
}
