import { type Column, isTimestamp } from "@fairway/contract/columns";
import { formatCount, pluralize } from "@fairway/contract/counts";
import { readableFilter, type ShowsValue } from "@fairway/contract/filter-writing";
import { filter } from "@fairway/contract/filters";
import { epochMsOf } from "@fairway/contract/utc-texts";
import { searchLink } from "#personal/search-link.ts";
import type { ExportRecord, ExportResult } from "./export-record.ts";

type AboutLine = readonly [label: string, text: string];

interface AboutParts {
  readonly record: Pick<ExportRecord, "dataset" | "request">;
  readonly columns: readonly Pick<Column, "name" | "type">[];
  readonly preFilledFilters: ExportResult["preFilledFilters"];
  readonly isPart: boolean;
  readonly username: string;
  /** Origin of the portal; without it, the sheet has no address. */
  readonly publicUrl: string | undefined;
}

interface WrittenRows {
  readonly rows: number;
  readonly cut: boolean;
  /** Null if nobody has counted. */
  readonly totalRows: number | null;
}

/** The sheet that says where the rows of a workbook come from. Filters read as they do on the screen, with times in UTC. */
export function aboutLines(
  { record, columns, preFilledFilters, isPart, username, publicUrl }: AboutParts,
  { rows, cut, totalRows }: WrittenRows,
): AboutLine[] {
  const { dataset, request } = record;
  const { breakdown } = request;
  const { within, ...search } = request.search;
  const { timeRange, geospatial, sort = [] } = search;
  const filters = (list: readonly unknown[]) => list.map((one) => filterText(one, columns));
  const link = searchLink(dataset, { ...search, columns: request.columns }, { within });
  return [
    ["Dataset", `${dataset.datasetCategory} / ${dataset.datasetId}`],
    ...(breakdown === undefined ? [] : [["Content", "Groups of its rows with their figures"] as const]),
    ...(isPart ? [["Part", "Access rules leave out some rows or columns for this user"] as const] : []),
    ...labeled("Filters", filters(search.filters), "None"),
    ...labeled("Filters of the dataset", filters(preFilledFilters)),
    ["Time range", timeRange === undefined ? "Any time" : rangeText(timeRange)],
    ...labeled("Areas", geospatial?.polygons ?? []),
    ...labeled("West, south, east and north of the map cell", within === undefined ? [] : [within.join(", ")]),
    ...labeled(
      "Order",
      sort.map(({ column, direction }) => `${column}, ${direction === "asc" ? "ascending" : "descending"}`),
    ),
    ["Zone of times", "UTC"],
    ["Rows", formatCount(rows)],
    ...(cut ? [["Cut", cutText(rows, totalRows)] as const] : []),
    ["Written", new Date().toISOString()],
    ["By", username],
    ...(link === null ? [] : [["Address", publicUrl === undefined ? noAddress : `${publicUrl}${link}`] as const]),
  ];
}

/** A path alone leads nowhere from a file. */
const noAddress = "Left out, because the portal's public address is not set";

/** The label stands beside the first one. */
const labeled = (label: string, texts: readonly string[], none?: string): AboutLine[] =>
  (texts.length === 0 && none !== undefined ? [none] : texts).map((text, index) => [index === 0 ? label : "", text]);

const cutText = (rows: number, totalRows: number | null): string =>
  totalRows === null
    ? `More rows match. The file has the first ${formatCount(rows)}.`
    : `${pluralize(totalRows, "row")} match. The file has the first ${formatCount(rows)}.`;

const rangeText = ({ start, end }: { readonly start?: string | undefined; readonly end?: string | undefined }): string =>
  start === undefined ? `Until ${end}` : end === undefined ? `From ${start}` : `${start} to ${end}`;

function filterText(one: unknown, columns: AboutParts["columns"]): string {
  const parsed = filter.safeParse(one);
  if (!parsed.success) return JSON.stringify(one);
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const show: ShowsValue = ({ name }, value) => {
    const type = types.get(name);
    const ms = type !== undefined && isTimestamp(type) ? epochMsOf(type, value) : undefined;
    return ms === undefined || Math.abs(ms) > 8.64e15 ? String(value) : new Date(ms).toISOString();
  };
  return readableFilter(parsed.data, show);
}
