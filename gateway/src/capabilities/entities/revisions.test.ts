import { expect, it } from "vitest";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { type Note, noteRevisions, removeOldRevisions, revisionsOf } from "./revisions.ts";

const note = (id: string, version: number, type = "roles"): Note => ({
  type,
  id,
  by: "root",
  action: "edit",
  before: undefined,
  after: { version },
});

async function opened() {
  const { db, pool } = await testDatabaseForOneTest();
  return { db, pool, countOf: async (id: string, type = "roles") => (await revisionsOf(db, type, id)).length };
}

it("of each thing the newest revisions stay, so many of each, whatever else is noted", async () => {
  const { db, countOf } = await opened();
  for (let version = 1; version <= 5; version++) await noteRevisions(db, [note("a", version), note("b", version)], 3);
  await noteRevisions(db, [note("a", 1, "groups"), note("c", 1)], 3);
  expect([await countOf("a"), await countOf("b"), await countOf("c"), await countOf("a", "groups")]).toEqual([3, 3, 1, 1]);
  const rows = await db.selectFrom("entity_revisions").select("after").where("entity_id", "=", "b").orderBy("revision").execute();
  expect(rows.map(({ after }) => after?.version)).toEqual([3, 4, 5]);
  await noteRevisions(db, [note("a", 6)], 1);
  expect([await countOf("a"), await countOf("b")]).toEqual([1, 3]);
});

it("revisions go when their time is over, also those of what is deleted", async () => {
  const { db, pool, countOf } = await opened();
  await noteRevisions(db, [note("old", 1), note("mixed", 1)], 200);
  await pool.query("update entity_revisions set at = now() - interval '31 days'");
  await noteRevisions(db, [note("mixed", 2)], 200);
  expect(await removeOldRevisions(db, 30)).toBe(2);
  expect([await countOf("old"), await countOf("mixed")]).toEqual([0, 1]);
  expect(await removeOldRevisions(db, 30)).toBe(0);
});
