import type { Point } from "@fairway/contract/areas";
import { type Column, isDay, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { pointOf } from "@fairway/contract/positions";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { dayText, epochMsOf } from "@fairway/contract/utc-texts";
import { utc, zonedText } from "../time/time-zone.ts";

/** The text of a cell; null for a missing value. Combined columns join the texts of their fields. */
export function cellText(column: Column, row: ResultRow, zone: string = utc): string | null {
  return column.combined ? combinedText(column.combined, row) : valueText(column, row[column.name] ?? null, zone);
}

function combinedText({ fields, joinedBy }: NonNullable<Column["combined"]>, row: ResultRow): string | null {
  const values = fields.map((field) => row[field] ?? null);
  return values.every((value) => value === null) ? null : values.map((value) => (value === null ? "" : String(value))).join(joinedBy);
}

/** The position of a row in a column that combines latitude and longitude; null for other columns and missing values. */
export function coordinatesOf({ combined }: Pick<Column, "combined">, row: ResultRow): Point | null {
  if (combined?.type !== "COORDINATES") return null;
  const [lat, lng] = combined.fields.map((field) => row[field]);
  return typeof lat === "number" && typeof lng === "number" ? pointOf(lat, lng) : null;
}

/** A folder or a file of a fileset. */
export interface FilesetPath {
  fileset: string;
  path: string;
}

/** The folder or file of a row in a column that combines a fileset and a path; null for other columns and missing values. */
export function filesetPathOf({ combined }: Pick<Column, "combined">, row: ResultRow): FilesetPath | null {
  if (combined?.type !== "FILESET") return null;
  const [fileset, path] = combined.fields.map((field) => row[field] ?? null);
  if (fileset === null || fileset === undefined || fileset === "") return null;
  return { fileset: String(fileset), path: path === null || path === undefined ? "" : String(path) };
}

/** Formats a value by its column's type. A day is the same in every zone. A timestamp out of the calendar's range is shown unformatted. */
export function valueText(column: Pick<Column, "type" | "day">, value: CellValue, zone: string = utc): string | null {
  if (value === null) return null;
  if (isTimestamp(column.type)) {
    const epochMs = epochMsOf(column.type, value);
    return (epochMs === undefined ? undefined : timeText(column, epochMs, zone)) ?? String(value);
  }
  return String(value);
}

/** A time of a column: a day as MM/DD/YYYY, a moment in the zone. Undefined out of the calendar's range. */
export const timeText = (column: Pick<Column, "type" | "day">, epochMs: number, zone: string): string | undefined =>
  isDay(column) ? dayText(epochMs) : zonedText(epochMs, zone);

/** Numbers are right-aligned so that their digits line up. */
export const alignsRight = (column: Column): boolean => column.combined === null && isNumeric(column.type);

/** Ids, hashes and other text that is read character by character, shown in a monospace font. */
export const readsAsCode = (column: Column): boolean =>
  column.combined === null && column.type === "STRING" && /(^|_|-)(id|uuid|guid|hash|sha\d*|code)$/i.test(column.name);

export interface CutText {
  text: string;
  isCut: boolean;
}

/** The first `limit` characters. Does not split surrogate pairs. */
export function cutText(text: string, limit: number): CutText {
  if (text.length <= limit) return { text, isCut: false };
  const code = text.charCodeAt(limit - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
  return { text: text.slice(0, end), isCut: true };
}
