import { randomUUID } from "node:crypto";
import { type Dirent, constants, createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileKey } from "./key.ts";
import { UnsafeKey, fileKey, filePrefix } from "./key.ts";
import { type FileInfo, FileMissing, type FilePage, type FileStore, type FileStores, FileTooLarge } from "./storage.ts";
import { systemCode } from "#system-code.ts";

const pageEntries = 1_000;

/** Stores with one subfolder per bucket. */
export function localDiskStores(folder: string): FileStores {
  const opened = new Map<string, Promise<FileStore>>();
  return {
    of(bucket) {
      if (fileKey(bucket).includes("/")) throw new UnsafeKey(bucket);
      const existing = opened.get(bucket);
      if (existing !== undefined) return existing;
      const store = openLocalDisk(join(folder, bucket));
      opened.set(bucket, store);
      // Lets the next caller try again.
      store.catch(() => opened.delete(bucket));
      return store;
    },
  };
}

/** A store in a local folder, with separate subfolders for finished and unfinished files. */
export async function openLocalDisk(folder: string): Promise<FileStore> {
  const kept = join(folder, "kept");
  const unfinished = join(folder, "unfinished");
  await mkdir(kept, { recursive: true, mode: 0o700 });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await removeLeftovers(unfinished);
  const pathOf = (key: string) => join(kept, key);

  const write = async (key: FileKey, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<FileInfo> => {
    const temporary = join(unfinished, randomUUID());
    try {
      const handle = await open(temporary, "wx", 0o600);
      try {
        await writeAll(handle, key, content, maxBytes);
        // The content has to be on disk before the file name.
        await handle.sync();
      } finally {
        await handle.close();
      }
      await moveInto(temporary, pathOf(key));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    return toFileInfo(key, await stat(pathOf(key)));
  };

  return {
    write,
    async moveIn(key, path) {
      await syncFile(path);
      try {
        await moveInto(path, pathOf(key));
      } catch (error) {
        if (!isCode(error, "EXDEV")) throw error;
        // The file is on another file system.
        await write(key, createReadStream(path) as AsyncIterable<Uint8Array>, Infinity);
        await rm(path);
      }
      return toFileInfo(key, await stat(pathOf(key)));
    },
    async read(key, range) {
      const handle = await openFile(pathOf(key), key);
      const stats = await handle.stat();
      if (!stats.isFile()) {
        await handle.close();
        throw new FileMissing(key);
      }
      return { ...toFileInfo(key, stats), content: handle.createReadStream({ highWaterMark: 262_144, ...range }) };
    },
    async head(key) {
      const stats = await stat(pathOf(key)).catch(unlessMissing);
      return stats?.isFile() === true ? toFileInfo(key, stats) : undefined;
    },
    async remove(key) {
      try {
        await rm(pathOf(key));
      } catch (error) {
        if (isMissing(error)) return;
        throw error;
      }
      await removeEmptyFolders(dirname(pathOf(key)), kept);
    },
    list: async (prefix, continuationToken) => listFolder(pathOf(filePrefix(prefix)), prefix, continuationToken),
  };
}

/** Removes unfinished files of a crash. Another gateway may be writing here, but no write takes a day. */
async function removeLeftovers(unfinished: string): Promise<void> {
  for (const name of await readdir(unfinished)) {
    const path = join(unfinished, name);
    const stats = await stat(path).catch(unlessMissing);
    if (stats && Date.now() - stats.mtimeMs > 86_400_000) await rm(path, { force: true });
  }
}

async function writeAll(handle: FileHandle, key: FileKey, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<void> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new FileTooLarge(key, maxBytes);
    for (let written = 0; written < chunk.byteLength;) {
      written += (await handle.write(chunk, written, chunk.byteLength - written)).bytesWritten;
    }
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Retries, because a concurrent `remove` may delete the empty folder just before the move. */
async function moveInto(from: string, to: string, attempts = 5): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if (attempts <= 1 || !isMissing(error)) throw error;
    await moveInto(from, to, attempts - 1);
  }
}

async function openFile(path: string, key: FileKey): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isMissing(error)) throw new FileMissing(key, { cause: error });
    throw error;
  }
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current !== root; current = dirname(current)) {
    try {
      await rmdir(current);
    } catch (error) {
      if (isMissing(error) || isCode(error, "ENOTEMPTY", "EEXIST")) return;
      throw error;
    }
  }
}

async function listFolder(folder: string, prefix: string, continuationToken: string | undefined): Promise<FilePage> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? [];
  const after = continuationToken === undefined ? undefined : Buffer.from(continuationToken, "base64url").toString();
  const sorted = entries
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && (after === undefined || listName(entry) > after))
    .toSorted((a, b) => (listName(a) < listName(b) ? -1 : 1));
  const page = sorted.slice(0, pageEntries);
  const last = page.at(-1);
  const files = await Promise.all(
    page
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => {
        const stats = await stat(join(folder, name)).catch(unlessMissing);
        return stats && toFileInfo(`${prefix}${name}`, stats);
      }),
  );
  return {
    files: files.filter((file) => file !== undefined),
    commonPrefixes: page.filter((entry) => entry.isDirectory()).map(({ name }) => `${prefix}${name}/`),
    nextContinuationToken: last && sorted.length > page.length ? Buffer.from(listName(last)).toString("base64url") : null,
  };
}

/** Sort key in a listing: prefixes end in a slash. */
const listName = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);

const toFileInfo = (key: string, { size, mtime }: { size: number; mtime: Date }): FileInfo => ({ key, size, lastModified: mtime });

const isCode = (error: unknown, ...codes: readonly string[]): boolean => codes.includes(systemCode(error) ?? "");

/** Also true if a part of the path is a file instead of a folder. */
const isMissing = (error: unknown): boolean => isCode(error, "ENOENT", "ENOTDIR", "EISDIR");

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
