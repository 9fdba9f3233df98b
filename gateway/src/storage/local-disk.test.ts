import { once } from "node:events";
import { statSync } from "node:fs";
import { mkdtemp, readFile, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { noteNotRun } from "#testing/not-run.ts";
import { describeFileStore, describeFileStores } from "#testing/storage-suite.ts";
import { UnsafeKey, fileKey, filePrefix } from "./key.ts";
import { localDiskStores, openLocalDisk } from "./local-disk.ts";
import { FileTooLarge } from "./storage.ts";

async function folder(parent = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(parent, "fairway-files-"));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

const memoryDisk = "/dev/shm";
const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
const hasOtherDisk = deviceOf(memoryDisk) !== undefined && deviceOf(memoryDisk) !== deviceOf(tmpdir());
if (!hasOtherDisk) noteNotRun("a file of another file system", `${memoryDisk} is missing, or the same file system as ${tmpdir()}`);

describeFileStore("a local disk", async () => ({ store: await openLocalDisk(await folder()) }));
describeFileStores("a local disk", async () => localDiskStores(await folder()));

describe("a local disk store", () => {
  it("removes the unfinished file after a failure", async () => {
    const home = await folder();
    const store = await openLocalDisk(home);
    async function* large() {
      yield Buffer.from("too much");
    }
    await expect(store.write(fileKey("f"), large(), 3)).rejects.toBeInstanceOf(FileTooLarge);
    expect((await readdir(home, { recursive: true })).toSorted()).toEqual(["kept", "unfinished"]);
  });

  it("moves a file in without copying it", async () => {
    const home = await folder();
    const store = await openLocalDisk(home);
    const path = join(await folder(), "finished");
    await writeFile(path, "finished");
    const { ino } = await stat(path);
    await store.moveIn(fileKey("f"), path);
    expect((await stat(join(home, "kept/f"))).ino).toBe(ino);
  });

  it.runIf(hasOtherDisk)("moves a file in from another file system", async () => {
    const home = await folder();
    const store = await openLocalDisk(home);
    const from = await folder(memoryDisk);
    await writeFile(join(from, "finished"), "finished");
    await store.moveIn(fileKey("f"), join(from, "finished"));
    expect(await readFile(join(home, "kept/f"), "utf8")).toBe("finished");
    expect([await readdir(from), await readdir(join(home, "unfinished"))]).toEqual([[], []]);
  });

  it("moves files in while others make and remove their folder", async () => {
    const home = await folder();
    const store = await openLocalDisk(home);
    const from = await folder();
    const others = new Worker(
      `const { mkdirSync, rmdirSync } = require("node:fs");
      const { workerData: path } = require("node:worker_threads");
      for (;;) for (const change of [mkdirSync, rmdirSync]) try { change(path); } catch {}`,
      { eval: true, workerData: join(home, "kept/a") },
    );
    onTestFinished(async () => void (await others.terminate()));
    await once(others, "online");
    for (let round = 0; round < 40; round += 1) {
      const path = join(from, String(round));
      await writeFile(path, String(round));
      await store.moveIn(fileKey("a/moved"), path);
      expect(await readFile(join(home, "kept/a/moved"), "utf8")).toBe(String(round));
      await rm(join(home, "kept/a/moved"));
    }
  });

  it("does not move in a symlink", async () => {
    const home = await folder();
    const store = await openLocalDisk(home);
    await writeFile(join(home, "secret"), "not for reading");
    await symlink(join(home, "secret"), join(home, "link"));
    await expect(store.moveIn(fileKey("f"), join(home, "link"))).rejects.toThrow(/ELOOP/);
  });

  it("removes leftovers of a crash when opened, but not recent files", async () => {
    const home = await folder();
    await openLocalDisk(home);
    await writeFile(join(home, "unfinished/old"), "half");
    await utimes(join(home, "unfinished/old"), 0, 0);
    await writeFile(join(home, "unfinished/recent"), "half");
    await openLocalDisk(home);
    expect(await readdir(join(home, "unfinished"))).toEqual(["recent"]);
  });

  it("does not follow symlinks", async () => {
    const home = await folder();
    const store = await openLocalDisk(home);
    await writeFile(join(home, "secret"), "not for reading");
    await symlink(join(home, "secret"), join(home, "kept/link"));
    await expect(store.read(fileKey("link"))).rejects.toThrow(/ELOOP/);
    expect((await store.list("")).files).toEqual([]);
  });
});

describe("a key", () => {
  it.each([
    "",
    ".",
    "..",
    "a/../b",
    "/etc/passwd",
    "a//b",
    "a/",
    "a\\..\\b",
    "nu\0l",
    "new\nline",
    "\ud800",
    "x".repeat(256),
    "a/".repeat(600),
  ])("cannot be %j", (key) => {
    expect(() => fileKey(key)).toThrow(UnsafeKey);
  });

  it.each(["a", "a/b", "..a", "a..", "%2e%2e", "ü/ñ.txt", "x".repeat(255)])("can be %j", (key) => {
    expect(fileKey(key)).toBe(key);
    expect(filePrefix(`${key}/`)).toBe(`${key}/`);
  });

  it("is a prefix only with a trailing slash and inside the store", () => {
    expect(filePrefix("")).toBe("");
    for (const prefix of ["a", "/", "../", "a/../"]) expect(() => filePrefix(prefix)).toThrow(UnsafeKey);
  });
});
