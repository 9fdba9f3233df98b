import { describe, expect, it } from "vitest";
import { profileOfRows } from "./row-profile.ts";

const rowsOf = (values: readonly (string | number | boolean | null)[]) => values.map((value) => ({ x: value }));

describe("profileOfRows", () => {
  it("counts values, empty ones separately, most frequent first", () => {
    const profile = profileOfRows({ name: "x", type: "STRING" }, rowsOf(["b", "a", null, "b", "c", null, "", "c", "b"]));
    expect(profile).toStrictEqual({
      rows: 9,
      empty: 2,
      distinct: 4,
      min: "",
      max: "c",
      top: [
        { value: "b", rows: 3 },
        { value: "c", rows: 2 },
        { value: "", rows: 1 },
        { value: "a", rows: 1 },
      ],
      histogram: [],
    });
  });

  it("compares numbers by value, including those encoded as text", () => {
    const profile = profileOfRows({ name: "x", type: "integer" }, rowsOf([9, 10, "9007199254740993", -3]));
    expect([profile.min, profile.max]).toStrictEqual([-3, "9007199254740993"]);
  });

  it("distinguishes whole numbers beyond 2^53", () => {
    const digits = ["17293822569102704641", "17293822569102704642", "17293822569102704640", 5];
    const profile = profileOfRows({ name: "x", type: "integer" }, rowsOf(digits));
    expect([profile.min, profile.max, profile.distinct]).toStrictEqual([5, "17293822569102704642", 4]);
  });

  it("puts every number into one bin, the maximum into the last", () => {
    const values = Array.from({ length: 101 }, (_, index) => index / 10);
    const { histogram } = profileOfRows({ name: "x", type: "decimal" }, rowsOf(values));
    expect(histogram).toHaveLength(20);
    expect(histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(101);
    expect([histogram[0]?.from, histogram.at(-1)?.to, histogram.at(-1)?.rows]).toStrictEqual([0, 10, 6]);
  });

  it("uses whole steps for integers", () => {
    const { histogram } = profileOfRows({ name: "x", type: "integer" }, rowsOf([1, 2, 2, 5]));
    expect(histogram.map(({ from, rows }) => [from, rows])).toStrictEqual([
      [1, 1],
      [2, 2],
      [3, 0],
      [4, 0],
      [5, 1],
    ]);
  });

  it("handles a single number and no values", () => {
    expect(profileOfRows({ name: "x", type: "decimal" }, rowsOf([4.5])).histogram).toStrictEqual([{ from: 4.5, to: 5.5, rows: 1 }]);
    expect(profileOfRows({ name: "x", type: "decimal" }, rowsOf([null])).histogram).toStrictEqual([]);
    expect(profileOfRows({ name: "x", type: "decimal" }, [])).toMatchObject({ rows: 0, empty: 0, distinct: 0, min: null, max: null });
  });
});
