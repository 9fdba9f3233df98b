import type { BreakdownAnswer, BreakdownEntry } from "@fairway/contract/breakdowns";
import { describe, expect, it } from "vitest";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { chartOf, offeredCharts } from "./charts.ts";
import { figureText, fullFigureText } from "./figures.ts";
import { measureLabel, titleOf } from "./measure-wording.ts";
import { excluded, narrowed } from "./narrow.ts";
import { footOf, manyOf, sentenceOf } from "./sentence.ts";
import { type Asked, byValues, summaryProblems, withMeasure, withoutMeasure } from "./summary.ts";
import { rowsOf, shownRows } from "./table-rows.ts";

const average = { aggregation: "avg", column: "delay" };
const count = { aggregation: "count", column: "*" };
const asked: Asked = {
  measures: [average, count],
  by: [{ kind: "value", column: "origin", top: { count: 2, by: "avg(delay)", other: true } }],
  having: [{ measure: "count(*)", operator: ">=", value: 100 }],
};
const value = (text: string): BreakdownEntry => ({
  kind: "value",
  value: text,
  narrow: { filters: [{ name: "origin", operator: "=", value: text }] },
});
const answer: BreakdownAnswer = {
  by: [
    {
      id: "origin",
      kind: "value",
      column: "origin",
      type: "STRING",
      found: 220,
      failing: { groups: 31, rows: 1859 },
      entries: [
        value("SBP"),
        value(""),
        { kind: "other", count: 218, narrow: { filters: [{ name: "origin", operator: "not in", value: ["SBP", "", null] }] } },
        { kind: "empty", narrow: { filters: [{ name: "origin", operator: "=", value: null }] } },
      ],
    },
  ],
  measures: [
    { id: "avg(delay)", unit: "min", type: "decimal", isEstimate: false },
    { id: "count(*)", unit: null, type: "integer", isEstimate: false },
  ],
  cells: [
    { at: [0], values: [21.97584541062802, 207] },
    { at: [1], values: [null, "9007199254740993"] },
    { at: [2], values: [2.2, 425_039] },
    { at: [3], values: [1, 5] },
  ],
  totals: { all: { values: [3.26, 518_831] }, axes: [] },
  rows: 518_831,
  compare: null,
  isCut: false,
  engine: "DuckDB",
  zoneData: "2025b",
  computedMs: 0,
  durationMs: 64,
};
const columns = [buildColumn("origin"), buildColumn("delay", { type: "integer" })];
const description = buildDescription({ columns });

describe("words", () => {
  it("names measures, and titles by measure and groupings", () => {
    expect(measureLabel({ aggregation: "percentile", column: "delay", p: 0.9 })).toBe("90th percentile of delay");
    expect(measureLabel({ aggregation: "rate", where: [{ name: "delay", operator: ">=", value: 15 }] })).toBe("Rate of delay >= 15");
    expect(titleOf(asked)).toBe("Average of delay by origin");
    expect(titleOf({ measures: [count] })).toBe("# Occurences");
  });

  it("says which groups an answer shows, and where the others are", () => {
    expect(sentenceOf(asked, answer)).toBe("Top 2 of 220 origins by Average of delay, only those with at least 100 rows");
    expect(footOf(asked, answer)).toBe("2 of 220 groups, 31 with fewer than 100 rows are in Other");
    expect(sentenceOf({ measures: [count] }, { ...answer, by: [] })).toBe("All 518,831 rows");
  });

  it.each([
    ["origin", "origins"],
    ["country", "countries"],
    ["status", "values of status"],
    ["carrier_id", "values of carrier_id"],
  ])("calls several values of %s %s", (column, many) => {
    expect(manyOf(column)).toBe(many);
  });

  it.each([
    [21.97584541062802, { id: "avg(delay)", unit: "min", type: "decimal", isEstimate: false }, "21.98 min"],
    [-9, { id: "median(delay)", unit: "min", type: "decimal", isEstimate: false }, "−9 min"],
    [41.545, { id: "rate", unit: "%", type: "decimal", isEstimate: false }, "41.5 %"],
    [12_340, { id: "distinct(origin)", unit: null, type: "integer", isEstimate: true }, "≈ 12,340"],
    ["9007199254740993", { id: "sum(id)", unit: null, type: "integer", isEstimate: false }, "9,007,199,254,740,993"],
    [null, { id: "avg(delay)", unit: "min", type: "decimal", isEstimate: false }, "–"],
  ])("prints %s of %o as %s", (figure, measure, text) => {
    expect(fullFigureText(figure, measure)).toBe(text);
    expect(text).toContain(figureText(figure, measure));
  });
});

describe("rows", () => {
  const labels = (find: string, order: Parameters<typeof shownRows>[1]["order"]) =>
    shownRows(rowsOf(answer, columns), { find, order }).map(({ label }) => label);

  it("keeps Other and Empty last in every order, and groups without a figure before them", () => {
    expect(labels("", null)).toEqual(["SBP", '""', "Other (218)", "Empty"]);
    expect(labels("", { by: 0, descending: false })).toEqual(["SBP", '""', "Other (218)", "Empty"]);
    expect(labels("", { by: 1, descending: true })).toEqual(['""', "SBP", "Other (218)", "Empty"]);
    expect(labels("sb", null)).toEqual(["SBP"]);
  });
});

it("offers charts by the number of groupings, with the reason for the others", () => {
  expect(chartOf(null, [])).toBe("number");
  expect(chartOf("heatmap", [byValues("origin")])).toBe("bars");
  expect(chartOf("table", [byValues("origin"), byValues("destination")])).toBe("table");
  expect(offeredCharts([]).find(({ kind }) => kind === "bars")?.reason).toBe("Bars need one grouping.");
});

describe("changes", () => {
  it("keeps the order of groups and conditions with the measure they refer to", () => {
    const median = withMeasure(asked, 0, { aggregation: "median", column: "delay" });
    expect(median.by).toMatchObject([{ top: { by: "median(delay)" } }]);
    const without = withoutMeasure(asked, 1);
    expect(without.having).toEqual([]);
    expect(withoutMeasure(asked, 0).by).toMatchObject([{ top: { by: undefined } }]);
    expect(summaryProblems({ measures: [count, count] })).toEqual(["Two measures are the same."]);
  });
});

describe("searches for the rows of a group", () => {
  const none = { geospatial: null, timeRange: null, dynamic: [] };
  const filtersOf = (entry: BreakdownEntry | undefined) => entry && narrowed(description, none, [entry])?.dynamic;
  const [sbp, blank, other, empty] = answer.by[0]?.entries ?? [];

  it("add what an entry says, and refuse forms that are not known", () => {
    expect(filtersOf(sbp)).toMatchObject([{ name: "origin", operator: "=", value: "SBP" }]);
    expect(filtersOf(empty)).toMatchObject([{ name: "origin", operator: "=", value: null }]);
    expect(filtersOf(blank)).toMatchObject([{ name: "origin", operator: "in", value: [""] }]);
    expect(filtersOf(other)).toMatchObject([{ name: "origin", operator: "not in", value: ["SBP", "", null] }]);
    expect(filtersOf({ kind: "group", label: "Late", narrow: null, reason: "Groups by first." })).toBeUndefined();
    expect(filtersOf({ kind: "group", label: "Late", narrow: { filters: [{ name: "delay", operator: "~", value: 1 }] } })).toBeUndefined();
  });

  it("leave out a single value", () => {
    expect(sbp && excluded(description, none, sbp)?.dynamic).toMatchObject([{ name: "origin", operator: "<>", value: "SBP" }]);
    expect(empty && excluded(description, none, empty)).toBeNull();
  });
});
