import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openTempFolder } from "./temp-folder.ts";

const warn = vi.fn<() => void>();

async function parentFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "fairway-temp-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return parent;
}

async function open(parent: string, alone = false) {
  const folder = await openTempFolder(parent, { alone, log: { warn } });
  onTestFinished(() => folder.close());
  return folder;
}

it("gives every gateway its own temporary folder, which is removed on close", async () => {
  const parent = await parentFolder();
  const [a, b] = [await open(parent), await open(parent)];
  await writeFile(join(a.path, "duckdb_temp_storage_DEFAULT-0.tmp"), "spilled");
  expect((await readdir(parent)).toSorted()).toEqual([basename(a.path), basename(b.path)].toSorted());
  await a.close();
  expect(await readdir(parent)).toEqual([basename(b.path)]);
});

it("removes leftovers of dead gateways and earlier versions, but nothing of gateways that may be alive", async () => {
  const parent = await parentFolder();
  const living = await open(parent);
  await mkdir(join(parent, "dead"));
  await writeFile(join(parent, "dead/spilled"), "left");
  await writeFile(join(parent, "duckdb_temp_storage_DEFAULT-0.tmp"), "left");
  const yesterday = Date.now() / 1_000 - 86_400;
  for (const name of ["dead", "duckdb_temp_storage_DEFAULT-0.tmp"]) await utimes(join(parent, name), yesterday, yesterday);
  const next = await open(parent);
  await expect.poll(() => readdir(parent)).toHaveLength(2);
  expect((await readdir(parent)).toSorted()).toEqual([basename(living.path), basename(next.path)].toSorted());
  expect(warn).not.toHaveBeenCalled();
});

it("removes everything else immediately if no other gateway can exist", async () => {
  const parent = await parentFolder();
  await writeFile(join(parent, "young"), "left by a gateway that was killed");
  const { path } = await open(parent, true);
  await expect.poll(() => readdir(parent)).toEqual([basename(path)]);
});
