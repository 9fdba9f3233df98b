import type { Column } from "@fairway/contract/columns";
import type { Limits } from "@fairway/contract/limits";
import type { QueryEngine, QueryableDataset, SearchQuery } from "#query/engine.ts";
import type { ExportJob } from "./job.ts";

/** A search that fits its dataset, and what its rows can be asked from. */
export interface ExportableSearch {
  readonly columns: readonly Column[];
  readonly filterSupport: { readonly preFilledFilters: ExportJob["order"]["preFilledFilters"] };
  readonly queryable: QueryableDataset;
  readonly engine: QueryEngine;
  readonly query: SearchQuery;
}

export type ExportLimits = Pick<
  Limits,
  | "exportMaxRows"
  | "exportTimeoutMs"
  | "exportsAtOnce"
  | "exportsAtOncePerUser"
  | "exportsKeptPerUser"
  | "exportKeepMinutes"
  | "exportFilesBytes"
>;
