import { idsOfDay } from "./event-ids.ts";

/** Days with matching events, latest first. */
export type Days = readonly { readonly day: number; readonly events: number; readonly shapes: number; readonly total: number }[];

/** Consecutive days that contain the wanted events. */
export interface Span {
  readonly firstDay: number;
  readonly lastDay: number;
  /** Matching events to skip at the end of the last day. */
  readonly skip: number;
  /** Totals of these days: matching events, an upper bound of their distinct shapes, and all events. */
  readonly events: number;
  readonly shapes: number;
  readonly total: number;
}

/** The span of a page that starts at `offset`, newest first; undefined beyond the last event. */
export function spanOfPage(days: Days, offset: number, limit: number): Span | undefined {
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

/** The days from index `start` on that together contain `wanted` events. */
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

/** Splits the days into spans of at most `size` events, or of a single day. */
export function* spansOf(days: Days, size: number): Generator<Span> {
  for (let start = 0; start < days.length;) {
    let end = start + 1;
    let events = days[start]?.events ?? 0;
    while (end < days.length && events + (days[end]?.events ?? 0) <= size) events += days[end++]?.events ?? 0;
    yield spanFrom(days.slice(start, end), 0, 0, events);
    start = end;
  }
}

/** The ids of whole days, limited to a range of ids. */
export function idsOfDays(range: { first: bigint; last: bigint }, firstDay: number, lastDay: number): { first: bigint; last: bigint } {
  const [{ first }, { last }] = [idsOfDay(firstDay), idsOfDay(lastDay)];
  return { first: range.first > first ? range.first : first, last: range.last < last ? range.last : last };
}
