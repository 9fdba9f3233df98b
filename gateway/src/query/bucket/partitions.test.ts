import { describe, expect, it } from "vitest";
import type { ComparisonCondition, Condition } from "#query/engine.ts";
import { mayHoldRows, partitionsOf } from "./partitions.ts";

describe("partitions", () => {
  it.each<[string, readonly string[], Record<string, string>]>([
    ["whole numbers", ["y=1/a", "y=20/a", "y=-3/a"], { y: "BIGINT" }],
    ["texts that look like numbers with zeros in front", ["m=01/a", "m=12/a"], { m: "VARCHAR" }],
    ["days", ["d=2001-01-31/a", "d=2024-02-29/b"], { d: "DATE" }],
    ["a day that does not exist", ["d=2001-02-30/a"], { d: "VARCHAR" }],
    ["a value that is missing", ["y=1/a", "y=__HIVE_DEFAULT_PARTITION__/a"], { y: "BIGINT" }],
    ["several of them", ["x/a=1/b=x%2Fy/f", "x/a=2/b=z/f"], { a: "BIGINT", b: "VARCHAR" }],
    ["different ones", ["a=1/f", "b=1/f"], {}],
    ["files without", ["a=1/f", "f"], {}],
    ["the name of a file", ["x/a=1"], {}],
  ])("of %s", (_, keys, expected) => {
    expect(Object.fromEntries(partitionsOf(keys).map(({ name, type }) => [name, type]))).toEqual(expected);
  });
});

describe("a file", () => {
  const integer = (operator: ComparisonCondition["operator"], value: number): ComparisonCondition => ({
    column: "p",
    type: "integer",
    operator,
    value: BigInt(value),
  });
  const text = (operator: ComparisonCondition["operator"], value: string): ComparisonCondition => ({
    column: "p",
    type: "STRING",
    operator,
    value,
  });
  const time = (operator: ComparisonCondition["operator"], value: string): ComparisonCondition => ({
    column: "p",
    type: "TIMESTAMP_SECONDS",
    operator,
    value: BigInt(Date.parse(value)),
  });
  const may = (value: string, others: readonly string[], condition: ComparisonCondition) =>
    mayHoldRows(`x/p=${value}/f`, partitionsOf([value, ...others].map((one) => `x/p=${one}/f`)), { conditions: [condition] });

  it("is left out only if its folder cannot hold rows of the search", () => {
    expect(
      ["=", "<>", "<", "<=", ">", ">="].map((operator) => may("5", [], integer(operator as ComparisonCondition["operator"], 5))),
    ).toEqual([true, false, false, true, false, true]);
    expect([may("5", [], integer("=", 6)), may("05", [], integer("=", 6)), may("5", ["x"], integer("=", 6))]).toEqual([false, true, true]);
    expect([may("a", [], text("=", "a")), may("a", [], text("=", "A")), may("a%20b", [], text("=", "a b"))]).toEqual([true, false, true]);
    expect([may("a", [], text("<", "A")), may("a", [], text("<>", "a")), may("2001-01-01", [], text("=", "1"))]).toEqual([
      true,
      true,
      true,
    ]);
    expect([may("__HIVE_DEFAULT_PARTITION__", ["1"], integer("=", 2))]).toEqual([true]);
    const day = "2001-01-02";
    expect([may(day, [], time("<=", "2001-01-02T00:00:00Z")), may(day, [], time("<", "2001-01-02T00:00:00Z"))]).toEqual([true, false]);
    expect([may(day, [], time(">=", "2001-01-02T00:00:01Z")), may(day, [], time(">=", "2001-01-01T23:59:59Z"))]).toEqual([false, true]);
    expect([may(day, [], time("=", "2001-01-02T12:00:00Z")), may(day, [], time("<>", "2001-01-02T00:00:00Z"))]).toEqual([false, true]);
    expect(mayHoldRows("x/p=1/f", partitionsOf(["x/p=1/f"]), { conditions: [{ ...integer("=", 2), column: "q" }] })).toBe(true);
  });

  it("is left out by lists, ranges and alternatives as well, and by none of their opposites", () => {
    const p = { column: "p", type: "integer" } as const;
    const list = { ...p, values: [{ value: 1n }, { value: 4n }], empty: false };
    const kept = (condition: Condition, values: readonly string[] = ["1", "2", "4", "__HIVE_DEFAULT_PARTITION__"]) =>
      values.filter((value) =>
        mayHoldRows(`x/p=${value}/f`, partitionsOf(values.map((one) => `x/p=${one}/f`)), { conditions: [condition] }),
      );
    const missing = "__HIVE_DEFAULT_PARTITION__";
    expect(kept({ ...list, operator: "in" })).toEqual(["1", "4", missing]);
    expect(kept({ ...p, operator: "between", low: { value: 2n }, high: { value: 3n } })).toEqual(["2", missing]);
    const alternatives = [[integer("=", 2)], [{ ...list, operator: "in" as const }, integer("<", 4)]];
    expect(kept({ operator: "any", lists: alternatives })).toEqual(["1", "2", missing]);
    const texts = { column: "p", type: "STRING", values: [{ value: "a" }, { value: "c" }], empty: true } as const;
    expect(kept({ ...texts, operator: "in" }, ["a", "b"])).toEqual(["a"]);
    for (const opposite of [
      { ...list, operator: "not in" },
      { ...p, operator: "not between", low: { value: 1n }, high: { value: 2n } },
      { ...p, type: "STRING", operator: "contains", value: "9" },
    ] satisfies Condition[]) {
      expect(kept(opposite)).toHaveLength(4);
    }
  });
});
