import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { UnsafeKey, fileKey } from "#storage/key.ts";
import { FileMissing, type FileStore, type FileStores, FileTooLarge } from "#storage/storage.ts";

const most = 1_000_000;

async function* chunks(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("half of it");
  throw new Error("the sender left");
}

async function textOf(store: FileStore, key: string, range?: { start: number; end: number }): Promise<string> {
  const { content } = await store.read(fileKey(key), range);
  return Buffer.concat(await content.toArray()).toString();
}

async function localFile(text: string): Promise<{ folder: string; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-local-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "finished");
  await writeFile(path, text);
  return { folder, path };
}

/** What holds for every kind of stores by bucket. `open` gives some without files. */
export function describeFileStores(name: string, open: () => Promise<FileStores>): void {
  describe(`the stores on ${name}`, () => {
    it("keep the files of each bucket apart", async () => {
      const stores = await open();
      const [maps, reports] = await Promise.all([stores.of("maps"), stores.of("reports")]);
      await maps.write(fileKey("f"), chunks("a map"), most);
      expect(await reports.head(fileKey("f"))).toBeUndefined();
      await reports.write(fileKey("f"), chunks("a report"), most);
      expect([await textOf(maps, "f"), await textOf(reports, "f")]).toEqual(["a map", "a report"]);
    });

    it("open each bucket once", async () => {
      const stores = await open();
      expect(await stores.of("maps")).toBe(await stores.of("maps"));
    });

    it.each(["", "..", "a/b", "/etc"])("have no bucket named %j", async (bucket) => {
      const stores = await open();
      expect(() => stores.of(bucket)).toThrow(UnsafeKey);
    });
  });
}

/** What holds for every store. `open` gives an empty one. */
export function describeFileStore(name: string, open: () => Promise<FileStore>): void {
  describe(`the store on ${name}`, () => {
    it("keeps a file as it came, with its size and its time", async () => {
      const store = await open();
      const facts = await store.write(fileKey("a/b c/ü.txt"), chunks("one ", "two"), most);
      expect(facts).toMatchObject({ key: "a/b c/ü.txt", size: 7 });
      expect(Math.abs(facts.lastModified.getTime() - Date.now())).toBeLessThan(60_000);
      expect(await textOf(store, "a/b c/ü.txt")).toBe("one two");
      expect(await store.head(fileKey("a/b c/ü.txt"))).toEqual(facts);
    });

    it("keeps an empty file", async () => {
      const store = await open();
      await store.write(fileKey("nothing"), chunks(), most);
      expect(await textOf(store, "nothing")).toBe("");
    });

    it("replaces a file in one step: who reads it already reads it to its end", async () => {
      const store = await open();
      await store.write(fileKey("f"), chunks("before"), most);
      const { content } = await store.read(fileKey("f"));
      await store.write(fileKey("f"), chunks("and after"), most);
      expect(Buffer.concat(await content.toArray()).toString()).toBe("before");
      expect(await textOf(store, "f")).toBe("and after");
    });

    it("reads a range, both ends included, and leaves out what lies beyond the end", async () => {
      const store = await open();
      await store.write(fileKey("f"), chunks("0123456789"), most);
      expect(await textOf(store, "f", { start: 2, end: 4 })).toBe("234");
      expect(await textOf(store, "f", { start: 8, end: 100 })).toBe("89");
    });

    it("takes exactly the limit and keeps nothing of what is larger", async () => {
      const store = await open();
      await store.write(fileKey("fits"), chunks("1234", "5678"), 8);
      expect(await textOf(store, "fits")).toBe("12345678");
      await expect(store.write(fileKey("large"), chunks("1234", "56789"), 8)).rejects.toBeInstanceOf(FileTooLarge);
      expect(await store.head(fileKey("large"))).toBeUndefined();
      await expect(store.write(fileKey("fits"), chunks("123456789"), 8)).rejects.toBeInstanceOf(FileTooLarge);
      expect(await textOf(store, "fits")).toBe("12345678");
    });

    it("takes over a finished file of this machine, in place of one that it has", async () => {
      const store = await open();
      await store.write(fileKey("a/f"), chunks("before"), most);
      const { folder, path } = await localFile("and after");
      const facts = await store.moveIn(fileKey("a/f"), path);
      expect(facts).toMatchObject({ key: "a/f", size: 9 });
      expect(await store.head(fileKey("a/f"))).toEqual(facts);
      expect([await textOf(store, "a/f"), await readdir(folder)]).toEqual(["and after", []]);
    });

    it("takes over no file that is not there", async () => {
      const store = await open();
      const { path } = await localFile("");
      await expect(store.moveIn(fileKey("f"), `${path}-missing`)).rejects.toThrow(/ENOENT/);
      expect(await store.head(fileKey("f"))).toBeUndefined();
    });

    it("keeps nothing of what breaks off", async () => {
      const store = await open();
      await expect(store.write(fileKey("torn"), broken(), most)).rejects.toThrow("the sender left");
      expect(await store.head(fileKey("torn"))).toBeUndefined();
      expect((await store.list("")).files).toEqual([]);
    });

    it("says what is missing, also a folder and what would lie below a file", async () => {
      const store = await open();
      await store.write(fileKey("a/b"), chunks("x"), most);
      for (const key of ["c", "a", "a/b/c"]) {
        expect(await store.head(fileKey(key))).toBeUndefined();
        await expect(store.read(fileKey(key))).rejects.toBeInstanceOf(FileMissing);
      }
    });

    it("removes a file once, and a folder with its last file", async () => {
      const store = await open();
      await store.write(fileKey("a/b/one"), chunks("1"), most);
      await store.write(fileKey("a/two"), chunks("2"), most);
      await store.remove(fileKey("a/b/one"));
      await store.remove(fileKey("a/b/one"));
      expect(await store.list("a/")).toMatchObject({ files: [{ key: "a/two" }], commonPrefixes: [] });
    });

    it("lists one level, by name", async () => {
      const store = await open();
      for (const key of ["b", "a/x", "a/y/z", "c"]) await store.write(fileKey(key), chunks(key), most);
      const root = await store.list("");
      expect(root.files.map(({ key, size }) => [key, size])).toEqual([
        ["b", 1],
        ["c", 1],
      ]);
      expect(root).toMatchObject({ commonPrefixes: ["a/"], nextContinuationToken: null });
      expect(await store.list("a/")).toMatchObject({ files: [{ key: "a/x" }], commonPrefixes: ["a/y/"] });
      expect(await store.list("nowhere/")).toEqual({ files: [], commonPrefixes: [], nextContinuationToken: null });
    });

    it("lists in pages of 1,000", async () => {
      const store = await open();
      const names = Array.from({ length: 1_003 }, (_, index) => `f${String(index).padStart(4, "0")}`);
      await Promise.all(names.map((name) => store.write(fileKey("many", name), chunks("."), most)));
      const first = await store.list("many/");
      expect(first.files).toHaveLength(1_000);
      const second = await store.list("many/", first.nextContinuationToken ?? "");
      expect(second.nextContinuationToken).toBeNull();
      expect([...first.files, ...second.files].map(({ key }) => key.slice("many/".length))).toEqual(names);
    });
  });
}
