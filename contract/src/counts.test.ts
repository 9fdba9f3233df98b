import { expect, it } from "vitest";
import { counted, formatCount, listed, plural } from "./counts.ts";

it("counts things in words", () => {
  expect([0, 1, 2, 1_234].map((count) => counted(count, "row"))).toEqual(["0 rows", "1 row", "2 rows", "1,234 rows"]);
  expect([1, 3].map((count) => counted(count, "entry", "entries"))).toEqual(["1 entry", "3 entries"]);
  expect(plural(1, "is", "are")).toBe("is");
  expect(formatCount(1_000_000)).toBe("1,000,000");
});

it("lists things in words", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(listed)).toEqual(["", "a", "a and b", "a, b and c"]);
});
