import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { UnsafeKey, fileKey } from "#storage/key.ts";
import { FileMissing, type FileStore, type FileStores, FileTooLarge } from "#storage/storage.ts";

const maxBytes = 1_000_000;

async function* chunks(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("half of it");
  throw new Error("the sender disconnected");
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

/** Tests for every implementation of `FileStores`. `open` returns empty ones. */
export function describeFileStores(name: string, open: () => Promise<FileStores>): void {
  describe(`the stores on ${name}`, () => {
    it("keep the files of each bucket apart", async () => {
      const stores = await open();
      const [maps, reports] = await Promise.all([stores.of("maps"), stores.of("reports")]);
      await maps.write(fileKey("f"), chunks("a map"), maxBytes);
      expect(await reports.head(fileKey("f"))).toBeUndefined();
      await reports.write(fileKey("f"), chunks("a report"), maxBytes);
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

/** An empty store. Without `fill`, files get there by writing them. */
interface EmptyStore {
  readonly store: FileStore;
  /** Puts small files of these names there. */
  readonly fill?: (keys: readonly string[]) => Promise<void>;
}

/** Tests for every implementation of `FileStore`. */
export function describeFileStore(name: string, openEmpty: () => Promise<EmptyStore>): void {
  const open = async () => (await openEmpty()).store;
  describe(`the store on ${name}`, () => {
    it("stores a file unchanged, with its size and modification time", async () => {
      const store = await open();
      const metadata = await store.write(fileKey("a/b c/ü.txt"), chunks("one ", "two"), maxBytes);
      expect(metadata).toMatchObject({ key: "a/b c/ü.txt", size: 7 });
      expect(Math.abs(metadata.lastModified.getTime() - Date.now())).toBeLessThan(60_000);
      expect(await textOf(store, "a/b c/ü.txt")).toBe("one two");
      expect(await store.head(fileKey("a/b c/ü.txt"))).toEqual(metadata);
    });

    it("stores an empty file", async () => {
      const store = await open();
      await store.write(fileKey("nothing"), chunks(), maxBytes);
      expect(await textOf(store, "nothing")).toBe("");
    });

    it("replaces a file atomically: readers of the old file can finish", async () => {
      const store = await open();
      await store.write(fileKey("f"), chunks("before"), maxBytes);
      const { content } = await store.read(fileKey("f"));
      await store.write(fileKey("f"), chunks("and after"), maxBytes);
      expect(Buffer.concat(await content.toArray()).toString()).toBe("before");
      expect(await textOf(store, "f")).toBe("and after");
    });

    it("reads a range with inclusive ends, truncated at the end of the file", async () => {
      const store = await open();
      await store.write(fileKey("f"), chunks("0123456789"), maxBytes);
      expect(await textOf(store, "f", { start: 2, end: 4 })).toBe("234");
      expect(await textOf(store, "f", { start: 8, end: 100 })).toBe("89");
    });

    it("accepts a file of exactly the size limit and keeps nothing of a larger one", async () => {
      const store = await open();
      await store.write(fileKey("fits"), chunks("1234", "5678"), 8);
      expect(await textOf(store, "fits")).toBe("12345678");
      await expect(store.write(fileKey("large"), chunks("1234", "56789"), 8)).rejects.toBeInstanceOf(FileTooLarge);
      expect(await store.head(fileKey("large"))).toBeUndefined();
      await expect(store.write(fileKey("fits"), chunks("123456789"), 8)).rejects.toBeInstanceOf(FileTooLarge);
      expect(await textOf(store, "fits")).toBe("12345678");
    });

    it("moves in a local file, replacing an existing one", async () => {
      const store = await open();
      await store.write(fileKey("a/f"), chunks("before"), maxBytes);
      const { folder, path } = await localFile("and after");
      const metadata = await store.moveIn(fileKey("a/f"), path);
      expect(metadata).toMatchObject({ key: "a/f", size: 9 });
      expect(await store.head(fileKey("a/f"))).toEqual(metadata);
      expect([await textOf(store, "a/f"), await readdir(folder)]).toEqual(["and after", []]);
    });

    it("fails to move in a missing file", async () => {
      const store = await open();
      const { path } = await localFile("");
      await expect(store.moveIn(fileKey("f"), `${path}-missing`)).rejects.toThrow(/ENOENT/);
      expect(await store.head(fileKey("f"))).toBeUndefined();
    });

    it("keeps nothing of an aborted write", async () => {
      const store = await open();
      await expect(store.write(fileKey("torn"), broken(), maxBytes)).rejects.toThrow("the sender disconnected");
      expect(await store.head(fileKey("torn"))).toBeUndefined();
      expect((await store.list("")).files).toEqual([]);
    });

    it("reports missing files, including folders and paths below a file", async () => {
      const store = await open();
      await store.write(fileKey("a/b"), chunks("x"), maxBytes);
      for (const key of ["c", "a", "a/b/c"]) {
        expect(await store.head(fileKey(key))).toBeUndefined();
        await expect(store.read(fileKey(key))).rejects.toBeInstanceOf(FileMissing);
      }
    });

    it("removes a file idempotently, and a folder with its last file", async () => {
      const store = await open();
      await store.write(fileKey("a/b/one"), chunks("1"), maxBytes);
      await store.write(fileKey("a/two"), chunks("2"), maxBytes);
      await store.remove(fileKey("a/b/one"));
      await store.remove(fileKey("a/b/one"));
      expect(await store.list("a/")).toMatchObject({ files: [{ key: "a/two" }], commonPrefixes: [] });
    });

    it("lists one level, by name", async () => {
      const store = await open();
      for (const key of ["b", "a/x", "a/y/z", "c"]) await store.write(fileKey(key), chunks(key), maxBytes);
      const root = await store.list("");
      expect(root.files.map(({ key, size }) => [key, size])).toEqual([
        ["b", 1],
        ["c", 1],
      ]);
      expect(root).toMatchObject({ commonPrefixes: ["a/"], nextContinuationToken: null });
      expect(await store.list("a/")).toMatchObject({ files: [{ key: "a/x" }], commonPrefixes: ["a/y/"] });
      expect(await store.list("nowhere/")).toEqual({ files: [], commonPrefixes: [], leftOut: [], nextContinuationToken: null });
    });

    it("lists in pages of 1,000", async () => {
      const { store, fill } = await openEmpty();
      const names = Array.from({ length: 1_003 }, (_, index) => `f${String(index).padStart(4, "0")}`);
      if (fill) await fill(names.map((name) => `many/${name}`));
      else await Promise.all(names.map((name) => store.write(fileKey("many", name), chunks("."), maxBytes)));
      const first = await store.list("many/");
      expect(first.files).toHaveLength(1_000);
      const second = await store.list("many/", first.nextContinuationToken ?? "");
      expect(second.nextContinuationToken).toBeNull();
      expect([...first.files, ...second.files].map(({ key }) => key.slice("many/".length))).toEqual(names);
    });
  });
}
