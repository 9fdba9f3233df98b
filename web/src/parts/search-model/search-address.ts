import { addressedFilterOf, type Filter, filterOfAddress } from "@fairway/contract/filters";
import { isJsonObject } from "@fairway/contract/json";
import { type Ring, ringText } from "@fairway/contract/areas";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { Box } from "@fairway/contract/grid-cells";
import { type LastSpan, spanCode } from "@fairway/contract/relative-times";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import type { SearchDataDraft } from "@fairway/contract/search";
import {
  addressedColumns,
  columnsOfAddress,
  maxSearchFragmentLength,
  type SearchAddressParts,
  searchAddressParts,
  searchFragmentOf,
  searchFragmentStart,
  searchPath,
} from "@fairway/contract/search-address";
import { areaFilter } from "./area-filter.ts";
import { boxOf, canNarrowToCell, cellFilter } from "./cell-filter.ts";
import { filtersFromSettings } from "./filter-list.ts";
import { settingOf } from "./form-filter.ts";
import { lastRangeOf, rangeText, type TimeBounds, timeRangeOf } from "./time-range.ts";
import { hasValue, isoRange } from "./search-data.ts";
import { addressSlices, type SearchSlices, slicesInAddress } from "./search-extensions.ts";
import { type SearchDefinition, type SearchFilters, type SearchRecord, type TimeRangeFilter } from "./search-record.ts";

/** A search as its address holds it: everything except the dataset's description, which is loaded separately. */
export interface AddressedSearch {
  id: string;
  category: string;
  datasetId: string;
  isSample: boolean;
  timeRange: TimeBounds | LastSpan | null;
  area: readonly Ring[];
  /** West, south, east and north of a cell of the map. */
  within?: Box | undefined;
  filters: readonly Filter[];
  sort: SearchRecord["sort"];
  viewMode: SearchRecord["viewMode"];
  visibleColumns: readonly string[] | null;
  added?: SearchColumns | undefined;
  slices: SearchSlices;
}

/** `/search/{id}#…`: enough to restore the search on another machine, for a user who may read the dataset. */
export function searchAddress(record: SearchDefinition): string {
  return searchPath(record.id, searchFragment(record));
}

/** The same search with its range fixed as of the last run. It gets a new id, so a tab with the original search keeps both. */
export function fixedAddress(record: SearchDefinition): string {
  const { timeRange } = record.filters;
  const fixed = timeRange && timeRangeOf(timeRange.startMs, timeRange.endMs);
  return searchAddress({ ...record, id: crypto.randomUUID(), filters: { ...record.filters, timeRange: fixed } });
}

/** The part after `#`. */
export function searchFragment(record: SearchDefinition): string {
  const { datasetDescription, filters, isSample, sort, viewMode, visibleColumns, added = {}, slices } = record;
  const sentFilters = filters.dynamic.filter((filter) => !filter.preFilled && hasValue(filter));
  const parts: SearchAddressParts = {
    c: datasetDescription.category.id,
    d: datasetDescription.datasetId,
    ...(isSample ? { s: 1 } : {}),
    ...timesOf(filters.timeRange),
    ...areasOf(filters.geospatial),
    ...(filters.within ? { w: [...filters.within.box] } : {}),
    ...(sentFilters.length > 0 ? { f: sentFilters.map((filter) => addressedFilterOf(settingOf(filter))) } : {}),
    ...(sort.length > 0 ? { o: sort.map(({ column, direction }): [string, "asc" | "desc"] => [column, direction]) } : {}),
    ...(viewMode === "table" ? {} : { m: viewMode }),
    ...(visibleColumns ? { v: [...visibleColumns] } : {}),
    ...addressedColumns(added),
  };
  return searchFragmentOf({ ...parts, ...addressSlices(slices) }, toBase64Url);
}

const secondsOf = (epochMs: number | null): number | null => (epochMs === null ? null : epochMs / 1000);
const epochMsOf = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds * 1000));

const areasOf = (area: SearchFilters["geospatial"]): Pick<SearchAddressParts, "a"> =>
  area ? { a: area.polygons.map(({ points }) => ringText(points)) } : {};

function timesOf(range: SearchFilters["timeRange"]): Pick<SearchAddressParts, "t" | "l"> {
  if (!range) return {};
  return range.last ? { l: spanCode(range.last) } : { t: [secondsOf(range.startMs), secondsOf(range.endMs)] };
}

/** The parts of a fragment, with or without its `#`; null for any other text. */
function partsOf(hash: string): Readonly<Record<string, unknown>> | null {
  const text = hash.startsWith("#") ? hash.slice(1) : hash;
  if (!text.startsWith(searchFragmentStart) || text.length > maxSearchFragmentLength) return null;
  const parts = parseJson(fromBase64Url(text.slice(searchFragmentStart.length)));
  return isJsonObject(parts) ? parts : null;
}

/** Filters that several searches can share. */
export type Narrowing = Pick<SearchFilters, "timeRange" | "geospatial">;

const narrowingParts = searchAddressParts.pick({ t: true, l: true, a: true });

/** A fragment with time range and area only. */
export const narrowingFragment = ({ timeRange, geospatial }: Narrowing): string =>
  searchFragmentOf({ ...timesOf(timeRange), ...areasOf(geospatial) }, toBase64Url);

/** Null for anything that `narrowingFragment` did not write. */
export function parseNarrowing(hash: string, nowMs: number): Narrowing | null {
  const parsed = narrowingParts.safeParse(partsOf(hash));
  if (!parsed.success) return null;
  const { t, l, a = [] } = parsed.data;
  const range = l ?? (t ? { startMs: epochMsOf(t[0]), endMs: epochMsOf(t[1]) } : null);
  return { timeRange: range && rangeOf(range, nowMs), geospatial: areaFilter(a) };
}

/** Parses an address. Null for anything that `searchAddress` did not write. */
export function parseSearchAddress(id: string, hash: string): AddressedSearch | null {
  const parts = partsOf(hash);
  if (parts === null) return null;
  const { slices, rest } = slicesInAddress(parts);
  const parsed = searchAddressParts.safeParse(rest);
  if (!parsed.success) return null;
  const { c, d, s, t, l, a = [], w, f = [], o = [], m = "table", v = null } = parsed.data;
  return {
    id,
    category: c,
    datasetId: d,
    isSample: s === 1,
    timeRange: l ?? (t ? { startMs: epochMsOf(t[0]), endMs: epochMsOf(t[1]) } : null),
    area: a,
    ...withinOf(w),
    filters: f.map(filterOfAddress),
    sort: o.map(([column, direction]) => ({ column, direction })),
    viewMode: m,
    visibleColumns: v,
    ...addedOf(columnsOfAddress(parsed.data)),
    slices,
  };
}

/** The body of a count over an addressed search, for which its dataset need not be described. */
export function countDataOfAddress({ timeRange, area, within, filters, added }: AddressedSearch, nowMs: number): SearchDataDraft {
  return {
    ...(timeRange ? { timeRange: isoRange(rangeOf(timeRange, nowMs)) } : {}),
    ...(area.length > 0 ? { geospatial: { polygons: area.map(ringText), antimeridianPolygons: false } } : {}),
    ...(within ? { within: [...within] } : {}),
    filters: [...filters],
    ...added,
  };
}

/** The definition of an addressed search. */
export function definitionOf(addressed: AddressedSearch, datasetDescription: DatasetDescription, timestamp: number): SearchDefinition {
  const { id, isSample, timeRange, area, within, filters, sort, viewMode, visibleColumns, added, slices } = addressed;
  return {
    id,
    timestamp,
    datasetDescription,
    isSample,
    filters: {
      geospatial: areaFilter(area),
      ...(within && canNarrowToCell(datasetDescription) ? { within: cellFilter(within) } : {}),
      timeRange: timeRange && rangeOf(timeRange, timestamp),
      dynamic: filtersFromSettings(datasetDescription, filters),
    },
    sort,
    viewMode,
    visibleColumns,
    ...addedOf(added ?? {}),
    slices,
  };
}

/** Four numbers that are no box are dropped. */
function withinOf(w: SearchAddressParts["w"]): Pick<AddressedSearch, "within"> {
  const within = w && boxOf(w);
  return within ? { within } : {};
}

/** Searches without columns of their own have no such property. */
const addedOf = (added: SearchColumns): Pick<AddressedSearch, "added"> => (Object.keys(added).length === 0 ? {} : { added });

const rangeOf = (range: NonNullable<AddressedSearch["timeRange"]>, nowMs: number): TimeRangeFilter =>
  // The steps of a playback end a millisecond before the next one.
  "unit" in range ? lastRangeOf(range, nowMs) : { startMs: range.startMs, endMs: range.endMs, text: rangeText(range) };

function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Undefined when the text is not base64url of UTF-8. */
function fromBase64Url(text: string): string | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError) return undefined;
    throw error;
  }
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
