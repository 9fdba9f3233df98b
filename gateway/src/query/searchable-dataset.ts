import type { Column } from "@fairway/contract/columns";
import type { DatasetRef, FieldFilter, FilterSupport } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import type { QueryEngine, QueryableDataset } from "./engine.ts";
import type { LookupTarget } from "./lookup-rules.ts";

export interface MapFields {
  readonly item: string;
  readonly time: string;
  readonly location: { readonly latitude: string; readonly longitude: string };
}

/** A dataset's description, without an engine to query it. */
export interface DescribedDataset {
  readonly columns: readonly Column[];
  readonly filterSupport: FilterSupport;
  /** Filters of an upstream, which need not be columns; null if filters compare columns. */
  readonly parameters: readonly FieldFilter[] | null;
  /** The plain columns that a map reads; null if the dataset has no map. */
  readonly map: MapFields | null;
  /** The version of the rows of a dataset that a user has brought; undefined for all others. */
  readonly dataVersion?: number | undefined;
  /** Whether it is a part of the dataset, and its reader is told so. */
  readonly isPart: boolean;
  /** Whether its rules show its reader no row. */
  readonly hasNoRows: boolean;
}

/** A dataset together with a leased engine to search it. */
export interface SearchableDataset extends DescribedDataset {
  readonly queryable: QueryableDataset;
  readonly engine: QueryEngine;
  /** Also keeps the engine open until this promise settles, such as while rows are streamed. */
  readonly keepOpen: (until: Promise<unknown>) => void;
  /**
   * The dataset with the columns that a search adds. `path`: of the search within the body. Throws Refusal for columns that cannot be made.
   */
  readonly deriving: (search: SearchColumns, path?: string) => SearchableDataset;
  /** Another dataset that may be looked up; undefined for one that the reader may not know of. */
  readonly other: (dataset: DatasetRef) => LookupTarget | undefined;
}

/** With the columns of its search. */
export type SearchedDataset = Omit<SearchableDataset, "deriving" | "other">;

/** Runs `work` on a dataset. The dataset's engine must not be used after `work` has settled. */
export type UseDataset<User> = <T>(
  user: User,
  category: string,
  id: string,
  work: (dataset: SearchableDataset) => Promise<T>,
) => Promise<T>;
