import { expect, it } from "vitest";
import { formatCount, formatList, plural, pluralize } from "./counts.ts";

it("formats a count with its noun", () => {
  expect([0, 1, 2, 1_234].map((count) => pluralize(count, "row"))).toEqual(["0 rows", "1 row", "2 rows", "1,234 rows"]);
  expect([1, 3].map((count) => pluralize(count, "entry", "entries"))).toEqual(["1 entry", "3 entries"]);
  expect(plural(1, "is", "are")).toBe("is");
  expect(formatCount(1_000_000)).toBe("1,000,000");
});

it("formats a list as a phrase", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(formatList)).toEqual(["", "a", "a and b", "a, b and c"]);
});
