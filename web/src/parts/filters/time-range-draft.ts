import { isSpan, type LastSpan, mostOf, type SpanUnit } from "@fairway/contract/relative-times";
import { utcText } from "#lib/dates.ts";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { parseRange, parseTime, timeExamples } from "./time-input.ts";
import { lastRangeOf, timeRangeOf } from "#parts/search-model/time-range.ts";

/** The fields of the range dialog as they stand. */
export interface RangeDraft {
  start: string;
  end: string;
  /** A range that follows the clock: start and end then only say what it is now. */
  last?: LastDraft;
}

export interface LastDraft {
  amount: string;
  unit: SpanUnit;
}

export interface RangeVerdict {
  /** Null where both fields are empty, which means any time; undefined while something is wrong. */
  range: TimeRangeFilter | null | undefined;
  startProblem?: string;
  endProblem?: string;
  lastProblem?: string;
}

export const draftOf = (range: { startMs: number; endMs: number; last?: LastSpan | undefined } | null): RangeDraft => ({
  start: range ? (utcText(range.startMs) ?? "") : "",
  end: range ? (utcText(range.endMs) ?? "") : "",
  ...(range?.last ? { last: { amount: String(range.last.amount), unit: range.last.unit } } : {}),
});

/** The draft with another span; without an amount it is fixed at what it was. */
export function withLast({ start, end }: RangeDraft, last: LastDraft, nowMs: number): RangeDraft {
  if (last.amount.trim() === "") return { start, end };
  const span = spanOf(last);
  return span ? { ...draftOf(lastRangeOf(span, nowMs)), last } : { start, end, last };
}

function spanOf({ amount, unit }: LastDraft): LastSpan | undefined {
  const span = { amount: /^\s*\d{1,6}\s*$/.test(amount) ? Number(amount) : Number.NaN, unit };
  return isSpan(span) ? span : undefined;
}

/** A whole range put into one of the fields fills both. Undefined where the text is not one, or a single day, month or year. */
export function draftOfPasted(text: string): RangeDraft | undefined {
  if (parseTime(text) !== undefined) return undefined;
  const range = parseRange(text);
  return range && draftOf(range);
}

/** The draft with a whole range that stands in one of its fields spread over both. */
export const spread = (draft: RangeDraft): RangeDraft =>
  draft.last ? draft : (draftOfPasted(draft.start) ?? draftOfPasted(draft.end) ?? draft);

/** `nowMs` matters to a range that follows the clock only. */
export function judge({ start, end, last }: RangeDraft, nowMs: number): RangeVerdict {
  if (last) {
    const span = spanOf(last);
    if (span) return { range: lastRangeOf(span, nowMs) };
    return { range: undefined, lastProblem: `A whole number from 1 to ${mostOf(last.unit).toLocaleString("en-US")}.` };
  }
  const [startText, endText] = [start.trim(), end.trim()];
  if (startText === "" && endText === "") return { range: null };
  const startMs = parseTime(startText, "start");
  const endMs = parseTime(endText, "end");
  const startProblem = problemOf(startText, startMs, "Add a start.");
  const endProblem = problemOf(endText, endMs, "Add an end.") ?? reversed(startMs, endMs);
  if (startMs === undefined || endMs === undefined || endProblem !== undefined) {
    return { range: undefined, ...(startProblem ? { startProblem } : {}), ...(endProblem ? { endProblem } : {}) };
  }
  return { range: timeRangeOf(startMs, endMs) };
}

function problemOf(text: string, epochMs: number | undefined, missing: string): string | undefined {
  if (epochMs !== undefined) return undefined;
  return text === "" ? missing : `Not a time. Try ${timeExamples}.`;
}

function reversed(startMs: number | undefined, endMs: number | undefined): string | undefined {
  return startMs !== undefined && endMs !== undefined && endMs < startMs ? "The end is before the start." : undefined;
}

/** `YYYY-MM-DD` of a readable text, for the calendar. */
export function dayOf(text: string, edge: "start" | "end"): string | null {
  const epochMs = parseTime(text, edge);
  if (epochMs === undefined) return null;
  const day = new Date(epochMs).toISOString().slice(0, 10);
  return /^\d{4}-/.test(day) ? day : null;
}

/** Whole days picked in the calendar. A time that was typed for a day that stays is kept. */
export function draftOfDays(before: RangeDraft, startDay: string | null, endDay: string | null): RangeDraft {
  const keep = (text: string, day: string, edge: "start" | "end"): string =>
    dayOf(text, edge) === day ? text : (utcText(parseTime(day, edge) ?? Number.NaN) ?? "");
  return {
    start: startDay ? keep(before.start, startDay, "start") : "",
    end: endDay ? keep(before.end, endDay, "end") : "",
  };
}
