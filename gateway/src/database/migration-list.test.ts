import { readFile, readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { migrationList } from "./migration-list.ts";

const released = new URL("../../../contract/released/", import.meta.url);
const releases = await readdir(released);

it.each(releases)("every migration of %s runs first and as it did", async (release) => {
  const kept = JSON.parse(await readFile(new URL(`${release}/migrations.json`, released), "utf8")) as Record<string, string>;
  const present = await migrationList();
  expect(Object.keys(kept).length).toBeGreaterThan(16);
  expect(Object.entries(present).slice(0, Object.keys(kept).length)).toEqual(Object.entries(kept));
});
