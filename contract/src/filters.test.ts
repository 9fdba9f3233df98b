import { describe, expect, it } from "vitest";
import { addressedFilter, addressedFilterOf, type Filter, filter, filterOfAddress, isComparison } from "./filters.ts";
import { searchFilter } from "./search.ts";

const alternatives: Filter = {
  name: "*",
  operator: "any",
  value: [
    [
      { name: "delay", operator: ">=", value: 60 },
      { name: "origin", operator: "in", value: ["ORD", null] },
    ],
    [{ name: "distance", operator: "<", value: 200 }],
  ],
};
const every: readonly Filter[] = [
  { name: "origin", operator: "=", value: "ORD" },
  { name: "origin", operator: "<>", value: null },
  { name: "origin", operator: "in", value: ["ORD", "ATL", null] },
  { name: "flight", operator: "not in", value: ["9007199254740993", 7] },
  { name: "delay", operator: "between", value: [15, 60] },
  { name: "name", operator: "not contains", value: "san" },
  { name: "name", operator: "starts with", value: "%" },
  { name: "date", operator: "when", value: { part: "dayOfWeek", zone: "America/New_York", in: [6, 7] } },
  { name: "*", operator: "=", value: 1 },
  alternatives,
];

it.each(every)("%j is read by each reader, and is the same after an address", (one) => {
  expect(filter.parse(one)).toEqual(one);
  expect(searchFilter.parse(one)).toEqual(one);
  const entry: unknown = JSON.parse(JSON.stringify(addressedFilterOf(one)));
  expect(filterOfAddress(addressedFilter.parse(entry))).toEqual(one);
});

it("an address holds three entries for each filter", () => {
  expect(addressedFilterOf({ name: "origin", operator: "in", value: ["ORD", "ATL"] })).toEqual(["origin", "in", ["ORD", "ATL"]]);
  expect(addressedFilterOf(alternatives)).toEqual([
    "*",
    "any",
    [
      [
        ["delay", ">=", 60],
        ["origin", "in", ["ORD", null]],
      ],
      [["distance", "<", 200]],
    ],
  ]);
});

it("only the six operators compare", () => {
  expect(every.filter(isComparison).map(({ operator }) => operator)).toEqual(["=", "<>", "="]);
});

describe("a strict reader refuses", () => {
  const plain = { name: "a", operator: "=", value: 1 };
  it.each<[string, unknown]>([
    ["an unknown operator", { ...plain, operator: "like" }],
    ["an unknown field", { ...plain, not: true }],
    ["a list for =", { ...plain, value: [1] }],
    ["an empty list", { name: "a", operator: "in", value: [] }],
    ["a list of lists", { name: "a", operator: "in", value: [[1]] }],
    ["a range of one end", { name: "a", operator: "between", value: [1] }],
    ["a range to null", { name: "a", operator: "between", value: [1, null] }],
    ["an empty text", { name: "a", operator: "contains", value: "" }],
    ["an unknown part", { name: "a", operator: "when", value: { part: "era", zone: "UTC", in: [1] } }],
    ["an unknown field of a part", { name: "a", operator: "when", value: { part: "dayOfWeek", zone: "UTC", in: [1], not: true } }],
    ["alternatives of a column", { ...alternatives, name: "a" }],
    ["one alternative", { name: "*", operator: "any", value: [[plain]] }],
    ["an empty alternative", { name: "*", operator: "any", value: [[plain], []] }],
    ["alternatives within alternatives", { name: "*", operator: "any", value: [[plain], [alternatives]] }],
    ["an unknown field within alternatives", { name: "*", operator: "any", value: [[plain], [{ ...plain, not: true }]] }],
  ])("%s", (_, one) => {
    expect(filter.safeParse(one).success).toBe(false);
  });
});
