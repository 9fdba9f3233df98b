import type * as FileSystem from "node:fs/promises";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { listFolder } from "./data-folder.ts";

const statCalls = vi.hoisted(() => ({ paths: [] as string[], before: async (_path: string) => {}, after: async (_path: string) => {} }));
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof FileSystem>();
  return {
    ...real,
    stat: async (path: string) => {
      statCalls.paths.push(path);
      await statCalls.before(path);
      const found = await real.stat(path);
      await statCalls.after(path);
      return found;
    },
  };
});
beforeEach(() => {
  statCalls.paths.length = 0;
  statCalls.before = async () => {};
  statCalls.after = async () => {};
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "fairway-data-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

it("leaves out files that are removed while their folder is listed", async () => {
  const data = await folder();
  for (const name of ["a.csv", "b.csv", "c.csv"]) await writeFile(join(data, name), "x\n1\n");
  statCalls.before = async (path) => (path.endsWith("b.csv") ? rm(path) : undefined);
  expect(await listFolder(data, "")).toEqual([
    { name: "a.csv", path: "a.csv", kind: "file", bytes: 4 },
    { name: "c.csv", path: "c.csv", kind: "file", bytes: 4 },
  ]);
});

it("responds with not-found if a folder is removed while it is opened", async () => {
  const data = await folder();
  await mkdir(join(data, "going"));
  statCalls.after = (path) => rm(path, { recursive: true });
  await expect(listFolder(data, "going")).rejects.toMatchObject({ code: "not-found" });
});

it("lists only the first 5,000 entries of a folder, folders first", async () => {
  const data = await folder();
  await mkdir(join(data, "zz"));
  const names = Array.from({ length: 5_010 }, (_, index) => `f${String(index).padStart(5, "0")}.csv`);
  for (let from = 0; from < names.length; from += 500) {
    await Promise.all(names.slice(from, from + 500).map((name) => writeFile(join(data, name), "")));
  }
  const listed = await listFolder(data, "");
  expect([listed.length, listed[0]?.name, listed[1]?.name, listed.at(-1)?.name]).toEqual([5_000, "zz", "f00000.csv", "f04998.csv"]);
  expect(statCalls.paths.filter((path) => path.endsWith(".csv"))).toHaveLength(4_999);
});
