import type { ParquetParsers, SchemaElement } from "hyparquet";
import { isDecimal } from "./parquet-schema.ts";

const maxTextLength = 1_000;

/** Times as texts with every digit that they have. JSON, geometries and identifiers of other systems stay as they are written. */
export const textParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value: bigint) => timestampText(value, 3),
  timestampFromMicroseconds: (value: bigint) => timestampText(value, 6),
  timestampFromNanoseconds: (value: bigint) => timestampText(value, 9),
  dateFromDays: (days: number) => dateText(days),
  jsonFromBytes: (bytes: Uint8Array) => new TextDecoder().decode(bytes),
  geometryFromBytes: (bytes: Uint8Array) => bytes,
  geographyFromBytes: (bytes: Uint8Array) => bytes,
};

/** Types that the parser would change or refuse: read as they are stored, and written by `valueText`. */
export function asStored(element: SchemaElement): SchemaElement {
  const { logical_type: logical, converted_type: converted } = element;
  if (isDecimal(element) || converted === "BSON" || converted === "INTERVAL" || logical?.type === "TIME") {
    const { logical_type: _logical, converted_type: _converted, ...stored } = element;
    return stored;
  }
  return element;
}

/** A value of a column as text; empty for none. */
export function valueText(value: unknown, leaf: SchemaElement | undefined): string {
  if (value === undefined || value === null) return "";
  const text = leaf ? leafText(value, leaf) : plainText(value);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function leafText(value: unknown, leaf: SchemaElement): string {
  const { logical_type: logical, converted_type: converted, type } = leaf;
  if (isDecimal(leaf)) return decimalText(value, leaf.scale ?? 0);
  if (logical?.type === "TIME") return timeText(BigInt(value as number | bigint), unitDigits(logical.unit));
  if (converted === "TIME_MILLIS" || converted === "TIME_MICROS")
    return timeText(BigInt(value as number | bigint), converted === "TIME_MILLIS" ? 3 : 6);
  if (converted === "INTERVAL" && value instanceof Uint8Array && value.length === 12) return intervalText(value);
  const isUtc = logical?.type === "TIMESTAMP" ? logical.isAdjustedToUTC : (converted?.startsWith("TIMESTAMP") ?? false);
  if (isUtc && typeof value === "string") return `${value}Z`;
  if (type === "FLOAT" && typeof value === "number") return floatText(value);
  return plainText(value);
}

function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return bytesText(value);
  if (typeof value === "object" && value !== null) return JSON.stringify(value, replacer);
  return String(value);
}

const replacer = (_key: string, value: unknown): unknown => {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return bytesText(value);
  return value;
};

/** The shortest digits that are this number of 32 bits. */
function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(value);
}

/** Bytes that are text are shown as text, others in hexadecimal. */
function bytesText(bytes: Uint8Array): string {
  const start = bytes.subarray(0, maxTextLength);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(start);
    if (!/(?![\t\n\r])\p{Cc}/u.test(text)) return text;
  } catch {
    // Shown in hexadecimal.
  }
  return `0x${Array.from(start, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function decimalText(value: unknown, scale: number): string {
  const unscaled = value instanceof Uint8Array ? bigEndian(value) : BigInt(value as number | bigint);
  const digits = String(unscaled < 0n ? -unscaled : unscaled);
  const sign = unscaled < 0n ? "-" : "";
  if (scale <= 0 || scale > 100) return `${sign}${digits}`;
  const padded = digits.padStart(scale + 1, "0");
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes.subarray(0, 64)) value = value * 256n + BigInt(byte);
  return BigInt.asIntN(Math.min(64, bytes.length) * 8, value);
}

function intervalText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 12);
  const [months, days, ms] = [0, 4, 8].map((offset) => view.getUint32(offset, true));
  return `${months} months ${days} days ${ms} ms`;
}

const unitDigits = (unit: "MILLIS" | "MICROS" | "NANOS"): number => ({ MILLIS: 3, MICROS: 6, NANOS: 9 })[unit];

const msPerDay = 86_400_000;

/** Dates beyond those of JavaScript are shown as the number that is stored. */
function dateText(days: number): string {
  const date = new Date(days * msPerDay);
  return Number.isNaN(date.getTime()) ? String(days) : date.toISOString().replace(/T.*/, "");
}

/** `digits`: of the fraction of a second that the value counts. */
function timestampText(value: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const fraction = ((value % perSecond) + perSecond) % perSecond;
  const date = new Date(Number((value - fraction) / perSecond) * 1_000);
  if (Number.isNaN(date.getTime())) return String(value);
  return `${date.toISOString().slice(0, -5)}${fractionText(fraction, digits)}`;
}

function timeText(value: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const seconds = value / perSecond;
  if (value < 0n || seconds > 86_400n) return String(value);
  const parts = [seconds / 3_600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => String(part).padStart(2, "0"));
  return `${parts.join(":")}${fractionText(value % perSecond, digits)}`;
}

function fractionText(fraction: bigint, digits: number): string {
  if (fraction === 0n) return "";
  return fraction % 10n === 0n ? fractionText(fraction / 10n, digits - 1) : `.${String(fraction).padStart(digits, "0")}`;
}
