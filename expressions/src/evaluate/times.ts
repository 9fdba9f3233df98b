import type { AddUnit, StartUnit } from "../units.ts";
import { asDecimal, asInteger, type Computed, decimalOrNull, type Value } from "./value.ts";
import { momentOfMidnight, offsetAt, startOnClock } from "./zones.ts";

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Midnight of a day as milliseconds since 1970; years below 100 are meant as they are written. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0);
  return date.setUTCFullYear(year, month, day);
}

const [leastMs, mostMs] = [utc(1, 0, 1), utc(10_000, 0, 1) - 1];
/** A time, or none outside the years 1 to 9999. */
const timeOrNull = (epochMs: number): number | null => (epochMs >= leastMs && epochMs <= mostMs ? epochMs : null);

/** ISO, in UTC, with milliseconds only where there are some. A whole day is a date. */
export function timeText(epochMs: number, day: boolean): string | null {
  if (timeOrNull(epochMs) === null) return null;
  const iso = new Date(epochMs).toISOString();
  return day ? iso.slice(0, 10) : iso.replace(".000Z", "Z");
}

const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?$/;

/** A day or a time of ISO; hours are 0 to 23. Digits beyond milliseconds are cut. */
function parsed(text: string): number | null {
  const match = iso.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const [fraction = "", sign = "", offsetHours = "0", offsetMinutes = "0"] = match
    .slice(7)
    .map((one: string | undefined) => one ?? undefined);
  const midnight = new Date(utc(year, month - 1, day));
  const isDay = month >= 1 && midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  if (!isDay || hour > 23 || minute > 59 || second > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const clock = hour * hourMs + minute * minuteMs + second * secondMs + Number(fraction.padEnd(3, "0").slice(0, 3));
  const offset = (sign === "-" ? -1 : 1) * (Number(offsetHours) * hourMs + Number(offsetMinutes) * minuteMs);
  return timeOrNull(midnight.getTime() + clock - offset);
}

/** Seconds are rounded to milliseconds. */
const time: Computed = ([value]) => (typeof value === "string" ? parsed(value) : timeOrNull(Math.round(asDecimal(value) * 1_000)));

const zoneOf = (zone: Value | undefined): string | undefined => (typeof zone === "string" ? zone : undefined);

/** A part of the local time, which the date has as if it were UTC. */
const part =
  (read: (local: Date) => number): Computed =>
  ([value, zone]) =>
    BigInt(read(new Date(asDecimal(value) + offsetAt(zoneOf(zone), asDecimal(value)))));

const weekday = (local: Date): number => local.getUTCDay() || 7;

/** The week of the year that has its Thursday. */
function isoWeek(local: Date): number {
  const thursday = new Date(local.getTime() + (4 - weekday(local)) * dayMs);
  return Math.floor((thursday.getTime() - utc(thursday.getUTCFullYear(), 0, 1)) / dayMs / 7) + 1;
}

/** The midnight that begins a unit of days. */
function localStart(local: Date, unit: Exclude<StartUnit, "minute" | "hour">): number {
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  const starts = {
    day: utc(year, month, day),
    week: utc(year, month, day) - (weekday(local) - 1) * dayMs,
    month: utc(year, month, 1),
    quarter: utc(year, month - (month % 3), 1),
    year: utc(year, 0, 1),
  };
  return starts[unit];
}

const startOf: Computed = ([value, unit, given]) => {
  const [epochMs, zone] = [asDecimal(value), zoneOf(given)];
  const named = unit as StartUnit;
  if (named === "minute" || named === "hour") return timeOrNull(startOnClock(zone, epochMs, named === "minute" ? minuteMs : hourMs));
  return timeOrNull(momentOfMidnight(zone, localStart(new Date(epochMs + offsetAt(zone, epochMs)), named)));
};

const fixed: Partial<Record<AddUnit, number>> = { second: secondMs, minute: minuteMs, hour: hourMs, day: dayMs, week: 7 * dayMs };
const months: Partial<Record<AddUnit, number>> = { month: 1, quarter: 3, year: 12 };
/** More of any unit leaves the years 1 to 9999. */
const mostUnits = 1_000_000_000_000n;

const add: Computed = ([value, count, unit]) => {
  const [epochMs, units] = [asDecimal(value), asInteger(count)];
  if (units > mostUnits || units < -mostUnits) return null;
  const size = fixed[unit as AddUnit];
  return timeOrNull(
    size === undefined ? laterByMonths(epochMs, Number(units) * (months[unit as AddUnit] ?? 0)) : epochMs + Number(units) * size,
  );
};

/** The same day and clock so many months later, or the last day of that month. NaN far outside the calendar. */
function laterByMonths(epochMs: number, count: number): number {
  const date = new Date(epochMs);
  const first = utc(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
  const lastDay = new Date(utc(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 0)).getUTCDate();
  const clock = epochMs - utc(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return first + (Math.min(date.getUTCDate(), lastDay) - 1) * dayMs + clock;
}

const between =
  (unitMs: number): Computed =>
  ([from, to]) =>
    decimalOrNull((asDecimal(to) - asDecimal(from)) / unitMs);

export const timeFunctions = {
  time,
  year: part((local) => local.getUTCFullYear()),
  quarter: part((local) => Math.floor(local.getUTCMonth() / 3) + 1),
  month: part((local) => local.getUTCMonth() + 1),
  week: part(isoWeek),
  day: part((local) => local.getUTCDate()),
  weekday: part(weekday),
  hour: part((local) => local.getUTCHours()),
  minute: part((local) => local.getUTCMinutes()),
  second: part((local) => local.getUTCSeconds()),
  start_of: startOf,
  add,
  seconds_between: between(secondMs),
  days_between: between(dayMs),
  epoch: ([value]) => asDecimal(value) / secondMs,
} satisfies Readonly<Record<string, Computed>>;
