import type { Call } from "../tree.ts";

/**
 * A value of a row: text, an integer (bigint), a decimal, a condition, or a time as milliseconds since 1970. Null is no value. The type
 * of the tree tells decimals from times.
 */
export type Value = string | bigint | number | boolean | null;

/** Computes one function from values that are there; only functions of `nullable.ts` are called with nulls. */
export type Computed = (args: readonly Value[], call: Call) => Value;

const [leastInteger, mostInteger] = [-(2n ** 63n), 2n ** 63n - 1n];

/** An integer, or none beyond 64 bits. */
export const integerOrNull = (value: bigint): bigint | null => (value < leastInteger || value > mostInteger ? null : value);
/** A decimal, or none if it is infinite or no number. */
export const decimalOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

export const asDecimal = (value: Value | undefined): number => Number(value);
export const asInteger = (value: Value | undefined): bigint => (typeof value === "bigint" ? value : 0n);
export const asText = (value: Value | undefined): string => String(value);

/** By code point, which is the order of UTF-8: UTF-16 units order characters beyond U+FFFF before U+E000. */
export function compareTexts(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** How two values of one type compare: negative, 0 or positive. An integer and a decimal compare as decimals. */
export function compare(one: Value | undefined, other: Value | undefined): number {
  if (typeof one === "string" && typeof other === "string") return compareTexts(one, other);
  if (typeof one === "bigint" && typeof other === "bigint") return one < other ? -1 : one > other ? 1 : 0;
  const difference = [Number(one), Number(other)] as const;
  return difference[0] < difference[1] ? -1 : difference[0] > difference[1] ? 1 : 0;
}
