import type { CellValue } from "@fairway/contract/search";
import type { SqlColumn } from "../table.ts";

/** Numbers of up to this many characters are read without a loss. */
const exactCharacters = 15;

/** Reads the JSON text of a cell. A number that JSON would round stays the text of its digits. */
export function readCell(text: string | null, isExact: boolean): CellValue {
  if (text === null) return null;
  const value = JSON.parse(text) as CellValue;
  if (typeof value !== "number" || !isExact || text.length <= exactCharacters) return value;
  return sameNumber(text, String(value)) ? value : text;
}

/** A key as it is shown. */
export const readKey = (text: string | null, { storage }: Pick<SqlColumn, "storage">): CellValue =>
  readCell(text, storage.kind === "integer" || storage.kind === "exact-decimal");

const sameNumber = (one: string, other: string): boolean => compareNumbers(one, other) === 0;

/** Compares two numbers as they are written. */
export function compareNumbers(one: string, other: string): number {
  const [first, second] = [digitsOf(one), digitsOf(other)];
  const least = Math.min(first.exponent, second.exponent);
  const scaled = ({ digits, exponent }: ReturnType<typeof digitsOf>) => digits * 10n ** BigInt(exponent - least);
  const [low, high] = [scaled(first), scaled(second)];
  return low < high ? -1 : low > high ? 1 : 0;
}

/** A number as digits times a power of ten. */
function digitsOf(text: string): { digits: bigint; exponent: number } {
  const [, sign = "", whole = "", fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = BigInt(`${whole}${fraction}` || "0");
  return { digits: sign === "-" ? -digits : digits, exponent: Number(power) - fraction.length };
}
