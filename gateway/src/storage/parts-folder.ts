import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Crc32c, withCrc32c } from "./crc32c.ts";
import { isMissing, unlessMissing } from "./file-errors.ts";
import type { FileKey } from "./key.ts";
import {
  type FileInfo,
  type FileStore,
  type PartContent,
  type PartStore,
  type PartUploadId,
  type StoredPart,
  UploadMissing,
} from "./storage.ts";
import { writeContent } from "./write-content.ts";

/** Rejects if the file at this path may not be stored. */
export type FileCheck = (path: string) => Promise<void>;

/** An interrupted write never gets the name of its part, so that there is nothing to distinguish. */
const noTag = "";

/** Keeps parts in a local folder, for stores that keep none themselves and for files that are checked before they are stored. */
export class PartsFolder {
  readonly #folder: string;
  readonly #check: FileCheck;

  constructor(folder: string, check: FileCheck = async () => {}) {
    this.#folder = folder;
    this.#check = check;
  }

  /** Finished files move into this store. */
  of(store: FileStore): PartStore {
    return {
      minBytes: 1,
      begin: async () => {
        const uploadId = randomUUID();
        await mkdir(this.#pathOf(uploadId), { recursive: true, mode: 0o700 });
        return uploadId;
      },
      write: (upload, part, content) => this.#write(upload, part, content),
      list: (upload) => this.#list(upload),
      join: async (upload, parts) => {
        const whole = join(this.#folder, `${upload.uploadId}.${randomUUID()}.whole`);
        try {
          await this.#joinInto(whole, upload, parts);
          await this.#check(whole);
          const info = await store.moveIn(upload.key, whole);
          await this.#abort(upload);
          return info;
        } finally {
          await rm(whole, { force: true });
        }
      },
      beginning: (upload, part, bytes) => this.#beginning(upload, part, bytes),
      abort: (upload) => this.#abort(upload),
    };
  }

  /** The parts of a store that get each part only once all of it is in this folder: what breaks off never reaches the store. */
  wholeFirst(parts: PartStore): PartStore {
    return {
      ...parts,
      write: async (upload, part, { content, size, crc32c }) => {
        const path = join(this.#folder, `${randomUUID()}.part`);
        const checksum = new Crc32c();
        try {
          await mkdir(this.#folder, { recursive: true, mode: 0o700 });
          const handle = await open(path, "wx", 0o600);
          try {
            await writeContent(handle, upload.key, withCrc32c(content, crc32c, checksum), size, { sync: false });
          } finally {
            await handle.close();
          }
          return await parts.write(upload, part, { content: contentOf([path]), size, crc32c: checksum.toString() });
        } finally {
          await rm(path, { force: true });
        }
      },
    };
  }

  /** Like the store's own `write`, for a file that is checked before it is stored. */
  async write(store: FileStore, key: FileKey, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<FileInfo> {
    const parts = this.of(store);
    const upload = { key, uploadId: await parts.begin(key), isChecked: false };
    try {
      await parts.write(upload, 1, { content, size: maxBytes, crc32c: undefined });
      return await parts.join(upload, await parts.list(upload));
    } finally {
      await parts.abort(upload);
    }
  }

  /** Removes what a crash left behind. */
  async removeOlderThan(maxAgeMs: number): Promise<void> {
    for (const name of (await readdir(this.#folder).catch(unlessMissing)) ?? []) {
      const path = join(this.#folder, name);
      const stats = await stat(path).catch(unlessMissing);
      if (stats && Date.now() - stats.mtimeMs > maxAgeMs) await rm(path, { recursive: true, force: true });
    }
  }

  #pathOf(uploadId: string): string {
    return join(this.#folder, uploadId);
  }

  async #write({ key, uploadId }: PartUploadId, part: number, { content, size, crc32c }: PartContent): Promise<string> {
    const unfinished = join(this.#pathOf(uploadId), `${part}.${randomUUID()}`);
    try {
      const handle = await open(unfinished, "wx", 0o600);
      try {
        await writeContent(handle, key, withCrc32c(content, crc32c), size);
      } finally {
        await handle.close();
      }
      // Nothing writes to a part once it has its name, so that what was checked is what is stored.
      await rename(unfinished, join(this.#pathOf(uploadId), String(part)));
      return noTag;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw missingOr(error);
    }
  }

  async #list({ uploadId }: PartUploadId): Promise<StoredPart[]> {
    const names = await readdir(this.#pathOf(uploadId)).catch(throwMissing);
    const parts = names.filter((name) => /^\d+$/.test(name)).map(Number);
    return Promise.all(
      parts
        .toSorted((a, b) => a - b)
        .map(async (part) => ({ part, size: (await stat(join(this.#pathOf(uploadId), String(part)))).size, tag: noTag })),
    );
  }

  async #beginning({ uploadId }: PartUploadId, part: number, bytes: number): Promise<Buffer | undefined> {
    const handle = await open(join(this.#pathOf(uploadId), String(part)), "r").catch(unlessMissing);
    if (handle === undefined) return undefined;
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  async #joinInto(whole: string, { key, uploadId }: PartUploadId, parts: readonly StoredPart[]): Promise<void> {
    const pathOf = (part: number) => join(this.#pathOf(uploadId), String(part));
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0) return addName(pathOf(only.part), whole).catch(throwMissing);
    const handle = await open(whole, "wx", 0o600);
    try {
      await writeContent(handle, key, contentOf(parts.map(({ part }) => pathOf(part))), Infinity);
    } catch (error) {
      throw missingOr(error);
    } finally {
      await handle.close();
    }
  }

  async #abort({ uploadId }: PartUploadId): Promise<void> {
    // Under another name: a part that still arrives finds no folder, and nothing is added to what is being removed.
    const discarded = join(this.#folder, `${uploadId}.${randomUUID()}.discarded`);
    const isThere = await rename(this.#pathOf(uploadId), discarded).then(
      () => true,
      (error: unknown) => unlessMissing(error) ?? false,
    );
    if (isThere) await rm(discarded, { recursive: true, force: true });
  }
}

async function* contentOf(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: 1_048_576 }) as AsyncIterable<Uint8Array>;
}

/** The file keeps its name, so that nothing is lost if it cannot be stored. */
async function addName(path: string, other: string): Promise<void> {
  try {
    await link(path, other);
  } catch (error) {
    if (isMissing(error)) throw error;
    // Not every file system has links.
    await copyFile(path, other, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
}

const missingOr = (error: unknown): unknown => (isMissing(error) ? new UploadMissing("there is no such upload", { cause: error }) : error);

function throwMissing(error: unknown): never {
  throw missingOr(error);
}
