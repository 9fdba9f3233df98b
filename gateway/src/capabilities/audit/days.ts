import { idsOfDay } from "./event-ids.ts";

/** Days on which something matches, latest first. */
export type Days = readonly { readonly day: number; readonly events: number; readonly shapes: number; readonly total: number }[];

/** Neighbouring days that hold what is wanted. */
export interface Span {
  readonly firstDay: number;
  readonly lastDay: number;
  /** Matching events at the end of the last day that come before what is wanted. */
  readonly skip: number;
  /** Of all these days: matching events, their different shapes at most, and all events. */
  readonly events: number;
  readonly shapes: number;
  readonly total: number;
}

/** Where the events from `offset` on are, newest first; undefined beyond the last one. */
export function placeOf(days: Days, offset: number, limit: number): Span | undefined {
  let before = 0;
  const start = days.findIndex(({ events }) => {
    if (before + events > offset) return true;
    before += events;
    return false;
  });
  const latest = days[start];
  if (latest === undefined) return undefined;
  const skip = offset - before;
  return spanFrom(days, start, skip, skip + limit);
}

/** Days from the one at `start` on, until they hold as many events. */
function spanFrom(days: Days, start: number, skip: number, wanted: number): Span {
  let [events, shapes, total] = [0, 0, 0];
  let firstDay = 0;
  for (const day of days.slice(start)) {
    events += day.events;
    shapes += day.shapes;
    total += day.total;
    firstDay = day.day;
    if (events >= wanted) break;
  }
  return { firstDay, lastDay: days[start]?.day ?? firstDay, skip, events, shapes, total };
}

/** The days one after the other, several together as long as these hold no more than `size` events. */
export function* spansOf(days: Days, size: number): Generator<Span> {
  for (let start = 0; start < days.length;) {
    let end = start + 1;
    let events = days[start]?.events ?? 0;
    while (end < days.length && events + (days[end]?.events ?? 0) <= size) events += days[end++]?.events ?? 0;
    yield spanFrom(days.slice(start, end), 0, 0, events);
    start = end;
  }
}

/** The ids of whole days within a range of ids. */
export function daysOf(range: { first: bigint; last: bigint }, firstDay: number, lastDay: number): { first: bigint; last: bigint } {
  const [{ first }, { last }] = [idsOfDay(firstDay), idsOfDay(lastDay)];
  return { first: range.first > first ? range.first : first, last: range.last < last ? range.last : last };
}
