import { describe, expect, it } from "vitest";
import { keyMatcher } from "./key-pattern.ts";

describe("a pattern", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["a/*.csv", ["a/.csv", "a/b.csv"], ["a/b/c.csv", "a/b.csv.gz", "b.csv", "A/b.csv"]],
    ["a/**/*.csv", ["a/b.csv", "a/b/c.csv", "a/b/c/d.csv"], ["b/a/c.csv", "a/b"]],
    ["**/day=*/x", ["day=1/x", "a/day=1/x", "a/b/day=/x"], ["day=1/y", "day=1/a/x"]],
    ["**", ["a", "a/b/c"], []],
    ["a/**/b/**/c", ["a/b/c", "a/x/b/y/z/c", "a/b/b/c/c"], ["a/c", "a/b"]],
    ["?.csv", ["a.csv", "é.csv", "😀.csv"], ["ab.csv", ".csv", "a/b.csv"]],
    ["[a-c].csv", ["b.csv"], ["d.csv", "-.csv"]],
    ["[!a-c].csv", ["d.csv"], ["b.csv"]],
    ["[*]?[[].csv", ["*a[.csv"], ["xa[.csv", "*a].csv"]],
    ["a.csv", ["a.csv"], ["abcsv"]],
    ["a[.csv", ["a[.csv"], ["a.csv"]],
  ])("%s matches as in the data folder", (pattern, matching, others) => {
    const matches = keyMatcher(pattern);
    expect(matching.filter((key) => !matches(key))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  it("full of wildcards is decided by a bounded number of steps", () => {
    const matches = keyMatcher(`${"*a".repeat(100)}/${"**/b/".repeat(30)}c`);
    expect(matches(`${"a".repeat(500)}/${"b/".repeat(200)}d`)).toBe(false);
  });
});
