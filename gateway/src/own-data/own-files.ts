import { join } from "node:path";
import type { Readable } from "node:stream";
import type { FileCache } from "#query/bucket/file-cache.ts";
import { copyIdOf, isOwnCopy, remoteFile } from "#query/imported/remote-imports.ts";
import { type FileKey, fileKey } from "#storage/key.ts";
import type { ByteRange, FileInfo, FileStore } from "#storage/storage.ts";
import { type OwnStores, onDisk } from "./own-stores.ts";

interface Parts {
  readonly stores: OwnStores;
  /** The files of the store on the disk. */
  readonly folder: string;
  /** For copies of files that are in buckets. */
  readonly cache: FileCache;
}

/** The files of own data, wherever each of them is. */
export class OwnFiles {
  readonly stores: OwnStores;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.stores = parts.stores;
  }

  /** The bucket for new files; empty: the disk. */
  get bucket(): string {
    return this.stores.bucket;
  }

  /** Rejects with StoreFailed. */
  of(bucket: string): Promise<FileStore> {
    return this.stores.of(bucket);
  }

  /** Like `FileStore.read`. */
  async read(key: FileKey, range?: ByteRange): Promise<FileInfo & { readonly content: Readable }> {
    return (await this.#storeOf(key)).read(key, range);
  }

  /** Runs work on a local path of a file of this size in bytes, which stays until the work has settled. Rejects with EngineFailed, too. */
  async use<T>(key: string, size: number, signal: AbortSignal, work: (path: string) => Promise<T>): Promise<T> {
    const { folder, cache } = this.#parts;
    const store = (await this.stores.elsewhere([key]))?.get(key);
    if (store === undefined) return work(join(folder, key));
    const { paths, release } = await cache.hold([remoteFile(store, fileKey(key), size)], signal);
    try {
      return await work(paths[0] ?? "");
    } finally {
      release();
    }
  }

  /** Removes this gateway's copies of files that are removed. */
  async removeCopies(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const ids = new Set(keys.map(copyIdOf));
    await this.#parts.cache.removeCopies((id) => ids.has(id));
  }

  /** Removes this gateway's copies of all other files, such as of those that were removed while it was stopped. */
  async keepCopiesOf(keys: readonly string[]): Promise<void> {
    const ids = new Set(keys.map(copyIdOf));
    await this.#parts.cache.removeCopies((id) => isOwnCopy(id) && !ids.has(id));
  }

  async #storeOf(key: FileKey): Promise<FileStore> {
    const bucket = (await this.stores.locate([key])).get(key) ?? onDisk;
    return this.of(bucket);
  }
}
