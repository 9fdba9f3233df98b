import { createHash } from "node:crypto";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type CopiedSource, EngineFailed, type RowStream, SourceNotReady } from "#query/engine.ts";
import { ObjectChanged } from "#storage/bucket-reader.ts";
import { FileMissing, StoreFailed } from "#storage/storage.ts";
import type { FileCache, RemoteFile } from "./file-cache.ts";
import { Footers } from "./footers.ts";
import type { Partition } from "./partitions.ts";

/** The files of a dataset as they are now. */
export interface Listing {
  readonly files: readonly ListedFile[];
  /** Of Parquet only: the engine takes no columns of text files from their paths. */
  readonly partitions: readonly Partition[];
  /** Changes when the files do. */
  readonly state: string;
}

export interface ListedFile extends RemoteFile {
  readonly key: string;
}

/** Selects the files that a query needs. */
export type Pick = (listing: Listing) => readonly ListedFile[];

interface CopiedFilesOptions {
  readonly cache: FileCache;
  /** How long a query waits for its files, in milliseconds. */
  readonly fetchMs: number;
  /** Name of a folder for footers, next to those of other sources. */
  readonly footersFolder: string;
}

const attempts = 3;

/** Files of datasets that are elsewhere, copied to this machine when a query needs them. Decision 0515. */
export abstract class CopiedFiles<Source> {
  readonly cache: FileCache;
  readonly #fetchMs: number;
  readonly #footers: Footers;
  readonly #closing = new AbortController();

  protected constructor({ cache, fetchMs, footersFolder }: CopiedFilesOptions) {
    this.cache = cache;
    this.#fetchMs = fetchMs;
    this.#footers = new Footers(path.join(cache.scratchFolder, footersFolder));
  }

  /** The files of a source as they are now. */
  protected abstract find(source: Source, signal: AbortSignal): Promise<Listing>;

  /** Copies of these files of the listing, at these paths, as a source of the engine. */
  protected abstract copied(source: Source, listing: Listing, files: readonly ListedFile[], paths: readonly string[]): CopiedSource;

  /** Files have changed since they were listed. */
  protected abstract forget(): void;

  /** Aborted when the gateway stops. */
  protected get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Runs `work` on local copies of the files that `pick` chooses, which stay until it has settled. Rejects with EngineFailed. Without
   * `waits`, the files have to be there within the limit.
   */
  async use<T>(
    source: Source,
    pick: Pick,
    { signal, waits = false }: { readonly signal: AbortSignal; readonly waits?: boolean | undefined },
    work: (source: CopiedSource, listing: Listing) => Promise<T>,
  ): Promise<T> {
    const timeout = waits ? undefined : AbortSignal.timeout(this.#fetchMs);
    const either = AbortSignal.any([signal, this.closing, ...(timeout ? [timeout] : [])]);
    const { copied, listing, release } = await this.#hold(source, pick, either).catch((error: unknown) => {
      throwIfCanceled(signal);
      if (timeout?.aborted) throw tooSlow(this.#fetchMs);
      throw engineFailed(error);
    });
    try {
      return await work(copied, listing);
    } finally {
      release();
    }
  }

  /** Like `use`, with files that hold only what Parquet files say of themselves: names and types of columns, but no rows. */
  async useFooters<T>(
    source: Source,
    pick: Pick,
    signal: AbortSignal,
    work: (source: CopiedSource, listing: Listing) => Promise<T>,
  ): Promise<T> {
    const listing = await this.list(source, signal);
    const files = pick(listing);
    if (this.cache.has(files)) return this.use(source, pick, { signal }, work);
    const paths = await this.#footers.get(files, AbortSignal.any([signal, this.closing])).catch((error: unknown) => {
      throwIfCanceled(signal);
      if (isChange(error)) this.forget();
      throw engineFailed(error);
    });
    const copied = this.copied(source, listing, files, paths);
    return work({ ...copied, key: `${copied.key} footers` }, listing);
  }

  /** The files of a source as they are now. Rejects with EngineFailed. */
  async list(source: Source, signal: AbortSignal): Promise<Listing> {
    try {
      return await this.find(source, signal);
    } catch (error) {
      throwIfCanceled(signal);
      throw engineFailed(error);
    }
  }

  /** Ends what is being copied. The cache is closed by whoever has opened it. */
  close(): Promise<void> {
    this.#closing.abort(new Error("the gateway is stopping"));
    return Promise.resolve();
  }

  async #hold(source: Source, pick: Pick, signal: AbortSignal) {
    for (let attempt = 1; ; attempt += 1) {
      const listing = await this.find(source, signal);
      const files = pick(listing);
      try {
        const { paths, release } = await this.cache.hold(files, signal);
        return { copied: this.copied(source, listing, files, paths), listing, release };
      } catch (error) {
        // A file that has changed since it was listed is listed anew.
        if (!isChange(error) || attempt === attempts) throw error;
        this.forget();
        await delay(attempt * 100, undefined, { signal });
      }
    }
  }
}

const isChange = (error: unknown): boolean => error instanceof ObjectChanged || error instanceof FileMissing;

const tooSlow = (ms: number): EngineFailed =>
  new EngineFailed(
    "timed-out",
    `The files of the dataset could not be copied from S3 within ${ms / 1_000} s (limits.s3FetchMs). What has been copied is kept, so try again. A narrower search may need fewer files.`,
  );

export function engineFailed(error: unknown): EngineFailed {
  if (error instanceof EngineFailed) return error;
  if (error instanceof StoreFailed) return new EngineFailed("upstream", error.message, { cause: error });
  if (error instanceof FileMissing) return new SourceNotReady([{ code: "data-missing", reason: "its data files are missing" }]);
  if (error instanceof ObjectChanged) {
    return new EngineFailed("busy", "The files of the dataset keep changing on S3. Try again in a few seconds.", { cause: error });
  }
  return new EngineFailed("failed", "The files of the dataset could not be copied from S3.", { cause: error });
}

/** The failure of a caller who left, whatever else has failed because of it. */
export function throwIfCanceled(signal: AbortSignal): void {
  if (signal.aborted) throw new EngineFailed("abandoned", "The query was canceled.", { cause: signal.reason });
}

/** A name of these files in these states. */
export function hashOf(files: readonly RemoteFile[]): string {
  const hash = createHash("sha256");
  for (const { id } of files) hash.update(id);
  return hash.digest("hex").slice(0, 32);
}

/** Rows that have been read already. */
export function streamOf(texts: readonly string[], isCut: boolean): RowStream {
  async function* chunks() {
    yield* texts;
  }
  return { chunks: chunks(), hasMore: Promise.resolve(isCut) };
}
