import { readFile, readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { contractingStatements } from "./contracting-statements.ts";
import { migrationList, statementsOf } from "./migration-list.ts";
import { migrations } from "./migrations.ts";

const released = new URL("../../../contract/released/", import.meta.url);
const releases = await readdir(released);
const releasedNames = async (release: string) =>
  Object.keys(JSON.parse(await readFile(new URL(`${release}/migrations.json`, released), "utf8")) as Record<string, string>);
const lastRelease = releases.toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1))).at(-1) ?? "";

/** Migrations whose contracting statements harm no gateway of the release before. */
const harmless: Readonly<Record<string, string>> = {
  "0018-second-factors": "the same transaction adds the constraint again, and allows one more value",
  "0021-sign-in-steps": "the index only speeds up a list, and another one replaces it",
  "0134-shares": "the last release lists boards and saved searches with their owners, so that it meets none without one",
};

it.each(releases)("the migrations of %s still run first, unchanged", async (release) => {
  const releasedMigrations = JSON.parse(await readFile(new URL(`${release}/migrations.json`, released), "utf8")) as Record<string, string>;
  const currentMigrations = await migrationList();
  expect(Object.keys(releasedMigrations).length).toBeGreaterThan(16);
  expect(Object.entries(currentMigrations).slice(0, Object.keys(releasedMigrations).length)).toEqual(Object.entries(releasedMigrations));
});

it("lists every migration file by name, in order, with unique numbers", async () => {
  const names = Object.keys(migrations);
  const files = await readdir(new URL("migrations/", import.meta.url));
  expect(names.map((name) => `${name}.ts`)).toEqual(files.toSorted());
  expect(names.filter((name) => !/^\d{4}(-[a-z]+)+$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
});

it("removes nothing that the last release uses, because both run side by side during an upgrade", async () => {
  const known = new Set(await releasedNames(lastRelease));
  const problems: string[] = [];
  for (const [name, load] of Object.entries(migrations)) {
    const migration = await load();
    if (known.has(name) || (migration.requires !== undefined && known.has(migration.requires))) continue;
    const texts = (await statementsOf(migration)).map(({ text }) => text);
    const found = contractingStatements(texts);
    if (found.length > 0 && harmless[name] === undefined) problems.push(`${name}: ${found.join("; ")}`);
  }
  expect(problems).toEqual([]);
});
