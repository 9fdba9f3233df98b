import { expect, it } from "vitest";
import { lastRangeOf } from "#parts/search-model/time-range.ts";
import { newRecord, type SearchDefinition, type SearchRecord } from "#parts/search-model/search-record.ts";
import { buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { groupAlike } from "./alike-searches.ts";

const datasetDescription = buildDescription();
const wind = buildFilter("wind", { type: "integer", operator: ">=", value: 64 });
const name = buildFilter("name", { value: "Ivan" });

function record(id: string, definition: Partial<SearchDefinition> = {}): SearchRecord {
  const filters = { geospatial: null, timeRange: null, dynamic: [wind, name] };
  const base = { id, timestamp: 0, datasetDescription, isSample: false, filters, sort: [], visibleColumns: null };
  return newRecord({ ...base, viewMode: "table", slices: {}, ...definition });
}

const idsOf = (records: readonly SearchRecord[]): string[][] => groupAlike(records).map((group) => group.map(({ id }) => id));

it("searches that ask the same are one group, whatever order, columns and view they are shown in", () => {
  const filters = { geospatial: null, timeRange: null, dynamic: [name, buildFilter("city"), wind] };
  const other = { geospatial: null, timeRange: null, dynamic: [wind] };
  expect(
    idsOf([
      record("sorted", { sort: [{ column: "wind", direction: "desc" }], viewMode: "raw", visibleColumns: ["wind"] }),
      record("fewer", { filters: other }),
      record("same", { filters }),
      record("sample", { isSample: true }),
      record("first"),
    ]),
  ).toEqual([["sorted", "same", "first"], ["fewer"], ["sample"]]);
});

it("a relative time range is the same whenever it ran; another value, range or dataset is not", () => {
  const last = (nowMs: number) => ({
    geospatial: null,
    dynamic: [wind],
    timeRange: lastRangeOf({ amount: 7, unit: "days" }, nowMs),
  });
  const faster = { geospatial: null, timeRange: null, dynamic: [{ ...wind, value: 96 }] };
  const elsewhere = buildDescription({ datasetId: "other" });
  expect(
    idsOf([
      record("today", { filters: last(Date.UTC(2026, 1, 2)) }),
      record("faster", { filters: faster }),
      record("yesterday", { filters: last(Date.UTC(2026, 1, 1)) }),
      record("elsewhere", { datasetDescription: elsewhere, filters: faster }),
    ]),
  ).toEqual([["today", "yesterday"], ["faster"], ["elsewhere"]]);
});
