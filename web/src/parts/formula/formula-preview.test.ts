import type { Column } from "@fairway/contract/columns";
import { check } from "@fairway/expressions/check";
import { expect, it } from "vitest";
import { previewOf, resultText } from "./formula-preview.ts";

const columns: readonly Column[] = [
  { name: "n", type: "integer", description: "", combined: null },
  { name: "big", type: "integer", description: "", combined: null },
  { name: "at", type: "TIMESTAMP_SECONDS", description: "", combined: null },
];
const row = (n: number | null) => ({ n, big: "9007199254740993", at: 60 });
const previewed = (text: string, values: readonly (number | null)[]) => {
  const { tree, errors } = check(text, columns);
  if (tree === undefined) throw new Error(JSON.stringify(errors));
  return previewOf(tree, columns, values.map(row));
};

it("shows five rows: one without a value, then those with different results, in their order", () => {
  const { rows, withoutValue, inputs } = previewed("n % 10", [1, 11, 21, 2, 3, 4, null, 5, 6, null]);
  expect(rows.map(({ value }) => value)).toEqual([1, 2, 3, 4, null]);
  expect(withoutValue).toBe(2);
  expect(inputs.map(({ name }) => name)).toEqual(["n"]);
});

it("fills up with rows of the same results", () => {
  expect(previewed("n > 0", [1, 2, 3, 4, 5, 6, -1]).rows.map(({ row: { n } }) => n)).toEqual([1, 2, 3, 4, -1]);
});

it("has results as answers hold them", () => {
  expect(previewed("big + n", [1]).rows[0]?.value).toBe("9007199254740994");
  expect(previewed("at", [1]).rows[0]?.value).toBe(60_000);
});

it.each([
  [{ type: "STRING", day: false }, 1_000, 0, "Text. No row of the first 1,000 is without a value."],
  [{ type: "integer", day: false }, 1_000, 14, "Integer. 14 of 1,000 rows have no value."],
  [{ type: "TIMESTAMP_MILLS", day: true }, 25, 1, "Day. 1 of 25 rows has no value."],
  [{ type: "BOOLEAN", day: false }, 0, 0, "True or false."],
] as const)("says of %o in %i rows, %i without a value: %s", (result, rows, without, text) => {
  expect(resultText(result, rows, without)).toBe(text);
});
