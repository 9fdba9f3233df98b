import { describe, expect, it } from "vitest";
import { parseMeasureCondition } from "./measure-text.ts";
import { measureText, parseMeasure } from "./measures.ts";

describe("the text form of a measure", () => {
  it.each([
    ["count(*)", { aggregation: "count", column: "*" }],
    ["count(name)", { aggregation: "count", column: "name" }],
    ["avg(delay)", { aggregation: "avg", column: "delay" }],
    ["p90(delay)", { aggregation: "percentile", column: "delay", p: 0.9 }],
    ["p7(delay)", { aggregation: "percentile", column: "delay", p: 0.07 }],
    ["p99.9(delay)", { aggregation: "percentile", column: "delay", p: 0.999 }],
    ["max(a (b), c)", { aggregation: "max", column: "a (b), c" }],
    ["share(*)", { aggregation: "share", column: "*" }],
    ["row-share(delay)", { aggregation: "share", column: "delay", of: "row" }],
    ["rate", { aggregation: "rate", column: "*" }],
  ])("is %s, written and read", (text, measure) => {
    expect(measureText(measure as Parameters<typeof measureText>[0])).toBe(text);
    expect(parseMeasure(text)).toEqual(measure);
  });

  it("is read without a column where rows are counted, and in any case", () => {
    expect(["count", " COUNT ", "share"].map(parseMeasure)).toEqual(
      ["count", "count", "share"].map((aggregation) => ({ aggregation, column: "*" })),
    );
  });

  it.each(["avg", "avg(*)", "mode(delay)", "percentile(delay)", "p101(delay)", "avg(delay", "avg()", "ratio(avg(a), count(*))", ""])(
    "is not %s",
    (text) => {
      expect(parseMeasure(text)).toBeUndefined();
    },
  );

  it("names the two measures of a derived one", () => {
    expect(measureText({ aggregation: "ratio", of: ["avg(delay)", "count(*)"] })).toBe("ratio(avg(delay), count(*))");
  });
});

describe("a condition on a measure", () => {
  it.each([
    ["count>=100", "count", ">=", 100],
    [" avg(delay) < -1.5 ", "avg(delay)", "<", -1.5],
    ["avg(a>=1)<>5", "avg(a>=1)", "<>", 5],
    ["late = 1e3", "late", "=", 1000],
  ])("is %s", (text, measure, operator, value) => {
    expect(parseMeasureCondition(text)).toEqual({ measure, operator, value });
  });

  it.each(["count", ">=100", "count>=", "count>=many", "count=>100"])("is not %s", (text) => {
    expect(parseMeasureCondition(text)).toBeUndefined();
  });
});
