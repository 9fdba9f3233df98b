import { describe, expect, it } from "vitest";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import {
  additionalLeft,
  columnFilter,
  filterableColumns,
  filterChoices,
  filtersWith,
  isRemovable,
  startingFilters,
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
const [storm, name, basin] = startingFilters(description);
const status = buildFilter("status", { value: "HU" });

describe("a dataset without advanced filtering", () => {
  it("[SEARCH-37] an added filter leaves the list of additional ones", () => {
    expect(additionalLeft(description, startingFilters(description)).map(({ id }) => id)).toStrictEqual(["status", "category"]);
    expect(additionalLeft(description, [...startingFilters(description), status]).map(({ id }) => id)).toStrictEqual(["category"]);
  });

  it("[SEARCH-38] a removed filter returns to it, in its place", () => {
    const removed = [...startingFilters(description), status].filter((filter) => filter !== status);
    expect(additionalLeft(description, removed).map(({ id }) => id)).toStrictEqual(["status", "category"]);
  });
});

it("[SEARCH-34] a required filter cannot be removed, nor a static one", () => {
  const verdicts = [storm, name, basin, status].map((filter) => filter && isRemovable(description, filter));
  expect(verdicts).toStrictEqual([false, false, false, true]);
});

it("[SEARCH-35] a pre-filled filter is marked so that the form locks it", () => {
  expect(basin).toMatchObject({ name: "basin", value: "AL", preFilled: true });
  expect(startingFilters(description).filter((filter) => filter.preFilled)).toHaveLength(1);
});

it("[SEARCH-39] with advanced filtering, a column takes several filters, a combined one none", () => {
  expect(filterableColumns(description).map((column) => column.name)).toStrictEqual(["storm_id", "wind"]);
  const wind = buildColumn("wind", { type: "integer" });
  const first = columnFilter(wind, []);
  const second = columnFilter(wind, [first]);
  expect([first.id, second.id]).toStrictEqual(["wind#1", "wind#2"]);
  expect(second).toMatchObject({ name: "wind", type: "integer", value: "", operator: "=", required: false, preFilled: false });
});

it("puts settings into the form: static first, then additional, then columns, several on one", () => {
  const filters = filtersWith(description, [
    { name: "wind", operator: ">=", value: 64 },
    { name: "category", operator: "=", value: 3 },
    { name: "name", operator: "<>", value: "Ida" },
    { name: "name", operator: "=", value: "Ike" },
  ]);
  expect(filters.map(({ id, operator, value }) => `${id} ${operator} ${value}`)).toStrictEqual([
    "storm_id = ",
    "name <> Ida",
    "basin = AL",
    "category = 3",
    "wind#1 >= 64",
    "name#1 = Ike",
  ]);
});

describe("several filters that the dataset offers on one column", () => {
  const atLeast = buildFilter("rate", { id: "min-rate", display: "Rate at least", operator: ">=" });
  const atMost = buildFilter("rate", { id: "max-rate", display: "Rate at most", operator: "<=" });
  const rates = buildDescription({ filterSupport: { additionalFilters: [atLeast, atMost] } });

  it("are chosen side by side, the edited one in its own place", () => {
    expect(filterChoices([atLeast, atMost], null)).toStrictEqual([atLeast, atMost]);
    expect(filterChoices([atLeast], { ...atMost, value: 9 })).toStrictEqual([{ ...atMost, value: 9 }, atLeast]);
    const [first, second] = [columnFilter(buildColumn("rate"), []), { ...columnFilter(buildColumn("rate"), []), id: "rate#2" }];
    expect(filterChoices([second], first)).toStrictEqual([first]);
  });

  it("get back what was set in them, by operator", () => {
    const settings = [{ name: "rate", operator: "<=", value: 9 }] as const;
    expect(filtersWith(rates, settings)).toStrictEqual([{ ...atMost, value: 9 }]);
    const changed = [{ name: "rate", operator: "=", value: 3 }, ...settings] as const;
    expect(filtersWith(rates, changed).map(({ id, operator, value }) => `${id} ${operator} ${value}`)).toStrictEqual([
      "min-rate = 3",
      "max-rate <= 9",
    ]);
  });
});
