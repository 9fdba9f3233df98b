import type { BreakdownGrouping, BreakdownMeasure } from "@fairway/contract/breakdowns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { isDay, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { summariesExtension } from "#features/search/search-extensions.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { StoredSummary } from "./summary.ts";

// Part of the results screen, so it takes only types from the model, which loads with the view.

/** The count of rows; none where the dataset does not count them. */
const counts = ({ features }: DatasetDescription): BreakdownMeasure[] =>
  features.includes("COUNT") ? [{ aggregation: "count", column: "*" }] : [];

/** The first figure of a summary: the count of rows, else the average of a number, else the number of values. */
function firstMeasures(description: DatasetDescription): BreakdownMeasure[] {
  const columns = description.schema.columns.filter(({ combined }) => combined === null);
  const number = columns.find(({ type }) => isNumeric(type));
  const figure = number ? { aggregation: "avg", column: number.name } : { aggregation: "distinct", column: columns[0]?.name ?? "" };
  const counted = counts(description);
  return counted.length > 0 ? counted : [figure];
}

const shares = ({ withShare = false }: { withShare?: boolean }, { features }: DatasetDescription): BreakdownMeasure[] =>
  withShare && features.includes("COUNT") ? [{ aggregation: "share", column: "*" }] : [];

/** From this number of rows on, averages are ranked only among groups that have enough rows to mean something. */
const manyRows = 10_000;
const leastRows = 100;

/** The start of a summary: the figure of all rows, of the values of a column (perhaps with their share of the rows), or the average of a column by one to be chosen. */
export type SummaryStart = { kind: "all" } | { kind: "by"; column: string; withShare?: boolean } | { kind: "average"; column: string };

/** The summary in the editor. */
export interface OpenedSummary {
  id: string;
  /** As it was when the editor opened; null for a new one. */
  before: StoredSummary | null;
  startsWithGrouping: boolean;
}

export const canSummarize = ({ isSample, datasetDescription }: SearchRecord): boolean =>
  !isSample && datasetDescription.assists.includes("BREAKDOWN");

const storedIn = (record: SearchRecord): readonly unknown[] => {
  const stored = sliceOf(record, summariesExtension);
  return Array.isArray(stored) ? stored : [];
};

export const hasSummaries = (record: SearchRecord): boolean => storedIn(record).length > 0;

/** Adds a summary to an open search, and says how to edit it. */
export function addSummary(searchId: string, start: SummaryStart): OpenedSummary {
  const id = crypto.randomUUID();
  const record = findRecord(searchId);
  if (record) {
    const added = { id, title: null, chart: null, breakdown: askedFor(start, record) };
    openSearches.setSlice(searchId, summariesExtension, [...storedIn(record), added]);
  }
  return { id, before: null, startsWithGrouping: start.kind !== "by" };
}

const dayMs = 86_400_000;

/** The groups that suit a column: steps of a time, ranges of a number, else values. */
function groupingOf(name: string, { datasetDescription, filters }: SearchRecord): BreakdownGrouping {
  const column = datasetDescription.schema.columns.find((one) => one.name === name);
  if (column && isNumeric(column.type)) return { kind: "range", column: name, about: 20 };
  if (!column || !isTimestamp(column.type)) return { kind: "value", column: name, top: { count: 20, other: true } };
  const { startMs, endMs } = filters.timeRange ?? { startMs: null, endMs: null };
  const { timeExtent } = datasetDescription;
  const days = ((endMs ?? timeExtent?.endMs ?? 0) - (startMs ?? timeExtent?.startMs ?? 0)) / dayMs;
  const unit = days > 3_650 ? "year" : days > 180 ? "month" : days > 3 || isDay(column) ? "day" : "hour";
  return { kind: "time", column: name, unit };
}

function askedFor(start: SummaryStart, record: SearchRecord): StoredSummary["breakdown"] {
  const { datasetDescription } = record;
  switch (start.kind) {
    case "all":
      return { measures: firstMeasures(datasetDescription) };
    case "by":
      return {
        measures: [...firstMeasures(datasetDescription), ...shares(start, datasetDescription)],
        by: [groupingOf(start.column, record)],
      };
    case "average":
      return {
        measures: [{ aggregation: "avg", column: start.column }, ...counts(datasetDescription)],
        ...(datasetDescription.features.includes("COUNT") && (record.totalResultCount ?? 0) >= manyRows
          ? { having: [{ measure: "count(*)", operator: ">=", value: leastRows }] }
          : {}),
      };
    default:
      return start satisfies never;
  }
}
