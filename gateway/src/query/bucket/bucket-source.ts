import { isBucketGlob } from "@fairway/contract/bucket-globs";
import { type DatasetSource, EngineFailed, SourceNotReady, type SourceProblem } from "#query/engine.ts";
import { checkedBytes, checkedFiles } from "#query/duckdb/text/source-file.ts";
import type { TableSource } from "#query/sql/table-source.ts";
import { type BucketFiles, type FileSource, filesFor } from "./bucket-files.ts";
import { type ListedFile, type Listing, type Pick as PickFiles, streamOf } from "./copied-files.ts";
import { tooLarge } from "./file-cache.ts";

interface Caller {
  readonly signal: AbortSignal;
  readonly waits?: boolean | undefined;
}

/** Gives the engine of files local copies of those files of a bucket that a query needs. Other sources are read in place. Decision 0515. */
export class BucketSource implements TableSource {
  readonly #files: BucketFiles;

  constructor(files: BucketFiles) {
    this.#files = files;
  }

  readonly use: TableSource["use"] = async (source, { query, onlyColumns, isQuick, waits }, { signal }, work) => {
    if (!isInBucket(source)) return work(source, false);
    if (onlyColumns === true && source.format === "parquet") {
      return this.#files.useFooters(source, everything, signal, (copied) => work(copied, false));
    }
    const needed = query === undefined ? everything : filesFor(query);
    let isPart = false;
    const pick: PickFiles = (listing) => {
      const all = needed(listing);
      const chosen = isQuick !== true || this.#files.cache.has(all) ? all : upTo(all, quickBytes, all.length);
      isPart = chosen.length < all.length;
      return chosen;
    };
    return this.#orWhole(source, pick, { signal, waits }, (copied) => work(copied, isPart));
  };

  /** Not if that would take copying much. */
  readonly isNear: TableSource["isNear"] = async (source, { signal }) => {
    if (!isInBucket(source)) return true;
    const { files } = await this.#files.list(source, signal);
    return bytesOf(files) <= quickBytes || this.#files.cache.has(files);
  };

  /** Of the list of files, without copying them. */
  readonly state: TableSource["state"] = async (source, { signal }) =>
    isInBucket(source) ? (await this.#files.list(source, signal)).state : null;

  /** Copies files one after another, twice as many each time, until they hold enough rows. */
  readonly sample: TableSource["sample"] = async (source, query, { signal }, read) => {
    if (!isInBucket(source)) return read(source);
    for (let count = 1; ; count *= 2) {
      const first: PickFiles = (listing) => filesFor(query)(listing).slice(0, count);
      const sampled = await this.#orWhole(source, first, { signal }, async (copied, listing) => {
        const { chunks, hasMore } = await read(copied);
        const texts: string[] = [];
        for await (const chunk of chunks) texts.push(chunk);
        const isCut = await hasMore;
        const isAll = copied.files.length >= filesFor(query)(listing).length;
        return { texts, isCut, isEnough: isCut || isAll };
      });
      if (sampled.isEnough) return streamOf(sampled.texts, sampled.isCut);
    }
  };

  /** Looks at the first and the last file, and at all only if these lack something. */
  readonly check: TableSource["check"] = async (source, caller, look) => {
    if (!isInBucket(source)) return look(source);
    try {
      const { files, partitions } = await this.#files.list(source, caller.signal);
      const problem = this.#tooLarge(files);
      // Otherwise some searches are possible, see `inspect`.
      if (problem !== undefined && partitions.length === 0) return [unreadable(problem)];
      const checkOf = (pick: PickFiles) =>
        source.format === "parquet"
          ? this.#files.useFooters(source, pick, caller.signal, look)
          : this.#files.use(source, pick, caller, look);
      const found = await checkOf(ends);
      return found.some(isOfColumn) && files.length > 2 ? await checkOf(everything) : found;
    } catch (error) {
      if (error instanceof SourceNotReady) return error.problems;
      // Of the store, or of the disk.
      if (error instanceof EngineFailed && (error.reason === "upstream" || error.reason === "not-ready"))
        return [unreadable(error.message)];
      throw error;
    }
  };

  /** Of many or large text files only the beginning is read, as of those of the data folder. */
  readonly inspect: TableSource["inspect"] = async (source, caller, look) => {
    if (!isInBucket(source)) return look(source);
    const { files: all, partitions } = await this.#files.list(source, caller.signal);
    const problem = this.#tooLarge(all);
    if (problem !== undefined && partitions.length > 0) {
      const names = partitions.map(({ name }) => `'${name}'`).join(", ");
      return [`${problem} Only searches that filter by ${names} and so need fewer files are possible.`];
    }
    if (source.format === "parquet") return this.#files.useFooters(source, ends, caller.signal, look);
    return this.#files.use(source, beginning, caller, async (copied, { files }) => {
      const sentences = await look(copied);
      if (copied.files.length === files.length) return sentences;
      const looked = `Only the first ${copied.files.length} of ${files.length} files were read, because the data is too large to copy for this.`;
      return [...sentences, looked];
    });
  };

  readonly notes: TableSource["notes"] = async (source, { signal }, look) => {
    if (!isInBucket(source)) return look(source);
    return source.format === "parquet" ? this.#files.useFooters(source, everything, signal, look) : { leftOut: [], notes: [] };
  };

  readonly reading: TableSource["reading"] = async (source, caller, look) => {
    if (!isInBucket(source)) return look(source);
    if (source.format === "parquet") return null;
    return this.#files.use(source, source.checksAll === true ? everything : beginning, caller, look);
  };

  #tooLarge(files: readonly ListedFile[]): string | undefined {
    const { maxBytes } = this.#files.cache;
    const bytes = bytesOf(files);
    return bytes > maxBytes ? tooLarge(bytes, maxBytes).message : undefined;
  }

  /** A part of the files may lack columns, or hold them with another type than all together. */
  async #orWhole<T>(
    source: FileSource,
    pick: PickFiles,
    caller: Caller,
    work: (copied: CopiedFiles, listing: Listing) => Promise<T>,
  ): Promise<T> {
    let isPart = false;
    try {
      return await this.#files.use(source, pick, caller, (copied, listing) => {
        isPart = copied.files.length < listing.files.length;
        return work(copied, listing);
      });
    } catch (error) {
      if (!isPart || !(error instanceof SourceNotReady) || !error.problems.some(isOfColumn)) throw error;
      return this.#files.use(source, everything, caller, work);
    }
  }
}

type CopiedFiles = Extract<DatasetSource, { kind: "copies" }>;

const isInBucket = (source: DatasetSource): source is FileSource => source.kind === "files" && isBucketGlob(source.glob);

const bytesOf = (files: readonly ListedFile[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Upper bound on the bytes copied for the time extent and for suggestions, which are shown only if they are found within a moment. */
const quickBytes = 32_000_000;

const isOfColumn = ({ code }: SourceProblem): boolean => code === "column-missing" || code === "column-type";

const everything: PickFiles = ({ files }) => files;

const ends: PickFiles = ({ files }) => (files.length <= 2 ? files : [...files.slice(0, 1), ...files.slice(-1)]);

/** As much as the engine checks line by line. */
const beginning: PickFiles = ({ files }) => upTo(files, checkedBytes, checkedFiles);

/** The first file, and those after it that fit. */
function upTo(files: readonly ListedFile[], maxBytes: number, maxFiles: number): readonly ListedFile[] {
  let bytes = 0;
  const end = files.findIndex(({ size }, index) => (bytes += size) > maxBytes && index > 0);
  return files.slice(0, Math.min(end === -1 ? files.length : end, maxFiles));
}

const unreadable = (sentence: string): SourceProblem => ({
  code: "data-unreadable",
  reason: "its files on S3 cannot be read",
  detail: sentence,
});
