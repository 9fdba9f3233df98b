import type { QualityThresholds } from "@fairway/contract/dataset-quality";
import { expect, it } from "vitest";
import { evaluateQuality, type Measurement } from "./evaluate-quality.ts";

const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 1);
const dayAt = (day: number) => startMs + day * dayMs;

/** One measurement a day from day 0 on; the functions take them newest first. */
const measured = (...days: Partial<Measurement>[]): Measurement[] =>
  days.map((one, day) => Object.assign({ measuredMs: dayAt(day), rows: 100, newestMs: null, empty: {} }, one)).toReversed();
const thresholds: QualityThresholds = { lateAfterHours: 48, isByRhythm: false, rowDropPercent: 20, emptyColumns: true };
const issues = (measurements: Measurement[], changed: Partial<QualityThresholds> = {}) =>
  evaluateQuality(measurements, { ...thresholds, ...changed }).issues;
const counts = (...rows: number[]) => measured(...rows.map((one) => ({ rows: one })));
const empties = (...counted: (number | undefined)[]) =>
  measured(...counted.map((empty): Partial<Measurement> => ({ empty: empty === undefined ? {} : { name: empty } })));

it("raises no alarm before there are two measurements", () => {
  expect(issues([])).toEqual([]);
  expect(issues(measured({ rows: 0, newestMs: 0, empty: { name: 100 } }))).toEqual([]);
});

it.each([
  [[100, 100, 81], null],
  [[100, 100, 80], { before: 100, since: 2 }],
  [[100, 0], { before: 100, since: 1 }],
  [[0, 0], null],
  [[0, 100], null],
  // The first count before the drop is the one to recover to.
  [[100, 70, 50, 60], { before: 100, since: 1 }],
  [[100, 50, 81], null],
  [[100, 50, 81, 60], { before: 81, since: 3 }],
  // Slowly, or not at all.
  [[100, 90, 81, 73, 66], null],
  [[50, 50, 50], null],
] as const)("of the row counts %j, the drop is %j", (rows, drop) => {
  const expected = drop && { kind: "row-drop", before: drop.before, sinceMs: dayAt(drop.since), rows: rows.at(-1) };
  expect(issues(counts(...rows))).toEqual(expected === null ? [] : [expected]);
});

it("takes the share of rows that may disappear from the thresholds", () => {
  expect(issues(counts(100, 60), { rowDropPercent: 50 })).toEqual([]);
  expect(issues(counts(100, 50), { rowDropPercent: 50 })).toHaveLength(1);
  expect(issues(counts(100, 1), { rowDropPercent: 100 })).toEqual([]);
  expect(issues(counts(100, 0), { rowDropPercent: 100 })).toHaveLength(1);
});

it("says that rows are late since the newest one became too old, by the time of the measurement", () => {
  const newest = (...days: (number | null)[]) => measured(...days.map((day) => ({ newestMs: day === null ? null : dayAt(day) })));
  expect(issues(newest(0, 0, 0))).toEqual([]);
  expect(issues(newest(0, 0, 0, 0))).toEqual([{ kind: "late", sinceMs: dayAt(2), updatedMs: dayAt(0), lateAfterHours: 48 }]);
  expect(issues(newest(0, 0, 0, 0, 3))).toEqual([]);
  // Without times, with times in the future, and without a threshold.
  expect(issues(newest(null, null, null, null))).toEqual([]);
  expect(issues(newest(900, 900, 900, 900))).toEqual([]);
  expect(issues(newest(0, 0, 0, 0), { lateAfterHours: null })).toEqual([]);
});

it("by an update rhythm, counts a change of the rows as an update", () => {
  const changed = measured(
    { newestMs: dayAt(0) },
    { newestMs: dayAt(0), rows: 101 },
    ...Array.from({ length: 3 }, () => ({ newestMs: dayAt(0), rows: 101 })),
  );
  expect(issues(changed, { isByRhythm: true })).toEqual([{ kind: "late", sinceMs: dayAt(3), updatedMs: dayAt(1), lateAfterHours: 48 }]);
  expect(issues(changed.slice(1), { isByRhythm: true })).toEqual([]);
  expect(issues(changed.slice(1))).toMatchObject([{ updatedMs: dayAt(0) }]);
});

it.each([
  [[0, 0, 100], 2],
  [[99, 100, 100], 1],
  [[0, 100, 99], null],
  // Always empty, new, removed, and new again.
  [[100, 100, 100], null],
  [[undefined, 100, 100], null],
  [[0, 0, undefined], null],
  [[0, undefined, 100], null],
] as const)("of the empty values %j in 100 rows, the column is empty since day %j", (counted, since) => {
  const name = { name: "name", sinceMs: dayAt(since ?? 0) };
  const expected = { kind: "empty-columns", sinceMs: dayAt(since ?? 0), count: 1, columns: [name] };
  expect(issues(empties(...counted))).toEqual(since === null ? [] : [expected]);
});

it("remembers a column that became empty before the kept measurements, until it has values", () => {
  const emptied = empties(100, 100);
  const before = { emptySince: { name: dayAt(-40), gone: dayAt(-40) } };
  expect(evaluateQuality(emptied, thresholds, before).emptySince).toEqual({ name: dayAt(-40) });
  expect(evaluateQuality(empties(100, 99), thresholds, before).emptySince).toEqual({});
  expect(evaluateQuality(emptied, { ...thresholds, emptyColumns: false }, before).emptySince).toEqual({});
});

it("says of a dataset without rows that they have dropped, not that its columns are empty", () => {
  const state = evaluateQuality(measured({ empty: { name: 0 } }, { rows: 0, empty: { name: 0 } }), thresholds);
  expect(state.issues.map(({ kind }) => kind)).toEqual(["row-drop"]);
  // And keeps what was known.
  const known = { emptySince: { name: dayAt(0) } };
  expect(evaluateQuality(measured({}, { rows: 0, empty: { name: 0 } }), thresholds, known).emptySince).toEqual(known.emptySince);
});

it("lists the first 20 of many empty columns, and counts all of them", () => {
  const all = (value: number) => Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`c${index}`, value]));
  const [issue] = issues(measured({ empty: all(0) }, { empty: all(100) }));
  expect(issue).toMatchObject({ count: 2_000, columns: expect.objectContaining({ length: 20 }) });
});
