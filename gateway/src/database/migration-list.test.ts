import { readFile, readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { migrationList } from "./migration-list.ts";
import { migrations } from "./migrations.ts";

const released = new URL("../../../contract/released/", import.meta.url);
const releases = await readdir(released);

it.each(releases)("every migration of %s runs first and as it did", async (release) => {
  const kept = JSON.parse(await readFile(new URL(`${release}/migrations.json`, released), "utf8")) as Record<string, string>;
  const present = await migrationList();
  expect(Object.keys(kept).length).toBeGreaterThan(16);
  expect(Object.entries(present).slice(0, Object.keys(kept).length)).toEqual(Object.entries(kept));
});

it("lists every file of the folder of migrations under its name, in order, and gives no number twice", async () => {
  const files = await readdir(new URL("migrations/", import.meta.url));
  const names = files.map((file) => file.replace(/\.ts$/, "")).toSorted();
  expect(Object.keys(migrations)).toEqual(names);
  expect(names.filter((name) => !/^\d{4}(-[a-z]+)+$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
});
