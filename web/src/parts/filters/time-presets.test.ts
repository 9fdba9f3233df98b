import { expect, it } from "vitest";
import { dataPresets, currentPresets, presetGroupsOf, quickPresets, type TimePreset } from "./time-presets.ts";

const now = Date.UTC(2026, 11, 15, 10, 30, 5, 250);
const spans = (presets: readonly TimePreset[]) =>
  Object.fromEntries(
    presets.map(({ label, rangeAt }) => {
      const { startMs, endMs } = rangeAt(now);
      return [label, `${new Date(startMs).toISOString()}/${new Date(endMs).toISOString()}`];
    }),
  );

it("[SEARCH-23] counts back from now in whole seconds, and uses the calendar month and year in UTC", () => {
  expect(spans(currentPresets)).toStrictEqual({
    "Last 15 minutes": "2026-12-15T10:15:05.000Z/2026-12-15T10:30:05.000Z",
    "Last 1 hour": "2026-12-15T09:30:05.000Z/2026-12-15T10:30:05.000Z",
    "Last 24 hours": "2026-12-14T10:30:05.000Z/2026-12-15T10:30:05.000Z",
    "Last 7 days": "2026-12-08T10:30:05.000Z/2026-12-15T10:30:05.000Z",
    "Last 30 days": "2026-11-15T10:30:05.000Z/2026-12-15T10:30:05.000Z",
    "This month": "2026-12-01T00:00:00.000Z/2026-12-31T23:59:59.000Z",
    "This year": "2026-01-01T00:00:00.000Z/2026-12-31T23:59:59.000Z",
  });
});

it("makes only the last minutes, hours and days relative", () => {
  const relative = [...currentPresets, ...dataPresets({ startMs: 0, endMs: now })].filter(({ rangeAt }) => rangeAt(now).last);
  expect(relative.map(({ label }) => label.slice(0, 5))).toStrictEqual(["Last ", "Last ", "Last ", "Last ", "Last "]);
});

it("counts back from the newest row, includes it and never starts before the oldest", () => {
  expect(spans(dataPresets({ startMs: Date.UTC(2020, 10, 28, 6), endMs: Date.UTC(2020, 11, 1, 18, 0, 0, 500) }))).toStrictEqual({
    "Newest day": "2020-11-30T18:00:01.000Z/2020-12-01T18:00:01.000Z",
    "Newest week": "2020-11-28T06:00:00.000Z/2020-12-01T18:00:01.000Z",
    "Newest month": "2020-11-28T06:00:00.000Z/2020-12-01T18:00:01.000Z",
    "All data": "2020-11-28T06:00:00.000Z/2020-12-01T18:00:01.000Z",
  });
});

it("offers ranges of the data when it has no recent rows", () => {
  const labels = (endMs: number) => quickPresets(now, { startMs: 0, endMs }).map(({ label }) => label);
  expect(labels(now - 3_600_000)).toStrictEqual(["Last 24 hours", "Last 7 days", "Last 30 days", "This year"]);
  expect(labels(Date.UTC(2020, 0))).toStrictEqual(["Newest day", "Newest week", "Newest month", "All data"]);
  expect(quickPresets(now, null)).toHaveLength(4);
  const groups = (endMs: number) => presetGroupsOf(now, { startMs: 0, endMs }).map(({ label }) => label);
  expect(groups(now)).toStrictEqual(["Up to now", "From the data"]);
  expect(groups(Date.UTC(2020, 0))).toStrictEqual(["From the data", "Up to now"]);
  expect(presetGroupsOf(now, null).map(({ label }) => label)).toStrictEqual(["Up to now"]);
});
