import type { ColumnType } from "@fairway/contract/columns";
import { integerOrNull, type Value } from "./evaluate/value.ts";

/** A value as answers of searches hold it: times as epoch numbers in the unit of their column, integers beyond 2^53 as texts. */
export type Cell = string | number | boolean | null;

/** The value of a column in one row. Infinite numbers and integers beyond 64 bits are none. */
export function readCell(type: ColumnType, cell: Cell | undefined): Value {
  if (cell === null || cell === undefined) return null;
  if (type === "STRING") return String(cell);
  if (type === "BOOLEAN") return typeof cell === "boolean" ? cell : null;
  if (typeof cell === "boolean" || (typeof cell === "string" && cell.trim() === "")) return null;
  if (type === "integer") return readInteger(cell);
  const number = Number(cell);
  if (!Number.isFinite(number)) return null;
  return type === "TIMESTAMP_SECONDS" ? number * 1_000 : number;
}

function readInteger(cell: string | number): Value {
  if (typeof cell === "number") return Number.isSafeInteger(cell) ? BigInt(cell) : null;
  return /^-?\d+$/.test(cell) ? integerOrNull(BigInt(cell)) : null;
}

/** A value as answers hold it. */
export function writeCell(value: Value): Cell {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
