import type { Column } from "@fairway/contract/columns";
import type { FieldFilter, FilterSupport } from "@fairway/contract/datasets";
import type { QueryEngine, QueryableDataset } from "./engine.ts";

export interface MapFields {
  readonly item: string;
  readonly time: string;
  readonly place: { readonly latitude: string; readonly longitude: string };
}

/** What a search needs to know of the dataset it runs on. */
export interface SearchableDataset {
  readonly columns: readonly Column[];
  readonly filterSupport: FilterSupport;
  /** Filters of an upstream, which need not be columns; null where filters compare columns. */
  readonly parameters: readonly FieldFilter[] | null;
  /** Plain columns that say what a map shows of a row; null where the dataset has no map. */
  readonly map: MapFields | null;
  readonly queryable: QueryableDataset;
  readonly engine: QueryEngine;
}
