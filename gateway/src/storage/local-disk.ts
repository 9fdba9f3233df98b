import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { reservedFolder } from "@fairway/contract/filesets";
import { FolderListings, emptyPage } from "./folder-listings.ts";
import { isCode, isMissing, unlessMissing } from "./file-errors.ts";
import type { FileKey } from "./key.ts";
import { TagFiles } from "./tag-files.ts";
import { UnsafeKey, fileKey, filePrefix } from "./key.ts";
import { type FileInfo, FileMissing, type FileStore, type FileStores, NameTaken, StoreFailed } from "./storage.ts";
import { writeContent } from "./write-content.ts";

/** Folders of a store's files and its own data, relative to its folder. */
export interface DiskLayout {
  readonly files: string;
  readonly unfinished: string;
  readonly tags: string;
  /** Names of folders next to the buckets that are not buckets. */
  readonly reserved?: ReadonlySet<string>;
}

/** For files of the portal itself. */
const separateFolders = { files: "kept", unfinished: "unfinished", tags: "tags" } satisfies DiskLayout;

/** Files lie directly in the folder, where an operator may put more. */
export const plainFolder: DiskLayout = {
  files: ".",
  unfinished: join(reservedFolder, "unfinished"),
  tags: join(reservedFolder, "tags"),
  // The portal's own files may be in the folder of the buckets.
  reserved: new Set([...Object.values(separateFolders), reservedFolder]),
};

/** Stores with one subfolder per bucket. */
export function localDiskStores(folder: string, layout: DiskLayout = separateFolders): FileStores {
  const opened = new Map<string, Promise<FileStore>>();
  return {
    of(bucket) {
      if (fileKey(bucket).includes("/")) throw new UnsafeKey(bucket);
      if (layout.reserved?.has(bucket) === true) {
        return Promise.reject(new StoreFailed(`The bucket name '${bucket}' is reserved: an administrator has to choose another.`));
      }
      const existing = opened.get(bucket);
      if (existing !== undefined) return existing;
      const store = openLocalDisk(join(folder, bucket), layout);
      opened.set(bucket, store);
      // Lets the next caller try again.
      store.catch(() => opened.delete(bucket));
      return store;
    },
  };
}

/** A store in a local folder. Unfinished files are on the same file system, so that a finished one can be renamed. */
export async function openLocalDisk(folder: string, layout: DiskLayout = separateFolders): Promise<FileStore> {
  const kept = join(folder, layout.files);
  const unfinished = join(folder, layout.unfinished);
  await mkdir(kept, { recursive: true, mode: 0o700 });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await removeLeftovers(unfinished);
  const root = await realpath(kept);
  const pathOf = (key: string) => join(root, key);
  const tags = new TagFiles(join(folder, layout.tags));
  const listings = new FolderListings();

  /** Throws FileMissing for a file below a symlinked folder, which could lead out of the store. */
  const requireInside = async (key: FileKey): Promise<void> => {
    const parent = dirname(pathOf(key));
    const real = await realpath(parent).catch(unlessMissing);
    if (real !== parent) throw new FileMissing(key);
  };

  const write = async (key: FileKey, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<FileInfo> => {
    const temporary = join(unfinished, randomUUID());
    let info: FileInfo;
    try {
      const handle = await open(temporary, "wx", 0o600);
      try {
        // The content has to be on disk before the file name.
        await writeContent(handle, key, content, maxBytes);
        // Someone else may replace or remove the file as soon as it has its name.
        info = toFileInfo(key, await handle.stat());
      } finally {
        await handle.close();
      }
      await requireRealFolders(key, root);
      await moveInto(temporary, pathOf(key));
      await tags.remove(key);
    } catch (error) {
      await rm(temporary, { force: true });
      throw nameTakenOr(error, key);
    }
    return info;
  };

  const store: FileStore = {
    write,
    async moveIn(key, path) {
      await syncFile(path);
      const info = toFileInfo(key, await stat(path));
      try {
        await requireRealFolders(key, root);
        await moveInto(path, pathOf(key));
        await tags.remove(key);
      } catch (error) {
        if (!isCode(error, "EXDEV")) throw nameTakenOr(error, key);
        // The file is on another file system.
        const copied = await write(key, createReadStream(path) as AsyncIterable<Uint8Array>, Infinity);
        await rm(path);
        return copied;
      }
      return info;
    },
    async read(key, range) {
      await requireInside(key);
      const handle = await openFile(pathOf(key), key);
      const stats = await handle.stat();
      if (!stats.isFile()) {
        await handle.close();
        throw new FileMissing(key);
      }
      return { ...toFileInfo(key, stats), content: handle.createReadStream({ highWaterMark: 262_144, ...range }) };
    },
    async head(key) {
      const real = await realpath(pathOf(key)).catch(unlessMissing);
      if (real !== pathOf(key)) return undefined;
      const stats = await stat(real).catch(unlessMissing);
      return stats?.isFile() === true ? toFileInfo(key, stats) : undefined;
    },
    async remove(key) {
      try {
        await requireInside(key);
        await rm(pathOf(key));
      } catch (error) {
        if (error instanceof FileMissing || isMissing(error)) return;
        throw error;
      }
      await tags.remove(key);
      await removeEmptyFolders(dirname(pathOf(key)), root);
    },
    list: async (prefix, continuationToken) => {
      const folderPath = join(root, filePrefix(prefix));
      const real = await realpath(folderPath).catch(unlessMissing);
      // A symlinked folder could lead out of the store.
      if (real === undefined || join(real, "/") !== join(folderPath, "/")) return emptyPage;
      return listings.page(real, prefix, continuationToken);
    },
    async hasFolder(prefix) {
      const path = join(root, filePrefix(prefix));
      const real = await realpath(path).catch(unlessMissing);
      return real !== undefined && join(real, "/") === join(path, "/") && (await stat(real).catch(unlessMissing))?.isDirectory() === true;
    },
    async tags(key) {
      if ((await store.head(key)) === undefined) throw new FileMissing(key);
      return tags.read(key);
    },
    async setTags(key, values) {
      if ((await store.head(key)) === undefined) throw new FileMissing(key);
      await tags.write(key, values);
    },
  };
  return store;
}

/** Removes unfinished files of a crash. Another gateway may be writing here, but no write takes a day. */
async function removeLeftovers(unfinished: string): Promise<void> {
  for (const name of await readdir(unfinished)) {
    const path = join(unfinished, name);
    const stats = await stat(path).catch(unlessMissing);
    if (stats && Date.now() - stats.mtimeMs > 86_400_000) await rm(path, { force: true });
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

/** Rejects with NameTaken if a folder of the key is a file or a symbolic link, which could lead out of the store. */
async function requireRealFolders(key: FileKey, root: string): Promise<void> {
  const folders = key.split("/").slice(0, -1);
  for (let path = root; folders.length > 0;) {
    path = join(path, folders.shift() ?? "");
    const stats = await lstat(path).catch(unlessMissing);
    if (stats === undefined) return;
    if (!stats.isDirectory()) throw new NameTaken(key);
  }
}

const nameTakenOr = (error: unknown, key: FileKey): unknown =>
  isCode(error, "EISDIR", "ENOTDIR", "EEXIST") ? new NameTaken(key, { cause: error }) : error;

/** Each attempt fails only if another removal ends in its few microseconds. */
const moveAttempts = 1_000;

/** Retries, because a concurrent `remove` may delete the empty folders while they are made and just before the move. */
async function moveInto(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      return await rename(from, to);
    } catch (error) {
      if (attempt === moveAttempts || !isCode(error, "ENOENT") || !(await exists(from))) throw error;
    }
  }
}

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(unlessMissing)) !== undefined;

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

const toFileInfo = (key: string, { size, mtime }: { size: number; mtime: Date }): FileInfo => ({ key, size, lastModified: mtime });
