import { expect, it } from "vitest";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { type NewRevision, recordRevisions, removeOldRevisions, revisionsOf } from "./revisions.ts";

const revision = (id: string, version: number, type = "roles"): NewRevision => ({
  type,
  id,
  by: "root",
  action: "edit",
  before: undefined,
  after: { version },
});

async function openDatabase() {
  const { db, pool } = await testDatabaseForOneTest();
  return { db, pool, countOf: async (id: string, type = "roles") => (await revisionsOf(db, type, id)).length };
}

it("keeps the newest revisions of each entity, independently of others", async () => {
  const { db, countOf } = await openDatabase();
  for (let version = 1; version <= 5; version++) await recordRevisions(db, [revision("a", version), revision("b", version)], 3);
  await recordRevisions(db, [revision("a", 1, "groups"), revision("c", 1)], 3);
  expect([await countOf("a"), await countOf("b"), await countOf("c"), await countOf("a", "groups")]).toEqual([3, 3, 1, 1]);
  const rows = await db.selectFrom("entity_revisions").select("after").where("entity_id", "=", "b").orderBy("revision").execute();
  expect(rows.map(({ after }) => after?.version)).toEqual([3, 4, 5]);
  await recordRevisions(db, [revision("a", 6)], 1);
  expect([await countOf("a"), await countOf("b")]).toEqual([1, 3]);
});

it("removes revisions after the retention period, also those of deleted entities", async () => {
  const { db, pool, countOf } = await openDatabase();
  await recordRevisions(db, [revision("old", 1), revision("mixed", 1)], 200);
  await pool.query("update entity_revisions set at = now() - interval '31 days'");
  await recordRevisions(db, [revision("mixed", 2)], 200);
  expect(await removeOldRevisions(db, 30)).toBe(2);
  expect([await countOf("old"), await countOf("mixed")]).toEqual([0, 1]);
  expect(await removeOldRevisions(db, 30)).toBe(0);
});
