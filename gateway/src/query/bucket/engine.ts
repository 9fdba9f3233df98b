import type { ColumnProfile, Suggestions } from "@fairway/contract/column-values";
import { isBucketGlob } from "@fairway/contract/bucket-globs";
import type { Column } from "@fairway/contract/columns";
import type { Feature, TimeExtent } from "@fairway/contract/datasets";
import type { ColumnDistributions, TimeDistribution } from "@fairway/contract/distributions";
import type { CellValue } from "@fairway/contract/search";
import type { DuckDbEngine } from "#query/duckdb/engine.ts";
import { checkedBytes, checkedFiles } from "#query/duckdb/text/source-file.ts";
import {
  type Aggregation,
  type AggregationGroup,
  type CopiedSource,
  type DatasetSource,
  type DatasetStatistics,
  type EngineCall,
  EngineFailed,
  type ExportTarget,
  type MapQueries,
  type QueryEngine,
  type QueryableDataset,
  type RowStream,
  type SearchQuery,
  type TimeDistributionQuery,
  type SourceNotes,
  SourceNotReady,
  type SourceProblem,
  type SourceReading,
} from "#query/engine.ts";
import { type BucketFiles, type FileSource, type ListedFile, type Listing, type Pick as PickFiles, filesFor } from "./bucket-files.ts";
import { tooLarge } from "./file-cache.ts";

const everything: PickFiles = ({ files }) => files;

/** The engine of files, which also reads datasets in buckets: it gets local copies of their files. Decision 0515. */
export class BucketEngine implements QueryEngine {
  readonly features: ReadonlySet<Feature>;
  readonly supportsSort: boolean;
  readonly supportsGroups: boolean;
  readonly #engine: DuckDbEngine;
  readonly #files: BucketFiles;

  constructor(engine: DuckDbEngine, files: BucketFiles) {
    this.#engine = engine;
    this.#files = files;
    this.features = engine.features;
    this.supportsSort = engine.supportsSort;
    this.supportsGroups = engine.supportsGroups;
  }

  columns(source: DatasetSource, call: EngineCall): Promise<Column[]> {
    if (isInBucket(source) && source.format === "parquet") {
      return this.#files.useFooters(source, everything, call.signal, (copied) => this.#engine.columns(copied, call));
    }
    return this.#withSource(source, everything, call, (copied) => this.#engine.columns(copied, call));
  }

  notes(source: DatasetSource, call: EngineCall): Promise<SourceNotes> {
    if (isInBucket(source) && source.format === "parquet")
      return this.#files.useFooters(source, everything, call.signal, (copied) => this.#engine.notes(copied, call));
    return isInBucket(source) ? Promise.resolve({ leftOut: [], notes: [] }) : this.#engine.notes(source, call);
  }

  /** Of many or large text files only the beginning is read, as of those of the data folder. */
  async inspect(source: DatasetSource, columns: QueryableDataset["columns"], call: EngineCall): Promise<readonly string[]> {
    if (!isInBucket(source)) return this.#engine.inspect(source, columns, call);
    const { files: all, partitions } = await this.#files.list(source, call.signal);
    const problem = this.#tooLarge(all);
    if (problem !== undefined && partitions.length > 0) {
      const names = partitions.map(({ name }) => `'${name}'`).join(", ");
      return [`${problem} Only searches that filter by ${names} and so need fewer files are possible.`];
    }
    if (source.format === "parquet")
      return this.#files.useFooters(source, ends, call.signal, (copied) => this.#engine.inspect(copied, columns, call));
    return this.#files.use(source, beginning, call, async (copied, { files }) => {
      const sentences = await this.#engine.inspect(copied, columns, call);
      if (copied.files.length === files.length) return sentences;
      const looked = `Only the first ${copied.files.length} of ${files.length} files were read, because the data is too large to copy for this.`;
      return [...sentences, looked];
    });
  }

  reading(source: DatasetSource, call: EngineCall): Promise<SourceReading | null> {
    if (!isInBucket(source)) return this.#engine.reading(source, call);
    if (source.format === "parquet") return Promise.resolve(null);
    const pick = source.checksAll === true ? everything : beginning;
    return this.#files.use(source, pick, call, (copied) => this.#engine.reading(copied, call));
  }

  search(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream> {
    return this.#rows(dataset, filesFor(query), call, (copied) => this.#engine.search(copied, query, call));
  }

  searchArrow(dataset: QueryableDataset, query: SearchQuery, call: EngineCall): Promise<RowStream<Uint8Array>> {
    return this.#rows(dataset, filesFor(query), call, (copied) => this.#engine.searchArrow(copied, query, call));
  }

  /** Copies files one after another, twice as many each time, until they hold enough rows. */
  async sample(dataset: QueryableDataset, query: Pick<SearchQuery, "conditions" | "limit">, call: EngineCall): Promise<RowStream> {
    const { source } = dataset;
    if (!isInBucket(source)) return this.#engine.sample(dataset, query, call);
    for (let count = 1; ; count *= 2) {
      const first: PickFiles = (listing) => filesFor(query)(listing).slice(0, count);
      const sampled = await this.#orWhole(source, first, call, {}, async (copied, listing) => {
        const { chunks, hasMore } = await this.#engine.sample({ ...dataset, source: copied }, query, call);
        const texts: string[] = [];
        for await (const chunk of chunks) texts.push(chunk);
        const isCut = await hasMore;
        const isAll = copied.files.length >= filesFor(query)(listing).length;
        return { texts, isCut, isEnough: isCut || isAll };
      });
      if (sampled.isEnough) return streamOf(sampled.texts, sampled.isCut);
    }
  }

  aggregate(
    dataset: QueryableDataset,
    aggregations: readonly Aggregation[],
    groups: readonly AggregationGroup[],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<CellValue[][]> {
    return this.#withDataset(dataset, filesFor(query), call, (copied) => this.#engine.aggregate(copied, aggregations, groups, query, call));
  }

  /** Null also if finding out would take copying much. */
  async timeExtent(dataset: QueryableDataset, call: EngineCall): Promise<TimeExtent | null> {
    const { source, temporalField } = dataset;
    if (temporalField === null) return null;
    if (isInBucket(source)) {
      const { files } = await this.#files.list(source, call.signal);
      if (bytesOf(files) > quickBytes && !this.#files.cache.has(files)) return null;
    }
    return this.#withDataset(dataset, everything, call, (copied) => this.#engine.timeExtent(copied, call));
  }

  /** Values of all files only if these have been copied already, because whoever types does not wait long. */
  async suggest(
    dataset: QueryableDataset,
    request: { readonly column: string; readonly contains: string; readonly rows: number | null },
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<Suggestions> {
    let isPart = false;
    const quick: PickFiles = (listing) => {
      const all = filesFor(query)(listing);
      const chosen = this.#files.cache.has(all) ? all : upTo(all, quickBytes, all.length);
      isPart = chosen.length < all.length;
      return chosen;
    };
    const found = await this.#withDataset(dataset, quick, call, (copied) => this.#engine.suggest(copied, request, query, call));
    return isPart ? { ...found, complete: false } : found;
  }

  profile(
    dataset: QueryableDataset,
    column: string,
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<ColumnProfile> {
    return this.#withDataset(dataset, filesFor(query), call, (copied) => this.#engine.profile(copied, column, query, call));
  }

  timeDistribution(dataset: QueryableDataset, query: TimeDistributionQuery, call: EngineCall): Promise<TimeDistribution> {
    return this.#withDataset(dataset, filesFor(query), call, (copied) => this.#engine.timeDistribution(copied, query, call));
  }

  columnDistributions(
    dataset: QueryableDataset,
    columns: QueryableDataset["columns"],
    query: Pick<SearchQuery, "timeRange" | "area" | "conditions">,
    call: EngineCall,
  ): Promise<ColumnDistributions> {
    return this.#withDataset(dataset, filesFor(query), call, (copied) => this.#engine.columnDistributions(copied, columns, query, call));
  }

  profileDataset(
    dataset: QueryableDataset,
    query: Pick<SearchQuery, "conditions"> & { readonly timeoutMs: number },
    call: EngineCall,
  ): Promise<DatasetStatistics> {
    return this.#withDataset(dataset, filesFor(query), { ...call, waits: true }, (copied) =>
      this.#engine.profileDataset(copied, query, call),
    );
  }

  readonly maps: MapQueries = {
    latest: (dataset, by, query, call) =>
      this.#rows(dataset, filesFor(query), call, (copied) => this.#engine.maps.latest(copied, by, query, call)),
    path: (dataset, request, query, call) =>
      this.#rows(dataset, filesFor(query), call, (copied) => this.#engine.maps.path(copied, request, query, call)),
    tracks: (dataset, request, query, call) =>
      this.#rows(dataset, filesFor(query), call, (copied) => this.#engine.maps.tracks(copied, request, query, call)),
    countPath: (dataset, request, query, call) =>
      this.#withDataset(dataset, filesFor(query), call, (copied) => this.#engine.maps.countPath(copied, request, query, call)),
  };

  export(dataset: QueryableDataset, query: Omit<SearchQuery, "offset">, target: ExportTarget, call: EngineCall): Promise<number> {
    return this.#withDataset(dataset, filesFor(query), { ...call, waits: true }, (copied) =>
      this.#engine.export(copied, query, target, call),
    );
  }

  /** Looks at the first and the last file, and at all only if these lack something. */
  async check(dataset: Pick<QueryableDataset, "source" | "columns">, call: EngineCall): Promise<readonly SourceProblem[]> {
    const { source, columns } = dataset;
    if (!isInBucket(source)) return this.#engine.check(dataset, call);
    try {
      const { files, partitions } = await this.#files.list(source, call.signal);
      const problem = this.#tooLarge(files);
      // Otherwise some searches are possible, see `inspect`.
      if (problem !== undefined && partitions.length === 0) return [unreadable(problem)];
      const check = (copied: CopiedSource) => this.#engine.check({ source: copied, columns }, call);
      const checkOf = (pick: PickFiles) =>
        source.format === "parquet" ? this.#files.useFooters(source, pick, call.signal, check) : this.#files.use(source, pick, call, check);
      const found = await checkOf(ends);
      return found.some(isOfColumn) && files.length > 2 ? await checkOf(everything) : found;
    } catch (error) {
      if (error instanceof SourceNotReady) return error.problems;
      // Of the store, or of the disk.
      if (error instanceof EngineFailed && (error.reason === "upstream" || error.reason === "not-ready"))
        return [unreadable(error.message)];
      throw error;
    }
  }

  ping(): Promise<void> {
    return this.#engine.ping();
  }

  get metrics(): DuckDbEngine["metrics"] {
    return this.#engine.metrics;
  }

  version(): Promise<string> {
    return this.#engine.version();
  }

  /** Whoever has opened the engine and the files closes them. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  #tooLarge(files: readonly ListedFile[]): string | undefined {
    const { maxBytes } = this.#files.cache;
    const bytes = bytesOf(files);
    return bytes > maxBytes ? tooLarge(bytes, maxBytes).message : undefined;
  }

  #withSource<T>(
    source: DatasetSource,
    pick: PickFiles,
    call: EngineCall & { readonly waits?: boolean },
    work: (source: DatasetSource) => Promise<T>,
  ): Promise<T> {
    return isInBucket(source) ? this.#orWhole(source, pick, call, call, work) : work(source);
  }

  #withDataset<T>(
    dataset: QueryableDataset,
    pick: PickFiles,
    call: EngineCall & { readonly waits?: boolean },
    work: (dataset: QueryableDataset) => Promise<T>,
  ): Promise<T> {
    return named(
      dataset,
      this.#withSource(dataset.source, pick, call, (source) => work({ ...dataset, source })),
    );
  }

  /** The files stay until the last row has been read. */
  async #rows<Chunk extends string | Uint8Array>(
    dataset: QueryableDataset,
    pick: PickFiles,
    call: EngineCall,
    work: (dataset: QueryableDataset) => Promise<RowStream<Chunk>>,
  ): Promise<RowStream<Chunk>> {
    if (!isInBucket(dataset.source)) return work(dataset);
    return new Promise((resolve, reject) => {
      this.#withDataset(dataset, pick, call, async (copied) => {
        const stream = await work(copied);
        resolve(stream);
        await stream.hasMore;
      }).catch(reject);
    });
  }

  /** A part of the files may lack columns, or hold them with another type than all together. */
  async #orWhole<T>(
    source: FileSource,
    pick: PickFiles,
    { signal }: EngineCall,
    { waits = false }: { readonly waits?: boolean },
    work: (source: CopiedSource, listing: Listing) => Promise<T>,
  ): Promise<T> {
    let isPart = false;
    try {
      return await this.#files.use(source, pick, { signal, waits }, (copied, listing) => {
        isPart = copied.files.length < listing.files.length;
        return work(copied, listing);
      });
    } catch (error) {
      if (!isPart || !(error instanceof SourceNotReady) || !error.problems.some(isOfColumn)) throw error;
      return this.#files.use(source, everything, { signal, waits }, work);
    }
  }
}

const isInBucket = (source: DatasetSource): source is FileSource => source.kind === "files" && isBucketGlob(source.glob);

const bytesOf = (files: readonly ListedFile[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** What is copied for the time extent and for suggestions, which are shown only if they are found within a moment. */
const quickBytes = 32_000_000;

const isOfColumn = ({ code }: SourceProblem): boolean => code === "column-missing" || code === "column-type";

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

/** Says which dataset cannot be searched. */
async function named<T>({ id }: QueryableDataset, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SourceNotReady && error.message.startsWith("The dataset cannot be read"))
      throw new SourceNotReady(error.problems, { dataset: id, cause: error.cause });
    throw error;
  }
}

function streamOf(texts: readonly string[], isCut: boolean): RowStream {
  async function* chunks() {
    yield* texts;
  }
  return { chunks: chunks(), hasMore: Promise.resolve(isCut) };
}
