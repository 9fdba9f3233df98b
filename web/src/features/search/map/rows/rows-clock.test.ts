import { expect, it } from "vitest";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import { buildDescription } from "#testing/dataset-builders.ts";
import { buildRecord } from "#testing/search-records.ts";
import { rowsClock } from "./rows-clock.ts";

const timeExtent = { startMs: Date.UTC(1975, 5), endMs: Date.UTC(2020, 10) };

/** The domain before the first call. */
function domainOf(timeRange: ReturnType<typeof timeRangeOf> | null) {
  const record = buildRecord({
    datasetDescription: buildDescription({ timeExtent }),
    filters: { geospatial: null, timeRange, dynamic: [] },
  });
  const { clock, guessed } = rowsClock(record, null);
  return guessed === null ? clock.state.domain : "guessed";
}

it("plays the times of the dataset within the time range of the search", () => {
  expect(domainOf(null)).toEqual({ fromMs: timeExtent.startMs, toMs: timeExtent.endMs });
  expect(domainOf(timeRangeOf(Date.UTC(2004, 0), Date.UTC(2030, 0)))).toEqual({ fromMs: Date.UTC(2004, 0), toMs: timeExtent.endMs });
  expect(domainOf(timeRangeOf(null, Date.UTC(2005, 0)))).toEqual({ fromMs: timeExtent.startMs, toMs: Date.UTC(2005, 0) });
});

it("guesses where the search has no time in common with the dataset", () => {
  expect(domainOf(timeRangeOf(Date.UTC(2025, 0), Date.UTC(2030, 0)))).toBe("guessed");
});
