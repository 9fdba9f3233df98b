import { expect, it } from "vitest";
import { lastRangeOf, timeRangeOf } from "#parts/search-model/time-range.ts";
import { buildFilter } from "#testing/dataset-builders.ts";
import { buildRecord } from "#testing/search-records.ts";
import { startText, stateText, summary, timeTexts, totalText } from "./search-summary.ts";

it.each([
  [0, 5, "12:05 am"],
  [9, 30, "9:30 am"],
  [12, 0, "12:00 pm"],
  [14, 41, "2:41 pm"],
])("[SHELL-06] formats %i:%i as h:mm a", (hours, minutes, text) => {
  expect(startText(new Date(2026, 10, 21, hours, minutes).getTime())).toBe(text);
});

it("summarizes filters with a value, days and areas of a search", () => {
  const filters = {
    dynamic: [buildFilter("wind", { type: "integer", operator: ">=", value: 64 }), buildFilter("name")],
    timeRange: timeRangeOf(Date.UTC(2004, 8, 2), Date.UTC(2004, 9, 9)),
    geospatial: { polygons: [], text: "1 area" },
  };
  expect(summary(buildRecord({ filters }))).toBe("wind >= 64 · 09/02/2004 – 10/09/2004 · 1 area");
  expect(summary(buildRecord({ isSample: true }))).toBe("Sample");
  expect(summary(buildRecord())).toBe("No filters");
});

it("describes a relative range with the absolute range when the search ran", () => {
  const last = lastRangeOf({ amount: 7, unit: "days" }, Date.UTC(2004, 8, 9));
  const filters = { dynamic: [], geospatial: null, timeRange: last };
  expect(summary(buildRecord({ filters }))).toBe("Last 7 days");
  expect(timeTexts(filters)).toStrictEqual(["Last 7 days", "09/02/2004, 12:00:00 AM – 09/09/2004, 12:00:00 AM UTC"]);
  expect(timeTexts({ ...filters, timeRange: null })).toStrictEqual(["Any time"]);
});

it("describes the state of a search and its number of rows", () => {
  expect(stateText(buildRecord())).toBe("Not loaded yet");
  expect(stateText(buildRecord({}, { isSearching: true }))).toBe("Searching");
  expect(stateText(buildRecord({}, { searchError: ["no"] }))).toBe("Failed");
  expect(totalText(buildRecord())).toBeUndefined();
  expect(totalText(buildRecord({}, { totalResultCount: 3_000_000, results: [] }))).toBe("3,000,000");
  expect(totalText(buildRecord({}, { results: [{}, {}], allLoaded: false }))).toBe("2 or more");
  expect(totalText(buildRecord({}, { results: [{}, {}], allLoaded: true }))).toBe("2");
});
