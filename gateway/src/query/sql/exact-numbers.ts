import type { Operator } from "@fairway/contract/columns";
import type { Storage } from "./table.ts";

/** A comparison with a number that the column can hold: scaled to its fraction digits, so that 1.5 is 150 of two digits. */
export type ExactBound =
  | { readonly operator: Operator; readonly scaled: bigint }
  /** All rows with a value, or none of them. `<>` keeps rows without one as well: `everything`. */
  | "anyValue"
  | "nothing"
  | "everything";

/** Decimals of so many digits come out of a JSON number as they went in. */
const roundTripDigits = 15;

/**
 * The digits to compare a column with, where comparing doubles would lose some: those of a text, and of a number what the
 * column itself shows as that number. Undefined where the column is compared with a double.
 */
export function exactDigits(storage: Storage, value: string | boolean | bigint | number, digits: string | undefined): string | undefined {
  const shown = digits ?? (typeof value === "number" ? String(value) : undefined);
  if (storage.kind === "integer") return shown;
  if (storage.kind !== "exact-decimal") return undefined;
  return storage.digits <= roundTripDigits ? shown : digits;
}

/** What `column operator number` means for whole multiples of the column's last digit. */
export function exactBound(storage: Storage & { kind: "integer" | "exact-decimal" }, operator: Operator, digits: string): ExactBound {
  const { scaled, isExact } = scale(digits, storage.kind === "integer" ? 0 : storage.scale);
  const { least, most } = rangeOf(storage);
  if (operator === "=" || operator === "<>") {
    if (isExact && scaled >= least && scaled <= most) return { operator, scaled };
    return operator === "=" ? "nothing" : "everything";
  }
  // `scaled` is the next multiple below: what lies between is above it.
  const bound = (operator === "<" || operator === ">=") && !isExact ? scaled + 1n : scaled;
  const keepsSmaller = operator === "<" || operator === "<=";
  if (bound > most) return keepsSmaller ? "anyValue" : "nothing";
  if (bound < least) return keepsSmaller ? "nothing" : "anyValue";
  return { operator, scaled: bound };
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

function rangeOf(storage: Storage & { kind: "integer" | "exact-decimal" }): { least: bigint; most: bigint } {
  if (storage.digits !== undefined) {
    const most = 10n ** BigInt(storage.digits) - 1n;
    return { least: -most, most };
  }
  const bits = storage.kind === "integer" && storage.huge === true ? 127n : 64n;
  return { least: -(2n ** bits), most: 2n ** bits - 1n };
}

/** A scaled number as a decimal of so many fraction digits. */
export function decimalText(scaled: bigint, fractionDigits: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(fractionDigits + 1, "0");
  const at = digits.length - fractionDigits;
  return `${scaled < 0n ? "-" : ""}${digits.slice(0, at)}${fractionDigits === 0 ? "" : `.${digits.slice(at)}`}`;
}
