import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, unlessMissing } from "./file-errors.ts";
import type { FileKey } from "./key.ts";
import { type FileInfo, type FileStore, type PartStore, type PartUploadId, type StoredPart, UploadMissing } from "./storage.ts";
import { writeContent } from "./write-content.ts";

/** Rejects if the file at this path may not be stored. */
export type FileCheck = (path: string) => Promise<void>;

/** What breaks off never gets the name of its part, so that there is nothing to tell apart. */
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
      write: (upload, part, content, size) => this.#write(upload, part, content, size),
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
      abort: (upload) => this.#abort(upload),
    };
  }

  /** Like the store's own `write`, for a file that is checked before it is stored. */
  async write(store: FileStore, key: FileKey, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<FileInfo> {
    const parts = this.of(store);
    const upload = { key, uploadId: await parts.begin(key) };
    try {
      await parts.write(upload, 1, content, maxBytes);
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

  async #write({ key, uploadId }: PartUploadId, part: number, content: AsyncIterable<Uint8Array>, size: number): Promise<string> {
    const unfinished = join(this.#pathOf(uploadId), `${part}.${randomUUID()}`);
    try {
      const handle = await open(unfinished, "wx", 0o600);
      try {
        await writeContent(handle, key, content, size);
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

  async #joinInto(whole: string, { key, uploadId }: PartUploadId, parts: readonly StoredPart[]): Promise<void> {
    const pathOf = (part: number) => join(this.#pathOf(uploadId), String(part));
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0) return rename(pathOf(only.part), whole).catch(throwMissing);
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

const missingOr = (error: unknown): unknown => (isMissing(error) ? new UploadMissing("there is no such upload", { cause: error }) : error);

function throwMissing(error: unknown): never {
  throw missingOr(error);
}
