import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeFileStore } from "#testing/storage-suite.ts";
import { UnsafeKey, fileKey, filePrefix } from "./key.ts";
import { openLocalDisk } from "./local-disk.ts";
import { FileTooLarge } from "./storage.ts";

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "fairway-files-"));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

describeFileStore("a local disk", async () => openLocalDisk(await folder()));

describe("the local disk's own folder", () => {
  it("holds nothing unfinished after a failure", async () => {
    const home = await folder();
    const store = await openLocalDisk(home);
    async function* large() {
      yield Buffer.from("too much");
    }
    await expect(store.write(fileKey("f"), large(), 3)).rejects.toBeInstanceOf(FileTooLarge);
    expect((await readdir(home, { recursive: true })).toSorted()).toEqual(["kept", "unfinished"]);
  });

  it("is cleared of what a failing machine left, and not of what is being written", async () => {
    const home = await folder();
    await openLocalDisk(home);
    await writeFile(join(home, "unfinished/old"), "half");
    await utimes(join(home, "unfinished/old"), 0, 0);
    await writeFile(join(home, "unfinished/young"), "half");
    await openLocalDisk(home);
    expect(await readdir(join(home, "unfinished"))).toEqual(["young"]);
  });

  it("does not follow a link out of it", async () => {
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

  it("is no prefix without a slash at its end, and no prefix leads out", () => {
    expect(filePrefix("")).toBe("");
    for (const prefix of ["a", "/", "../", "a/../"]) expect(() => filePrefix(prefix)).toThrow(UnsafeKey);
  });
});
