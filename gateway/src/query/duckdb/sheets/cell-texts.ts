import type { NumberFormat } from "./number-formats.ts";

/** A number of a sheet as text, and whether it is still a number. */
export interface NumberText {
  readonly text: string;
  readonly isNumber: boolean;
}

const dayMs = 86_400_000;
/** The day of serial number 0, once the missing day of 1900 is past. */
const startOf1900 = Date.UTC(1899, 11, 30);
const startOf1904 = Date.UTC(1904, 0, 1);
/** Of 1900-02-29, a day that never was. */
const noDay = 60;
const endMs = Date.UTC(10_000, 0, 1);

/** A number as its format shows it, where that is another kind of value: days and times in ISO 8601, clocks, durations, codes. */
export function numberText(value: number, format: NumberFormat, is1904: boolean): NumberText {
  switch (format.kind) {
    case "general":
    case "percent":
      return { text: String(value), isNumber: true };
    case "zeros":
      return Number.isInteger(value) && value >= 0
        ? { text: withZeros(value, format.pattern), isNumber: false }
        : { text: String(value), isNumber: true };
    case "duration":
      return { text: durationText(value, format), isNumber: false };
    case "date":
      return { text: dateText(value, format, is1904), isNumber: false };
    default:
      return format satisfies never;
  }
}

/** Digits are filled in from the right; more digits than places stand before them. */
function withZeros(value: number, pattern: readonly (string | null)[]): string {
  const digits = Array.from(String(value));
  let text = "";
  for (const part of pattern.toReversed()) text = (part ?? digits.pop() ?? "0") + text;
  return digits.join("") + text;
}

function durationText(days: number, { unit, hasSeconds }: Extract<NumberFormat, { kind: "duration" }>): string {
  const sign = days < 0 ? "-" : "";
  const ms = Math.round(Math.abs(days) * dayMs);
  const seconds = Math.floor(ms / 1_000);
  const rest = ms % 1_000 === 0 ? "" : `.${String(ms % 1_000).padStart(3, "0")}`;
  if (unit === "s") return `${sign}${seconds}${rest}`;
  if (unit === "m") return `${sign}${Math.floor(seconds / 60)}:${two(seconds % 60)}${rest}`;
  const clock = `${sign}${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}`;
  return hasSeconds || seconds % 60 !== 0 || rest !== "" ? `${clock}:${two(seconds % 60)}${rest}` : clock;
}

/**
 * Numbers below 1 are clocks, if the format has one. Numbers that are no day of the calendar stay as they are, and 60 becomes the day
 * that spreadsheets show: both cannot be read as times and are counted.
 */
function dateText(value: number, { hasDay, hasClock, hasSeconds }: Extract<NumberFormat, { kind: "date" }>, is1904: boolean): string {
  const isClock = value >= 0 && value < 1 && hasClock && (!hasDay || !is1904);
  if (isClock) return clockText(Math.round(value * dayMs), hasSeconds);
  const ms = Math.round(value * dayMs);
  if (!is1904 && Math.floor(ms / dayMs) === noDay)
    return `1900-02-29${ms % dayMs === 0 && !hasClock ? "" : `T${clockText(ms % dayMs, true)}`}`;
  const start = is1904 ? startOf1904 : startOf1900 + (ms < noDay * dayMs ? dayMs : 0);
  const moment = start + ms;
  if (ms < (is1904 ? 0 : dayMs) || moment >= endMs) return String(value);
  const iso = new Date(moment).toISOString();
  const day = iso.slice(0, 10);
  return !hasClock && moment % dayMs === 0 ? day : `${day}T${clockText(((moment % dayMs) + dayMs) % dayMs, true)}`;
}

function clockText(ms: number, hasSeconds: boolean): string {
  const seconds = Math.floor(ms / 1_000);
  const rest = ms % 1_000 === 0 ? "" : `.${String(ms % 1_000).padStart(3, "0")}`;
  const clock = `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}`;
  return hasSeconds || seconds % 60 !== 0 || rest !== "" ? `${clock}:${two(seconds % 60)}${rest}` : clock;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Characters that XML cannot hold: `_x000D_`, and `_x005F_` before a text that only looks like one. */
export const unescaped = (text: string): string =>
  text.includes("_x") ? text.replaceAll(/_x([\da-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text;
