import { expect, it } from "vitest";
import { z } from "zod";
import { column, columnTitle, columnTitleIn, columnType, operator, operatorsOf, satisfies, shownAtFirst } from "./columns.ts";
import { moreOperator } from "./filters.ts";
import { searchFilter } from "./search.ts";

it.each([
  ["=", [false, true, false]],
  ["<>", [true, false, true]],
  ["<", [true, false, false]],
  ["<=", [true, true, false]],
  [">", [false, false, true]],
  [">=", [false, true, true]],
] as const)("%s keeps what is smaller, equal or larger: %j", (sign, expected) => {
  expect([-2, 0, 2].map((order) => satisfies(sign, order))).toEqual(expected);
});

it("every type takes all operators, but booleans, which have no order, only two", () => {
  const expected = columnType.options.map((type) => [type, type === "BOOLEAN" ? ["=", "<>"] : ["=", "<>", "<", "<=", ">", ">="]]);
  expect(columnType.options.map((type) => [type, operatorsOf(type)])).toEqual(expected);
  expect(operatorsOf("number")).toEqual(operator.options);
});

it("a filter of a search documents the operators, and leaves it to the search to refuse others by name", () => {
  expect(z.toJSONSchema(searchFilter).properties?.["operator"]).toEqual({
    type: "string",
    enum: [...operator.options, ...moreOperator.options],
  });
  expect(searchFilter.parse({ name: "wind", operator: "like", value: 1 })).toMatchObject({ operator: "like" });
});

it("a label has 1 to 100 characters without outer spaces", () => {
  const labeled = (label: string) => column.safeParse({ name: "dep", type: "integer", description: "", combined: null, label });
  expect(labeled(" Delay at departure ").data?.label).toBe("Delay at departure");
  expect([" ", "x".repeat(101)].map((label) => labeled(label).success)).toEqual([false, false]);
});

it("people read a column's label, or else its name, and see at first what is not hidden", () => {
  const columns = [{ name: "dep", label: "Departure" }, { name: "arr" }, { name: "id", hidden: true }];
  expect(columns.map(columnTitle)).toEqual(["Departure", "arr", "id"]);
  expect(["dep", "arr", "gone"].map((name) => columnTitleIn(columns, name))).toEqual(["Departure", "arr", "gone"]);
  expect(shownAtFirst(columns).map(({ name }) => name)).toEqual(["dep", "arr"]);
});
