import { describe, expect, it } from "vitest";
import { isCompared } from "./form-filter.ts";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import {
  availableFilters,
  columnFilter,
  filterableColumns,
  filterChoices,
  filtersFromSettings,
  isRemovable,
  initialFilters,
} from "./filter-list.ts";

const description = buildDescription({
  columns: [
    buildColumn("storm_id"),
    buildColumn("wind", { type: "integer" }),
    buildColumn("place", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } }),
  ],
  filterSupport: {
    staticFilters: [buildFilter("storm_id", { required: true }), buildFilter("name")],
    preFilledFilters: [buildFilter("basin", { value: "AL" })],
    additionalFilters: [buildFilter("status"), buildFilter("category", { type: "integer" })],
  },
});
const [storm, name, basin] = initialFilters(description);
const status = buildFilter("status", { value: "HU" });

describe("a dataset without advanced filtering", () => {
  it("[SEARCH-37] removes an added filter from the available filters", () => {
    expect(availableFilters(description, initialFilters(description)).map(({ id }) => id)).toStrictEqual(["status", "category"]);
    expect(availableFilters(description, [...initialFilters(description), status]).map(({ id }) => id)).toStrictEqual(["category"]);
  });

  it("[SEARCH-38] returns a removed filter to its position in the available filters", () => {
    const removed = [...initialFilters(description), status].filter((filter) => filter !== status);
    expect(availableFilters(description, removed).map(({ id }) => id)).toStrictEqual(["status", "category"]);
  });
});

it("[SEARCH-34] required and static filters cannot be removed", () => {
  const results = [storm, name, basin, status].map((filter) => filter && isRemovable(description, filter));
  expect(results).toStrictEqual([false, false, false, true]);
});

it("[SEARCH-35] pre-filled filters are marked, so the form locks them", () => {
  expect(basin).toMatchObject({ name: "basin", value: "AL", preFilled: true });
  expect(initialFilters(description).filter((filter) => filter.preFilled)).toHaveLength(1);
});

it("[SEARCH-39] advanced filtering allows several filters on a column and none on a combined column", () => {
  expect(filterableColumns(description).map((column) => column.name)).toStrictEqual(["storm_id", "wind"]);
  const wind = buildColumn("wind", { type: "integer" });
  const first = columnFilter(wind, []);
  const second = columnFilter(wind, [first]);
  expect([first.id, second.id]).toStrictEqual(["wind#1", "wind#2"]);
  expect(second).toMatchObject({ name: "wind", type: "integer", value: "", operator: "=", required: false, preFilled: false });
});

it("applies settings to static filters first, then to additional ones, then to columns", () => {
  const filters = filtersFromSettings(description, [
    { name: "wind", operator: ">=", value: 64 },
    { name: "category", operator: "=", value: 3 },
    { name: "name", operator: "<>", value: "Ida" },
    { name: "name", operator: "=", value: "Ike" },
  ]);
  expect(filters.filter(isCompared).map(({ id, operator, value }) => `${id} ${operator} ${value}`)).toStrictEqual([
    "storm_id = ",
    "name <> Ida",
    "basin = AL",
    "category = 3",
    "wind#1 >= 64",
    "name#1 = Ike",
  ]);
});

describe("several offered filters on one column", () => {
  const atLeast = buildFilter("rate", { id: "min-rate", display: "Rate at least", operator: ">=" });
  const atMost = buildFilter("rate", { id: "max-rate", display: "Rate at most", operator: "<=" });
  const rates = buildDescription({ filterSupport: { additionalFilters: [atLeast, atMost] } });

  it("are listed side by side, with the edited one in its own position", () => {
    expect(filterChoices([atLeast, atMost], null)).toStrictEqual([atLeast, atMost]);
    expect(filterChoices([atLeast], { ...atMost, value: 9 })).toStrictEqual([{ ...atMost, value: 9 }, atLeast]);
    const [first, second] = [columnFilter(buildColumn("rate"), []), { ...columnFilter(buildColumn("rate"), []), id: "rate#2" }];
    expect(filterChoices([second], first)).toStrictEqual([first]);
  });

  it("are matched with settings by operator", () => {
    const settings = [{ name: "rate", operator: "<=", value: 9 }] as const;
    expect(filtersFromSettings(rates, settings)).toStrictEqual([{ ...atMost, value: 9 }]);
    const changed = [{ name: "rate", operator: "=", value: 3 }, ...settings] as const;
    expect(
      filtersFromSettings(rates, changed)
        .filter(isCompared)
        .map(({ id, operator, value }) => `${id} ${operator} ${value}`),
    ).toStrictEqual(["min-rate = 3", "max-rate <= 9"]);
  });
});
