import type { Column } from "@fairway/contract/columns";
import type { FilterSupport } from "@fairway/contract/datasets";
import type { QueryEngine, QueryableDataset } from "#query/engine.ts";

/** What a search needs to know of the dataset it runs on. */
export interface SearchableDataset {
  readonly columns: readonly Column[];
  readonly filterSupport: FilterSupport;
  readonly queryable: QueryableDataset;
  readonly engine: QueryEngine;
}
