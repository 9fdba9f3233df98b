import { isSpan, type LastSpan, maxAmount, type SpanUnit } from "@fairway/contract/relative-times";
import { utcText } from "@fairway/contract/utc-texts";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { parseRange, parseTime, timeExamples } from "./time-input.ts";
import { lastRangeOf, type TimeBounds, timeRangeOf } from "#parts/search-model/time-range.ts";

/** The fields of the range dialog as typed. */
export interface RangeDraft {
  start: string;
  end: string;
  /** Present for a relative range; start and end then show it as of now. */
  last?: LastDraft;
}

export interface LastDraft {
  amount: string;
  unit: SpanUnit;
}

export interface RangeValidation {
  /** Null for any time (both fields empty); undefined while there is a problem. */
  range: TimeRangeFilter | null | undefined;
  startProblem?: string;
  endProblem?: string;
  lastProblem?: string;
}

export const toDraft = (range: (TimeBounds & { last?: LastSpan | undefined }) | null): RangeDraft => ({
  start: timeText(range?.startMs),
  end: timeText(range?.endMs),
  ...(range?.last ? { last: { amount: String(range.last.amount), unit: range.last.unit } } : {}),
});

const timeText = (epochMs: number | null | undefined): string =>
  epochMs === null || epochMs === undefined ? "" : (utcText(epochMs) ?? "");

/** The draft with another relative range; clearing the amount keeps the current start and end as a fixed range. */
export function withLast({ start, end }: RangeDraft, last: LastDraft, nowMs: number): RangeDraft {
  if (last.amount.trim() === "") return { start, end };
  const span = spanOf(last);
  return span ? { ...toDraft(lastRangeOf(span, nowMs)), last } : { start, end, last };
}

function spanOf({ amount, unit }: LastDraft): LastSpan | undefined {
  const span = { amount: /^\s*\d{1,6}\s*$/.test(amount) ? Number(amount) : Number.NaN, unit };
  return isSpan(span) ? span : undefined;
}

/** A draft of a range pasted into one field; undefined for anything else, including a single day, month or year. */
export function parsePastedRange(text: string): RangeDraft | undefined {
  if (parseTime(text) !== undefined) return undefined;
  const range = parseRange(text);
  return range && toDraft(range);
}

/** Distributes a range in one of the fields over both. */
export const expandPastedRange = (draft: RangeDraft): RangeDraft =>
  draft.last ? draft : (parsePastedRange(draft.start) ?? parsePastedRange(draft.end) ?? draft);

/** An empty field leaves its end open. `nowMs` is used only for relative ranges. */
export function validateRange({ start, end, last }: RangeDraft, nowMs: number): RangeValidation {
  if (last) {
    const span = spanOf(last);
    if (span) return { range: lastRangeOf(span, nowMs) };
    return { range: undefined, lastProblem: `Enter a whole number from 1 to ${maxAmount(last.unit).toLocaleString("en-US")}.` };
  }
  const [startText, endText] = [start.trim(), end.trim()];
  if (startText === "" && endText === "") return { range: null };
  const startMs = parseTime(startText, "start");
  const endMs = parseTime(endText, "end");
  const startProblem = problemOf(startText, startMs);
  const endProblem = problemOf(endText, endMs) ?? reversed(startMs, endMs);
  if (startProblem !== undefined || endProblem !== undefined) {
    return { range: undefined, ...(startProblem ? { startProblem } : {}), ...(endProblem ? { endProblem } : {}) };
  }
  return { range: timeRangeOf(startMs ?? null, endMs ?? null) };
}

const problemOf = (text: string, epochMs: number | undefined): string | undefined =>
  epochMs !== undefined || text === "" ? undefined : `Not a time. Try ${timeExamples}.`;

function reversed(startMs: number | undefined, endMs: number | undefined): string | undefined {
  return startMs !== undefined && endMs !== undefined && endMs < startMs ? "The end is before the start." : undefined;
}

/** The day of a time as `YYYY-MM-DD`, for the calendar; null when it cannot be parsed. */
export function dayOf(text: string, edge: "start" | "end"): string | null {
  const epochMs = parseTime(text, edge);
  if (epochMs === undefined) return null;
  const day = new Date(epochMs).toISOString().slice(0, 10);
  return /^\d{4}-/.test(day) ? day : null;
}

/** The draft with days picked in the calendar. The typed time of an unchanged day is kept. */
export function withDays(draft: RangeDraft, startDay: string | null, endDay: string | null): RangeDraft {
  const keep = (text: string, day: string, edge: "start" | "end"): string =>
    dayOf(text, edge) === day ? text : (utcText(parseTime(day, edge) ?? Number.NaN) ?? "");
  return {
    start: startDay ? keep(draft.start, startDay, "start") : "",
    end: endDay ? keep(draft.end, endDay, "end") : "",
  };
}
