import { readFile, readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { migrationList } from "./migration-list.ts";
import { migrations } from "./migrations.ts";

const released = new URL("../../../contract/released/", import.meta.url);
const releases = await readdir(released);

it.each(releases)("the migrations of %s still run first, unchanged", async (release) => {
  const releasedMigrations = JSON.parse(await readFile(new URL(`${release}/migrations.json`, released), "utf8")) as Record<string, string>;
  const currentMigrations = await migrationList();
  expect(Object.keys(releasedMigrations).length).toBeGreaterThan(16);
  expect(Object.entries(currentMigrations).slice(0, Object.keys(releasedMigrations).length)).toEqual(Object.entries(releasedMigrations));
});

it("lists every migration file by name, in order, with unique numbers", async () => {
  const files = await readdir(new URL("migrations/", import.meta.url));
  const names = files.map((file) => file.replace(/\.ts$/, "")).toSorted();
  expect(Object.keys(migrations)).toEqual(names);
  expect(names.filter((name) => !/^\d{4}(-[a-z]+)+$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
});
