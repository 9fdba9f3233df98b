import { satisfies } from "@fairway/contract/columns";
import type { CalendarPart, Comparison, Filter, PlainFilter } from "@fairway/contract/filters";
import type { CellValue } from "@fairway/contract/search";
import { type OracleRow, type RandomColumn, randomColumns } from "./random-table.ts";

type Listed = string | number | boolean | null;

/** Whether a row of a random table satisfies a filter, without SQL. */
export function matches(filter: Filter, row: OracleRow): boolean {
  if (filter.operator === "any") return filter.value.some((list) => list.every((one) => matchesPlain(one, row)));
  return matchesPlain(filter, row);
}

function matchesPlain(filter: PlainFilter, row: OracleRow): boolean {
  const { name, operator } = filter;
  const shown = row[name] ?? null;
  if (operator.startsWith("not ")) return !matchesPlain({ ...filter, operator: operator.slice(4) } as PlainFilter, row);
  const compared = (value: Listed) => compareShown(name as RandomColumn, shown, value);
  switch (filter.operator) {
    case "in":
      return filter.value.some((value) => (value === null ? shown === null : shown !== null && compared(value) === 0));
    case "between": {
      const [low, high] = filter.value;
      return shown !== null && compared(low) >= 0 && compared(high) <= 0;
    }
    case "contains":
      return typeof shown === "string" && shown.toLowerCase().includes(filter.value.toLowerCase());
    case "starts with":
      return typeof shown === "string" && shown.toLowerCase().startsWith(filter.value.toLowerCase());
    case "when": {
      const { part, zone, in: numbers } = filter.value;
      return shown !== null && numbers.includes(partOf(part, shownMs(name as RandomColumn, shown), zone));
    }
    case "not in":
    case "not between":
    case "not contains":
    case "not starts with":
    case "not when":
      throw new Error("negations are read above");
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return matchesComparison(filter, shown, compared);
    default:
      return filter satisfies never;
  }
}

function matchesComparison({ operator, value }: Comparison, shown: CellValue, compared: (value: Listed) => number): boolean {
  if (value === null) return (shown === null) === (operator === "=");
  if (shown === null) return operator === "<>";
  return satisfies(operator, compared(value));
}

/** Compares a value as it is shown with one of a filter, exactly: texts by code point, numbers by their digits. */
export function compareShown(column: RandomColumn, shown: CellValue, value: Listed): number {
  const type = randomColumns[column];
  if (type === "STRING") return Buffer.compare(Buffer.from(String(shown)), Buffer.from(String(value)));
  if (type === "BOOLEAN") return Number(String(shown) === "true") - Number(String(value) === "true");
  if (type === "TIMESTAMP_MILLS" || type === "TIMESTAMP_SECONDS") return shownMs(column, shown) - filterMs(column, value);
  if (column === "real" || column === "single") return Number(shown) - Number(value);
  const [one, other] = [scaled(shown), scaled(value)];
  return one < other ? -1 : one > other ? 1 : 0;
}

const digits = 12;

function scaled(value: CellValue): bigint {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  const all = BigInt(`${whole}${fraction.padEnd(digits, "0")}`);
  return sign === "-" ? -all : all;
}

/** Epoch milliseconds of a time as it is shown. */
export const shownMs = (column: RandomColumn, shown: CellValue): number =>
  randomColumns[column] === "TIMESTAMP_SECONDS" ? Number(shown) * 1_000 : Number(shown);

/** Epoch milliseconds of a time in a filter. */
export const filterMs = (column: RandomColumn, value: Listed): number =>
  typeof value === "number" ? shownMs(column, value) : Date.parse(String(value));

const formats = new Map<string, Intl.DateTimeFormat>();

/** The clocks of a zone, in milliseconds as if they showed UTC. */
export function clockOf(ms: number, zone: string): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat("en-CA", { timeZone: zone, hourCycle: "h23", dateStyle: "short", timeStyle: "medium" });
  formats.set(zone, format);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = format.format(ms).split(/\D+/).map(Number);
  return ms + Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000;
}

export function partOf(part: CalendarPart, ms: number, zone: string): number {
  const local = new Date(clockOf(ms, zone));
  switch (part) {
    case "minuteOfHour":
      return local.getUTCMinutes();
    case "hourOfDay":
      return local.getUTCHours();
    case "dayOfWeek":
      return local.getUTCDay() === 0 ? 7 : local.getUTCDay();
    case "dayOfMonth":
      return local.getUTCDate();
    case "monthOfYear":
      return local.getUTCMonth() + 1;
    case "quarterOfYear":
      return Math.floor(local.getUTCMonth() / 3) + 1;
    case "weekOfYear": {
      // The week of a day is that of its Thursday.
      const thursday = new Date(local.getTime() + (3 - ((local.getUTCDay() + 6) % 7)) * 86_400_000);
      return Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 604_800_000) + 1;
    }
    default:
      return part satisfies never;
  }
}
