import type { DatasetSource, EngineCall, RowStream, SearchQuery, SourceNotes, SourceProblem, SourceReading } from "#query/engine.ts";

/** The part of a source that a query reads. */
export interface Need {
  /** Only rows that may match; otherwise all rows. */
  readonly query?: Pick<SearchQuery, "conditions"> & { readonly timeRange?: SearchQuery["timeRange"] };
  /** Names and types of columns, and no rows. */
  readonly onlyColumns?: true;
  /** The caller does not wait long: a part is enough. */
  readonly isQuick?: true;
  /** The caller waits as long as it takes. */
  readonly waits?: true;
}

type Caller = Pick<EngineCall, "signal">;

/** Runs `look` on as much of a source as it takes. */
type Looks<T> = (source: DatasetSource, caller: Caller, look: (found: DatasetSource) => Promise<T>) => Promise<T>;

/**
 * Source of the data of a `SqlEngine`. Everything that has to be fetched first is held while `work`, `read` or `look` runs, which takes
 * slots only then: nobody holds a slot and waits for data.
 */
export interface TableSource {
  /**
   * Runs `work` on what the server can read instead of the source, which stays there until `work` has settled. `isPart`: the caller
   * was quick and gets less than was needed. `work` may run once more, on all data.
   */
  use<T>(source: DatasetSource, need: Need, caller: Caller, work: (found: DatasetSource, isPart: boolean) => Promise<T>): Promise<T>;
  /** Whether all rows can be read within a moment. */
  isNear(source: DatasetSource, caller: Caller): Promise<boolean>;
  /** A name of the data that changes when they do; null if only the server can find that out. */
  state(source: DatasetSource, caller: Caller): Promise<string | null>;
  /** Some rows; `read` is called for more and more of the source until it has enough of them. */
  sample(
    source: DatasetSource,
    query: Pick<SearchQuery, "conditions">,
    caller: Caller,
    read: (found: DatasetSource) => Promise<RowStream>,
  ): Promise<RowStream>;
  readonly check: Looks<readonly SourceProblem[]>;
  readonly inspect: Looks<readonly string[]>;
  readonly notes: Looks<SourceNotes>;
  readonly reading: Looks<SourceReading | null>;
}

/** Data that the server reads where they are: files of the data folder, tables of a catalog. */
export const inPlace: TableSource = {
  use: (source, _need, _caller, work) => work(source, false),
  isNear: () => Promise.resolve(true),
  state: () => Promise.resolve(null),
  sample: (source, _query, _caller, read) => read(source),
  check: (source, _caller, look) => look(source),
  inspect: (source, _caller, look) => look(source),
  notes: (source, _caller, look) => look(source),
  reading: (source, _caller, look) => look(source),
};
