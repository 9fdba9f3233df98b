import { type Column, type ColumnType, isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { epochMsOf } from "#lib/dates.ts";

/** The columns that put a dataset's rows on a map. */
export interface MapFields {
  /** Rows with the same value belong to one item. */
  readonly group: Column;
  readonly latitude: string;
  readonly longitude: string;
  readonly time: { readonly name: string; readonly type: ColumnType };
}

/** Null where the dataset has no map support, or its map support names columns that cannot place a row. */
export function mapFieldsOf({ mapSupport, schema }: Pick<DatasetDescription, "mapSupport" | "schema">): MapFields | null {
  if (mapSupport === null) return null;
  const named = (name: string) => schema.columns.find((column) => column.name === name);
  const group = named(mapSupport.groupItemField);
  const location = named(mapSupport.itemLocationField)?.combined;
  const time = named(mapSupport.itemTemporalField);
  const [latitude, longitude] = location?.type === "COORDINATES" ? location.fields : [];
  if (!group || group.combined || latitude === undefined || longitude === undefined || !time || !isTimestamp(time.type)) return null;
  return { group, latitude, longitude, time };
}

/** Why a row is not drawn. `text`: its coordinates are not numbers. */
export type PlaceProblem = "missing" | "out of range" | "text";

export type Place = { readonly lat: number; readonly lng: number } | { readonly problem: PlaceProblem };

/** Where a row is. Anything but two numbers within the world is a problem, never a place at 0, 0. */
export function placeIn(row: ResultRow, { latitude, longitude }: MapFields): Place {
  const [lat, lng] = [row[latitude] ?? null, row[longitude] ?? null];
  if (isBlank(lat) || isBlank(lng)) return { problem: "missing" };
  if (typeof lat !== "number" || typeof lng !== "number") return { problem: "text" };
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : { problem: "out of range" };
}

const isBlank = (value: CellValue): boolean => value === null || (typeof value === "string" && value.trim() === "");

/** When a row was; null where it does not say, or says what no calendar holds. */
export function timeIn(row: ResultRow, { time }: MapFields): number | null {
  const epochMs = epochMsOf(time.type, row[time.name]);
  return epochMs === undefined || Number.isNaN(new Date(epochMs).getTime()) ? null : epochMs;
}
