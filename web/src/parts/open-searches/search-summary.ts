import type { FilterValue } from "@fairway/contract/datasets";
import { readableFilter } from "@fairway/contract/filter-writing";
import { dayText as utcDay } from "@fairway/contract/utc-texts";
import { rangeText, type TimeBounds } from "#parts/search-model/time-range.ts";
import { settingOf } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import { phaseOf, type SearchFilters, type SearchRecord } from "#parts/search-model/search-record.ts";

/** `2:41 pm`, in the browser's zone. */
export function startText(epochMs: number): string {
  const date = new Date(epochMs);
  const hours = date.getHours();
  return `${hours % 12 || 12}:${String(date.getMinutes()).padStart(2, "0")} ${hours < 12 ? "am" : "pm"}`;
}

/** The zone of those times, such as `GMT+2`. */
export function zoneName(epochMs: number = Date.now()): string {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts(epochMs);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** The filters that have a value, one text each. */
export function filterTexts({ filters }: SearchRecord): string[] {
  // By the column's name, as in the results: a label such as "Wind at least" would repeat the operator.
  return filters.dynamic
    .filter(hasValue)
    .map((filter) => readableFilter(settingOf(filter), (_, value) => (filter.day === true ? shownDay(value) : String(value)), "short"));
}

/** MM/DD/YYYY of a day as filters hold it; any other value as it is. */
const shownDay = (value: FilterValue): string =>
  (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) ? utcDay(Date.parse(value)) : undefined) ?? String(value);

/** The time range; a relative one is followed by the absolute range when the search ran. */
export function timeTexts({ timeRange }: SearchFilters): string[] {
  if (!timeRange) return ["Any time"];
  return timeRange.last ? [timeRange.text, rangeText(timeRange)] : [timeRange.text];
}

/** The conditions of a search, on one line. */
export function summary(record: SearchRecord): string {
  if (record.isSample) return "Sample";
  const { geospatial, within, timeRange } = record.filters;
  const texts = [
    ...filterTexts(record),
    ...(timeRange ? [timeRange.last ? timeRange.text : dayRange(timeRange)] : []),
    ...(geospatial ? [geospatial.text] : []),
    ...(within ? [within.text] : []),
  ];
  return texts.length > 0 ? texts.join(" · ") : noFilters;
}

/** A name for a search: its dataset and its conditions, at most so many characters. */
export function searchTitle(record: SearchRecord, maxCharacters: number): string {
  const { datasetId } = record.datasetDescription;
  const conditions = summary(record);
  const title = conditions === noFilters ? datasetId : `${datasetId}: ${conditions}`;
  return title.length > maxCharacters ? `${title.slice(0, maxCharacters - 1).trimEnd()}…` : title;
}

const noFilters = "No filters";

/** The state of the search, in words. */
export function stateText(record: SearchRecord): string {
  switch (phaseOf(record)) {
    case "searching":
      return "Searching";
    case "failed":
      return "Failed";
    case "cancelled":
      return "Canceled";
    case "new":
      return "Not loaded yet";
    case "results":
      return record.isLoadingMore ? "Loading more" : "Done";
    default:
      return phaseOf(record) satisfies string;
  }
}

/** The number of rows; undefined while it is unknown. */
export function totalText({ totalResultCount, results, allLoaded, truncated }: SearchRecord): string | undefined {
  if (totalResultCount !== null && totalResultCount >= 0) return totalResultCount.toLocaleString("en-US");
  if (results === null) return undefined;
  return results.length.toLocaleString("en-US") + (allLoaded && !truncated ? "" : " or more");
}

function dayRange({ startMs, endMs }: TimeBounds): string {
  if (startMs === null || endMs === null) return startMs === null ? `until ${dayText(endMs ?? 0)}` : `from ${dayText(startMs)}`;
  const start = dayText(startMs);
  const end = dayText(endMs);
  return start === end ? start : `${start} – ${end}`;
}

function dayText(epochMs: number): string {
  const [date = ""] = new Date(epochMs).toISOString().split("T");
  const [year = "", month = "", day = ""] = date.split(/(?!^)-/);
  return `${month}/${day}/${year}`;
}
