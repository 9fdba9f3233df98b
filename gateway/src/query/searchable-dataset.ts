import type { Column } from "@fairway/contract/columns";
import type { FieldFilter, FilterSupport } from "@fairway/contract/datasets";
import type { QueryEngine, QueryableDataset } from "./engine.ts";

export interface MapFields {
  readonly item: string;
  readonly time: string;
  readonly place: { readonly latitude: string; readonly longitude: string };
}

/** What a dataset is, without an engine that could be asked about it. */
export interface DescribedDataset {
  readonly columns: readonly Column[];
  readonly filterSupport: FilterSupport;
  /** Filters of an upstream, which need not be columns; null where filters compare columns. */
  readonly parameters: readonly FieldFilter[] | null;
  /** Plain columns that say what a map shows of a row; null where the dataset has no map. */
  readonly map: MapFields | null;
}

/** What a search needs to know of the dataset it runs on. */
export interface SearchableDataset extends DescribedDataset {
  readonly queryable: QueryableDataset;
  readonly engine: QueryEngine;
  /** Keeps the engine open until this settles, too, such as for rows that are still to leave. */
  readonly keepOpen: (until: Promise<unknown>) => void;
}

/** Lets a part work on a dataset. The dataset's engine is not to be used once the work has settled. */
export type UseDataset<User> = <T>(
  user: User,
  category: string,
  id: string,
  work: (dataset: SearchableDataset) => Promise<T>,
) => Promise<T>;
