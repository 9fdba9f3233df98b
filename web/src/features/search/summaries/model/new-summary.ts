import type { BreakdownMeasure } from "@fairway/contract/breakdowns";
import { summariesExtension } from "#features/search/search-extensions.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { StoredSummary } from "./summary.ts";

// Part of the results screen, so it takes only types from the model, which loads with the view.

const count: BreakdownMeasure = { aggregation: "count", column: "*" };

/** From this number of rows on, averages are ranked only among groups that have enough rows to mean something. */
const manyRows = 10_000;
const leastRows = 100;

/** The start of a summary: the figure of all rows, of the values of a column, or the average of a column by one to be chosen. */
export type SummaryStart = { kind: "all" } | { kind: "by"; column: string } | { kind: "average"; column: string };

/** The summary in the editor. */
export interface OpenedSummary {
  id: string;
  /** As it was when the editor opened; null for a new one. */
  before: StoredSummary | null;
  startsWithGrouping: boolean;
}

export const canSummarize = ({ isSample, datasetDescription }: SearchRecord): boolean =>
  !isSample && datasetDescription.assists.includes("BREAKDOWN");

/** Adds a summary to an open search, and says how to edit it. */
export function addSummary(searchId: string, start: SummaryStart): OpenedSummary {
  const id = crypto.randomUUID();
  const record = findRecord(searchId);
  if (record) {
    const stored = sliceOf(record, summariesExtension);
    const others: unknown[] = Array.isArray(stored) ? stored : [];
    openSearches.setSlice(searchId, summariesExtension, [...others, { id, title: null, chart: null, breakdown: askedFor(start, record) }]);
  }
  return { id, before: null, startsWithGrouping: start.kind !== "by" };
}

function askedFor(start: SummaryStart, { totalResultCount }: SearchRecord): StoredSummary["breakdown"] {
  switch (start.kind) {
    case "all":
      return { measures: [count] };
    case "by":
      return { measures: [count], by: [{ kind: "value", column: start.column, top: { count: 20, other: true } }] };
    case "average":
      return {
        measures: [{ aggregation: "avg", column: start.column }, count],
        ...((totalResultCount ?? 0) >= manyRows ? { having: [{ measure: "count(*)", operator: ">=", value: leastRows }] } : {}),
      };
    default:
      return start satisfies never;
  }
}
