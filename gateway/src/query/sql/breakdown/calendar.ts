import type { BreakdownUnit, WeekStart } from "@fairway/contract/breakdowns";
import { type ZoneOffset, offsetAt, zoneOffsets } from "../zone-offsets.ts";

/** A bucket of time. Epoch milliseconds, half-open. `text` is where it begins on the clocks of the zone: `2001-04-01T00:00`. */
export interface TimeBucket {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

export interface Calendar {
  readonly unit: BreakdownUnit;
  readonly size: number;
  readonly zone: string;
  readonly weekStart: WeekStart;
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const weekMs = 7 * dayMs;
const months: Partial<Record<BreakdownUnit, number>> = { month: 1, quarter: 3, year: 12 };
const averageMonthMs = 30.436875 * dayMs;
/** The first of these days of the week in 1970; January 1 was a Thursday. */
const firstWeekMs: Readonly<Record<WeekStart, number>> = { monday: 4 * dayMs, sunday: 3 * dayMs, saturday: 2 * dayMs };

/** The years 1 to 9999. */
export const datedMs = { from: Date.parse("0001-01-01T00:00:00Z"), before: Date.parse("+010000-01-01T00:00:00Z") } as const;

/** About how many buckets a span has. */
export function aboutBuckets({ unit, size }: Pick<Calendar, "unit" | "size">, fromMs: number, beforeMs: number): number {
  const unitMs = {
    minute: minuteMs,
    hour: hourMs,
    day: dayMs,
    week: weekMs,
    month: averageMonthMs,
    quarter: 3 * averageMonthMs,
    year: 12 * averageMonthMs,
  };
  return Math.ceil((beforeMs - fromMs) / (unitMs[unit] * size));
}

/**
 * The buckets that a span overlaps, without gaps. Days and longer begin when the clocks of the zone first show their midnight, so that a
 * day has 23, 24 or 25 hours and a day that the zone leaves out has no bucket. Hours and minutes begin on the clock as well, and end
 * where it is changed: a repeated hour is two buckets, one that is left out none. `fromMs` and `beforeMs` themselves are no bounds.
 */
export function bucketsOf(calendar: Calendar, fromMs: number, beforeMs: number): TimeBucket[] {
  if (beforeMs <= fromMs) return [];
  const offsets = zoneOffsets(calendar.zone, fromMs - 2 * dayMs - aboveMs(calendar), beforeMs + 2 * dayMs + aboveMs(calendar));
  return calendar.unit === "hour" || calendar.unit === "minute"
    ? clockBuckets(calendar, offsets, fromMs, beforeMs)
    : dayBuckets(calendar, offsets, fromMs, beforeMs);
}

/** More than a bucket is long. */
const aboveMs = ({ unit, size }: Calendar): number => size * (unit === "day" ? dayMs : unit === "week" ? weekMs : 366 * dayMs);

function clockBuckets({ unit, size }: Calendar, offsets: readonly ZoneOffset[], fromMs: number, beforeMs: number): TimeBucket[] {
  const widthMs = size * (unit === "hour" ? hourMs : minuteMs);
  const buckets: TimeBucket[] = [];
  for (const [index, { fromMs: changeMs, offsetMs }] of offsets.entries()) {
    const endMs = Math.min(offsets[index + 1]?.fromMs ?? Infinity, beforeMs);
    const first = Math.max(changeMs, fromMs);
    for (let local = first + offsetMs - modulo(first + offsetMs, widthMs); local - offsetMs < endMs; local += widthMs) {
      const startMs = Math.max(local - offsetMs, changeMs);
      const nextMs = Math.min(local + widthMs - offsetMs, offsets[index + 1]?.fromMs ?? Infinity);
      if (nextMs > startMs) buckets.push({ startMs, endMs: nextMs, text: localText(startMs + offsetMs) });
    }
  }
  return buckets;
}

function dayBuckets(calendar: Calendar, offsets: readonly ZoneOffset[], fromMs: number, beforeMs: number): TimeBucket[] {
  const first = placeOf(calendar, fromMs + (offsets[0]?.offsetMs ?? 0)) - 1;
  const buckets: TimeBucket[] = [];
  for (let place = first; ; place += 1) {
    const local = localStart(calendar, place);
    const startMs = firstInstant(local, offsets);
    if (startMs >= beforeMs) return buckets;
    const endMs = firstInstant(localStart(calendar, place + 1), offsets);
    if (endMs > fromMs && endMs > startMs) buckets.push({ startMs, endMs, text: localText(local) });
  }
}

/** When the clocks of the zone show a local time, or a later one, for the first time. */
function firstInstant(local: number, offsets: readonly ZoneOffset[]): number {
  for (const [index, { fromMs, offsetMs }] of offsets.entries()) {
    const endMs = offsets[index + 1]?.fromMs ?? Infinity;
    if (local - offsetMs < endMs) return Math.max(local - offsetMs, fromMs);
  }
  return Infinity;
}

/** Buckets are counted from 1970, weeks from its first week start. Local times are milliseconds as if the clocks showed UTC. */
function placeOf({ unit, size, weekStart }: Calendar, local: number): number {
  if (unit === "day") return Math.floor(local / (size * dayMs));
  if (unit === "week") return Math.floor((local - firstWeekMs[weekStart]) / (size * weekMs));
  const date = new Date(local);
  return Math.floor(((date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()) / (size * (months[unit] ?? 1)));
}

function localStart({ unit, size, weekStart }: Calendar, place: number): number {
  if (unit === "day") return place * size * dayMs;
  if (unit === "week") return firstWeekMs[weekStart] + place * size * weekMs;
  return monthStart(place * size * (months[unit] ?? 1));
}

/** Months are counted from January 1970. Not Date.UTC(year, …): it reads the years 0 to 99 as 1900 to 1999. */
function monthStart(count: number): number {
  const month = modulo(count, 12);
  return new Date(0).setUTCFullYear(1970 + (count - month) / 12, month, 1);
}

/** The local time without a zone, to the minute, or to the second where it is needed. */
function localText(local: number): string {
  const text = new Date(local).toISOString().replace(/^\+0*(?=\d{4})/, "");
  const [minutes, seconds] = [text.slice(0, -8), text.slice(-7, -5)];
  return seconds === "00" ? minutes : `${minutes}:${seconds}`;
}

/** The moment that is this many months away on the clocks of the zone; on the last day of a month that is too short. */
export function movedByMonths(epochMs: number, count: number, zone: string): number {
  const local = localOf(epochMs, zone);
  const date = new Date(local);
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  const within = local - monthStart(month);
  const lastDay = (monthStart(month + count + 1) - monthStart(month + count)) / dayMs - 1;
  const moved = monthStart(month + count) + Math.min(Math.floor(within / dayMs), lastDay) * dayMs + modulo(within, dayMs);
  return instantOf(moved, zone);
}

/** The moment at which the clocks of the zone first show a local time, or the next one that they show. */
export const instantOf = (local: number, zone: string): number =>
  firstInstant(local, zoneOffsets(zone, local - 2 * dayMs, local + 2 * dayMs));

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

/** The time on the clocks of the zone, in milliseconds as if they showed UTC. */
export const localOf = (epochMs: number, zone: string): number => epochMs + offsetAt(zone, epochMs);

/** The number of months since 1970 that have passed on the clocks of the zone; undefined within a month. */
export function monthOf(epochMs: number, zone: string): number | undefined {
  const local = localOf(epochMs, zone);
  const date = new Date(local);
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return monthStart(month) === local ? month : undefined;
}
