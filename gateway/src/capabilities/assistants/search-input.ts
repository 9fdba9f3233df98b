import { noRowsText } from "@fairway/contract/dataset-access";
import { type Column, isDay, isTimestamp } from "@fairway/contract/columns";
import { type DatasetDescription, datasets } from "@fairway/contract/datasets";
import { addressedFilterOf, filter as anyFilter } from "@fairway/contract/filters";
import { lastSpan, parseSpan, spanAt } from "@fairway/contract/relative-times";
import type { CellValue, ResultRow, SearchDataDraft } from "@fairway/contract/search";
import {
  addressedColumns,
  type AddressedSummaries,
  maxSearchFragmentLength,
  type SearchAddressParts,
  summariesWithRoom,
  type ViewMode,
} from "@fairway/contract/search-address";
import type { SummaryDraft } from "@fairway/contract/summaries";
import { z } from "zod";
import { Refusal } from "#http/refusal.ts";
import { newSearchPath } from "#personal/search-path.ts";
import { computedInput, computedOf, withComputed } from "./computed-input.ts";
import { anyOfInput, filtersInput, filtersOf } from "./filter-input.ts";
import { endOf, epochOf, isoOf, moment } from "./times.ts";
import type { ToolContext } from "./tool.ts";

export const datasetInput = {
  category: z.string().min(1).describe("Category of the dataset, as list_datasets names it."),
  dataset: z.string().min(1).describe("Id of the dataset within its category, as list_datasets names it."),
};

const timeInput = z
  .strictObject({
    start: moment.optional(),
    end: moment.optional().describe("Inclusive. A day without a time ends with its last millisecond."),
    last: lastSpan.optional().describe("Instead of start and end: the time before now, such as 30m, 24h, 7d, 4w or 3mo."),
  })
  .refine(
    ({ start, end, last }) => (last === undefined) !== (start === undefined && end === undefined),
    "needs start, end or both, or only last",
  );

const longitude = z.number().min(-180).max(180);
const latitude = z.number().min(-90).max(90);

const areaInput = z
  .strictObject({ west: longitude, south: latitude, east: longitude, north: latitude })
  .refine(({ south, north }) => south < north, "has its south above its north");

/** Conditions of a search, all of which have to hold. */
export const searchInput = {
  ...datasetInput,
  computed: computedInput,
  filters: filtersInput,
  any_of: anyOfInput,
  time_range: timeInput.optional().describe("On the dataset's time column."),
  area: areaInput
    .optional()
    .describe("A box in degrees, for datasets with a location. With west greater than east it crosses the antimeridian."),
};
const searched = z.object(searchInput);
export type SearchInput = z.output<typeof searched>;

export const sortInput = z
  .array(z.strictObject({ column: z.string().min(1), direction: z.enum(["asc", "desc"]) }))
  .max(10)
  .default([]);
type SortInput = z.output<typeof sortInput>;

export const datasetParamsOf = ({ category, dataset }: Pick<SearchInput, "category" | "dataset">) => ({ category, datasetId: dataset });

/** The dataset with the columns that are computed for a search of it. */
export async function describeDataset(
  input: Pick<SearchInput, "category" | "dataset"> & { readonly computed?: SearchInput["computed"] },
  { calls, caller }: ToolContext,
): Promise<DatasetDescription> {
  return withComputed(await calls.call(datasets.describe, { params: datasetParamsOf(input) }, caller), input.computed ?? {});
}

/** Tells an assistant that the caller sees a part of a dataset; empty for all of it. */
export function partOf({ access }: DatasetDescription): { readonly part?: string } {
  if (access === undefined || (access.rows === "all" && access.columns === "all")) return {};
  const rows =
    access.rows === "some"
      ? ["This is a part of the rows: access rules leave out others, also of counts and figures.", ...access.notes]
      : access.rows === "none"
        ? [noRowsText]
        : [];
  const columns = access.columns === "some" ? ["Some columns are left out or have coarse values."] : [];
  return { part: [...rows, ...columns].join(" ") };
}

/** The body of a search. Refuses a column that the dataset does not have, and values that its column cannot hold. */
export function searchDataOf(input: SearchInput, description: DatasetDescription, sort: SortInput = []): SearchDataDraft {
  const { time_range: range, area } = input;
  return {
    ...(range && { timeRange: timesOf(range) }),
    ...(area && { geospatial: { polygons: polygonsOf(area), antimeridianPolygons: false } }),
    filters: filtersOf(input, description),
    ...(sort.length > 0 && { sort }),
    ...computedOf(input.computed ?? {}),
  };
}

/** The same search in the portal, with summaries where the address has room for them; null where its address is longer than the portal opens. */
export function searchLink(
  input: SearchInput,
  description: DatasetDescription,
  { origin }: ToolContext,
  { sort = [], view = "table", summaries = [] }: { sort?: SortInput; view?: ViewMode; summaries?: readonly SummaryDraft[] } = {},
): string | null {
  const { timeRange, geospatial, filters = [], computed } = searchDataOf(input, description);
  const last = parseSpan(input.time_range?.last ?? "");
  const shown = summariesWithRoom(summaries);
  const parts: SearchAddressParts & AddressedSummaries = {
    c: description.category.id,
    d: description.datasetId,
    ...(last ? { l: input.time_range?.last } : timeRange && { t: [secondsOf(timeRange.start), secondsOf(timeRange.end)] }),
    ...(geospatial && { a: geospatial.polygons }),
    ...(filters.length > 0 && {
      f: filters.map((one) => addressedFilterOf(anyFilter.parse(one))),
    }),
    ...(sort.length > 0 && { o: sort.map(({ column, direction }): [string, "asc" | "desc"] => [column, direction]) }),
    ...(view !== "table" && { m: view }),
    ...addressedColumns({ computed }),
    ...(shown.length > 0 && { g: shown }),
  };
  const path = newSearchPath(parts);
  return path.length > maxSearchFragmentLength ? null : `${origin}${path}`;
}

function timesOf({ start, end, last }: z.output<typeof timeInput>): { start?: string; end?: string } {
  const span = parseSpan(last ?? "");
  if (span) {
    const { startMs, endMs } = spanAt(span, Date.now());
    return { start: isoOf(startMs), end: isoOf(endMs) };
  }
  return {
    ...(start !== undefined && { start: isoOf(epochOf(start)) }),
    ...(end !== undefined && { end: isoOf(endOf(end)) }),
  };
}

const secondsOf = (iso: string | undefined): number | null => (iso === undefined ? null : Date.parse(iso) / 1_000);

function polygonsOf({ west, south, east, north }: z.output<typeof areaInput>): string[] {
  const box = (from: number, to: number) => `${from} ${south}, ${to} ${south}, ${to} ${north}, ${from} ${north}, ${from} ${south}`;
  return west < east ? [box(west, east)] : [box(west, 180), box(-180, east)];
}

/** Longer texts of cells are cut. */
const cellCharacters = 500;
/** Of one answer. */
const maxCells = 20_000;

/** Rows with times in ISO 8601, and only of these columns unless none are named. */
export function readableRows(
  rows: readonly ResultRow[],
  description: Pick<DatasetDescription, "schema">,
  columns: readonly string[] = [],
): ResultRow[] {
  const columnsByName = new Map(description.schema.columns.map((column) => [column.name, column]));
  const wanted = new Set(columns);
  const cells = rows.length * (wanted.size === 0 ? columnsByName.size : wanted.size);
  if (cells > maxCells) {
    throw new Refusal(
      "too-large",
      `${cells} cells are more than a response can contain (${maxCells}). Ask for fewer rows, or name fewer columns.`,
    );
  }
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => wanted.size === 0 || wanted.has(name))
        .map(([name, value]) => [name, readableCell(value, columnsByName.get(name))]),
    ),
  );
}

/** Times in ISO 8601, whole days without a clock, and long texts cut. */
export function readableCell(value: CellValue, column: Pick<Column, "type" | "day"> | undefined): CellValue {
  if (typeof value === "string" && value.length > cellCharacters) return `${value.slice(0, cellCharacters)}…`;
  if (column === undefined || !isTimestamp(column.type) || typeof value !== "number") return value;
  const date = new Date(column.type === "TIMESTAMP_SECONDS" ? value * 1_000 : value);
  if (Number.isNaN(date.getTime())) return value;
  const text = date.toISOString();
  return isDay(column) ? text.slice(0, text.indexOf("T")) : text;
}

/** Name, type, unit and description of columns: all unless some are named, and those of `texts` if given. */
export function columnFacts({ schema }: DatasetDescription, names: readonly string[] = [], texts?: ReadonlyMap<string, string>) {
  const plain = schema.columns.filter(({ name, combined }) => combined === null && (names.length === 0 || names.includes(name)));
  return plain.map((column) => columnFact(column, texts === undefined ? undefined : (texts.get(column.name) ?? "")));
}

const columnFact = ({ name, type, day, unit }: Column, description: string | undefined) => ({
  name,
  type: isDay({ type, day }) ? "day" : isTimestamp(type) ? "time" : type.toLowerCase(),
  ...(unit !== undefined && { unit }),
  ...(description !== undefined && { description }),
});
