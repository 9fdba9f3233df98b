import { expect, it } from "vitest";
import { anyOf, type DatasetDescription } from "../src/client/index.ts";
import { searchData } from "../src/client/query.ts";
import { conditionsOf } from "../src/cli/conditions.ts";

const column = (name: string, type: "STRING" | "integer" | "TIMESTAMP_SECONDS") => ({ name, type, description: "", combined: null });
const description = {
  schema: { columns: [column("origin", "STRING"), column("delay", "integer"), column("date", "TIMESTAMP_SECONDS")] },
  filterSupport: { staticFilters: [], additionalFilters: [{ name: "page", type: "integer" }] },
  moreOperators: ["in", "not in", "between", "not between", "contains", "starts with", "when", "any"],
} as unknown as DatasetDescription;

it.each([
  ["delay>=64", [{ name: "delay", operator: ">=", value: "64" }]],
  ["origin!=ORD", [{ name: "origin", operator: "<>", value: "ORD" }]],
  ["origin in ORD,ATL", [{ name: "origin", operator: "in", value: ["ORD", "ATL"] }]],
  ["page=2", [{ name: "page", operator: "=", value: "2" }]],
  ["date when hour 17, 18", [{ name: "date", operator: "when", value: { part: "hourOfDay", zone: "UTC", in: [17, 18] } }]],
  [
    "delay>=60 or origin=ORD",
    [
      {
        name: "*",
        operator: "any",
        value: [[{ name: "delay", operator: ">=", value: "60" }], [{ name: "origin", operator: "=", value: "ORD" }]],
      },
    ],
  ],
])("the command line reads --where %s", (text, filters) => {
  expect(conditionsOf([text], description)).toEqual(filters);
});

it("the command line says what is no condition", () => {
  expect(() => conditionsOf(["dela>5"], description)).toThrow(
    '--where "dela>5" is not a condition. There is no column dela. Did you mean delay?',
  );
});

it("the TypeScript client takes lists, ranges, texts, parts of the calendar and alternatives", () => {
  const { filters } = searchData({
    where: {
      origin: { in: ["ORD", null], "not starts with": "X" },
      delay: { between: [15, 60n] },
      date: { when: { part: "dayOfWeek", zone: "UTC", in: [6, 7] }, "not in": [new Date(0)] },
    },
  });
  expect(filters).toEqual([
    { name: "origin", operator: "in", value: ["ORD", null] },
    { name: "origin", operator: "not starts with", value: "X" },
    { name: "delay", operator: "between", value: [15, "60"] },
    { name: "date", operator: "when", value: { part: "dayOfWeek", zone: "UTC", in: [6, 7] } },
    { name: "date", operator: "not in", value: ["1970-01-01T00:00:00.000Z"] },
  ]);
  expect(searchData({ where: [anyOf({ delay: { ">=": 60 } }, { origin: "ORD" })] }).filters).toEqual([
    {
      name: "*",
      operator: "any",
      value: [[{ name: "delay", operator: ">=", value: 60 }], [{ name: "origin", operator: "=", value: "ORD" }]],
    },
  ]);
});
