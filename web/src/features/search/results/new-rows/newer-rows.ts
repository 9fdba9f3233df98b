import type { SearchDataDraft } from "@fairway/contract/search";
import { countDataOf, isoRange } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { SeenRows } from "./seen-rows.ts";

/**
 * A count of the rows of a search that are newer than all that its last run found, until `upToMs` if its range is open (null:
 * without an end). Null if its range ends before them.
 */
export function newerRows(record: SearchRecord, { newestMs }: SeenRows, upToMs: number | null): SearchDataDraft | null {
  const { schema, temporalField } = record.datasetDescription;
  const hasSeconds = schema.columns.find(({ name }) => name === temporalField)?.type === "TIMESTAMP_SECONDS";
  const search = countDataOf(record);
  const { start, end } = search.timeRange ?? {};
  // A relative range may have moved on since.
  const startMs = Math.max(newestMs + (hasSeconds ? 1_000 : 1), start === undefined ? -Infinity : Date.parse(start));
  const endMs = end === undefined ? upToMs : Date.parse(end);
  return endMs !== null && endMs < startMs ? null : { ...search, timeRange: isoRange({ startMs, endMs }) };
}
