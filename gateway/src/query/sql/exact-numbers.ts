import { type Operator, satisfies } from "@fairway/contract/columns";
import type { Storage, WideInteger } from "./table.ts";

/** A comparison with a number that the column can hold, scaled to its fraction digits: with two digits, 1.5 becomes 150. */
export type ExactBound =
  | { readonly operator: Operator; readonly scaled: bigint }
  /** All rows with a value, or no row. `everything` also includes rows without a value, as `<>` does. */
  | "anyValue"
  | "nothing"
  | "everything";

/** Whether values are integers of 128 bits, for which few formats have a type. */
export const isHuge = (storage: Storage): boolean =>
  storage.kind === "integer" && (storage.width === "int128" || storage.width === "uint128");

/** Decimals with up to this many digits survive a round trip through a JSON number. */
const roundTripDigits = 15;

/**
 * The digits to compare a column with if comparing doubles would lose precision: those of the text, or of the number as
 * written in decimal. Undefined if the column is compared with a double: a number with more digits than survive JSON may stand
 * for one that a reader of JSON has rounded, so it finds all values that are read as it.
 */
export function exactDigits(storage: Storage, value: string | boolean | bigint | number, digits: string | undefined): string | undefined {
  const shown = digits ?? (typeof value === "number" || typeof value === "bigint" ? String(value) : undefined);
  if (storage.kind === "integer") return shown;
  if (storage.kind !== "exact-decimal") return undefined;
  if (typeof value === "bigint") return shown;
  const isExact = storage.digits <= roundTripDigits || significantDigits(value) <= roundTripDigits;
  return isExact ? shown : digits;
}

function significantDigits(value: string | boolean | number): number {
  if (typeof value !== "number") return Infinity;
  const [digits = ""] = value.toExponential().split("e");
  return digits.replaceAll(/\D/g, "").length;
}

/** Meaning of `column operator number` for whole multiples of the column's last digit. */
export function exactBound(storage: Storage & { kind: "integer" | "exact-decimal" }, operator: Operator, digits: string): ExactBound {
  const { scaled, isExact } = scale(digits, storage.kind === "integer" ? 0 : storage.scale);
  const range = rangeOf(storage);
  const isHeld = isExact && scaled >= range.min && scaled <= range.max;
  switch (operator) {
    case "=":
      return isHeld ? { operator, scaled } : "nothing";
    case "<>":
      return isHeld ? { operator, scaled } : "everything";
    // `scaled` is rounded down: values between it and the next multiple are above it.
    case "<":
    case ">=":
      return boundWithin(range, operator, isExact ? scaled : scaled + 1n);
    case "<=":
    case ">":
      return boundWithin(range, operator, scaled);
    default:
      return operator satisfies never;
  }
}

/** Beyond the range, every value of the column compares with the bound in the same way. */
function boundWithin({ min, max }: { readonly min: bigint; readonly max: bigint }, operator: Operator, scaled: bigint): ExactBound {
  if (scaled >= min && scaled <= max) return { operator, scaled };
  return satisfies(operator, scaled > max ? -1 : 1) ? "anyValue" : "nothing";
}

/** A decimal in multiples of 10^-scale, rounded down. */
function scale(digits: string, fractionDigits: number): { scaled: bigint; isExact: boolean } {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(digits) ?? [];
  const value = BigInt(`${whole}${fraction}` || "0") * (sign === "-" ? -1n : 1n);
  const shift = Number(exponent) - fraction.length + fractionDigits;
  if (shift >= 0) return { scaled: value * 10n ** BigInt(shift), isExact: true };
  const divisor = 10n ** BigInt(-shift);
  const isExact = value % divisor === 0n;
  // Division of bigints rounds towards zero.
  return { scaled: value / divisor - (!isExact && value < 0n ? 1n : 0n), isExact };
}

function rangeOf(storage: Storage & { kind: "integer" | "exact-decimal" }): { min: bigint; max: bigint } {
  if (storage.digits !== undefined) {
    const max = 10n ** BigInt(storage.digits) - 1n;
    return { min: -max, max };
  }
  return integerRanges[storage.kind === "integer" ? (storage.width ?? "int64") : "int64"];
}

const integerRanges: Readonly<Record<WideInteger | "int64", { min: bigint; max: bigint }>> = {
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  uint64: { min: 0n, max: 2n ** 64n - 1n },
  int128: { min: -(2n ** 127n), max: 2n ** 127n - 1n },
  uint128: { min: 0n, max: 2n ** 128n - 1n },
};

/** A scaled number as a decimal with this many fraction digits. */
export function decimalText(scaled: bigint, fractionDigits: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(fractionDigits + 1, "0");
  const at = digits.length - fractionDigits;
  return `${scaled < 0n ? "-" : ""}${digits.slice(0, at)}${fractionDigits === 0 ? "" : `.${digits.slice(at)}`}`;
}
