import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { pointOf } from "@fairway/contract/positions";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { epochMsOf } from "@fairway/contract/utc-texts";

/** The columns that put a dataset's rows on a map. */
export interface MapFields {
  /** Rows with the same value belong to one item. */
  readonly group: Column;
  readonly latitude: string;
  readonly longitude: string;
  readonly time: Pick<Column, "name" | "type" | "day">;
}

/** Null if the dataset has no map support, or if its map support names columns that cannot locate a row. */
export function mapFieldsOf({ mapSupport, schema }: Pick<DatasetDescription, "mapSupport" | "schema">): MapFields | null {
  if (mapSupport === null) return null;
  const columnNamed = (name: string) => schema.columns.find((column) => column.name === name);
  const group = columnNamed(mapSupport.groupItemField);
  const location = columnNamed(mapSupport.itemLocationField)?.combined;
  const time = columnNamed(mapSupport.itemTemporalField);
  const [latitude, longitude] = location?.type === "COORDINATES" ? location.fields : [];
  if (!group || group.combined || latitude === undefined || longitude === undefined || !time || !isTimestamp(time.type)) return null;
  return { group, latitude, longitude, time };
}

/** Why a row is not drawn. `text`: its coordinates are not numbers. */
export type CoordinateProblem = "missing" | "out of range" | "text";

export type RowCoordinates = { readonly lat: number; readonly lng: number } | { readonly problem: CoordinateProblem };

/** The coordinates of a row. Anything but two numbers in range is a problem, never a silent 0, 0. */
export function coordinatesOf(row: ResultRow, { latitude, longitude }: MapFields): RowCoordinates {
  const [lat, lng] = [row[latitude] ?? null, row[longitude] ?? null];
  if (isBlank(lat) || isBlank(lng)) return { problem: "missing" };
  if (typeof lat !== "number" || typeof lng !== "number") return { problem: "text" };
  return pointOf(lat, lng) ?? { problem: "out of range" };
}

const isBlank = (value: CellValue): boolean => value === null || (typeof value === "string" && value.trim() === "");

/** The time of a row in epoch milliseconds; null if it is missing or out of range for a Date. */
export function timeOf(row: ResultRow, { time }: MapFields): number | null {
  const epochMs = epochMsOf(time.type, row[time.name]);
  return epochMs === undefined || Number.isNaN(new Date(epochMs).getTime()) ? null : epochMs;
}
