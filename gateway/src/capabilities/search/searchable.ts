import type { Column } from "@fairway/contract/columns";
import type { FieldFilter, FilterSupport } from "@fairway/contract/datasets";
import type { QueryEngine, QueryableDataset } from "#query/engine.ts";

/** What a search needs to know of the dataset it runs on. */
export interface SearchableDataset {
  readonly columns: readonly Column[];
  readonly filterSupport: FilterSupport;
  /** Filters of an upstream, which need not be columns; null where filters compare columns. */
  readonly parameters: readonly FieldFilter[] | null;
  readonly queryable: QueryableDataset;
  readonly engine: QueryEngine;
}
