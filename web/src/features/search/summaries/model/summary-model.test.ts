import { manyOf } from "@fairway/contract/counts";
import type { BreakdownAnswer, BreakdownEntry } from "@fairway/contract/breakdowns";
import { describe, expect, it } from "vitest";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { chartOf, offeredCharts } from "@fairway/contract/charts/chart-kinds";
import { columnAt, pictureOf } from "@fairway/contract/charts/chart-model";
import { changeText, figureText, fullFigureText, percentText } from "@fairway/contract/charts/figures";
import { exportedTable } from "./exported-table.ts";
import { summaryOfGraph } from "./from-graph.ts";
import { edgesOf, groupingChoices } from "./grouping-choices.ts";
import { measureLabel, titleOf } from "@fairway/contract/charts/measure-wording";
import { likelyMeasures } from "./likely-measures.ts";
import { newMeasure, withChoice } from "./measure-choices.ts";
import { mendings } from "./mending.ts";
import { excluded, narrowed } from "./narrow.ts";
import { footOf, rangeLabel, sentenceOf } from "@fairway/contract/charts/sentence";
import type { Asked } from "@fairway/contract/charts/asked";
import { byValues, summaryProblems, withMeasure, withoutMeasure } from "./summary.ts";
import { graphOfSummary } from "./to-graph.ts";
import { figureBound, figureOf, rowsOf, shownRows } from "@fairway/contract/charts/table-rows";

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
const never = (): never => {
  throw new Error("No measure.");
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
    expect(sentenceOf(asked, answer, [])).toBe("Top 2 of 220 origins by Average of delay, only those with at least 100 rows");
    expect(footOf(asked, answer)).toBe("2 of 220 groups, 31 with fewer than 100 rows are in Other");
    expect(sentenceOf({ measures: [count] }, { ...answer, by: [] }, [])).toBe("All 518,831 rows");
  });

  it("says how many groups meet the conditions, and of a table whether cells have to meet them", () => {
    const [axis] = answer.by;
    const all: Asked = { ...asked, by: [{ kind: "value", column: "origin" }] };
    expect(sentenceOf(all, answer, [])).toBe("2 of 220 origins, only those with at least 100 rows");
    const by = [axis, { ...axis, id: "date.hourOfDay", kind: "part", column: "date", entries: [] }] as BreakdownAnswer["by"];
    const table: Asked = { ...all, by: [...(all.by ?? []), { kind: "part", part: "hourOfDay", column: "date" }] };
    expect(sentenceOf(table, { ...answer, by }, [])).toContain(", only cells with at least 100 rows");
    const having = [{ measure: "count(*)", operator: ">=" as const, value: 100, on: "origin" }];
    expect(sentenceOf({ ...table, having }, { ...answer, by }, [])).toContain(", only origins with at least 100 rows");
  });

  it.each([
    [
      ["2001-01-15T00:00", "2001-02-01T00:00", "2001-03-01T00:00"],
      ["Jan 2001", "Feb 2001", "Mar 2001"],
    ],
    [
      ["2001-02-01T00:00", "2001-04-01T00:00", "2001-07-01T00:00"],
      ["Q1 2001", "Q2 2001", "Q3 2001"],
    ],
    [
      ["1999-05-31T00:00", "2000-01-01T00:00", "2001-01-01T00:00"],
      ["1999", "2000", "2001"],
    ],
    [["2001-02-01T00:00"], ["Feb 2001"]],
    [
      ["2001-01-30T00:00", "2001-02-01T00:00", "2001-02-02T00:00"],
      ["01/30/2001", "02/01/2001", "02/02/2001"],
    ],
    [
      ["2001-01-01T00:00", "2001-03-01T00:00", "2001-05-01T00:00"],
      ["01/01/2001", "03/01/2001", "05/01/2001"],
    ],
    [
      ["2001-01-01T00:00", "2001-01-01T06:00"],
      ["01/01/2001", "01/01/2001, 06:00"],
    ],
    [["2001-05-31T00:00", "2001-06-01T00:00"], ["05/31/2001", "06/01/2001"], 1],
  ])("names the steps of time that begin at %j", (texts, labels, days = 28) => {
    const entries = texts.map((text): BreakdownEntry => {
      const startMs = Date.parse(`${text}Z`);
      return { kind: "time", text, startMs, endMs: startMs + days * 86_400_000, narrow: null };
    });
    const by = [{ ...answer.by[0], id: "date", kind: "time", column: "date", entries }] as BreakdownAnswer["by"];
    expect(rowsOf({ ...answer, by }, columns).map(({ label }) => label)).toEqual(labels);
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
    shownRows(rowsOf(answer, columns), { find, order, bounded: 0 }).map(({ label }) => label);

  it("keeps Other and Empty last in every order, and groups without a figure before them", () => {
    expect(labels("", null)).toEqual(["SBP", '""', "Other (218)", "Empty"]);
    expect(labels("", { by: 0, descending: false })).toEqual(["SBP", '""', "Other (218)", "Empty"]);
    expect(labels("", { by: 1, descending: true })).toEqual(['""', "SBP", "Other (218)", "Empty"]);
    expect(labels("sb", null)).toEqual(["SBP"]);
  });
});

it("offers charts by the number of groupings, with the reason for the others", () => {
  expect(chartOf(null, { measures: [count] })).toBe("number");
  expect(chartOf("heatmap", { by: [byValues("origin")], measures: [count] })).toBe("bars");
  expect(chartOf("table", { by: [byValues("origin"), byValues("destination")], measures: [count] })).toBe("table");
  expect(offeredCharts({ measures: [count] }).find(({ kind }) => kind === "bars")?.reason).toBe("Bars need one grouping.");
});

it("never stacks figures that do not add up, and slices only counts and sums", () => {
  const byDayAndOrigin = [{ kind: "time" as const, column: "date", unit: "day" as const }, byValues("origin")];
  const reasonOf = (kind: string, shape: Parameters<typeof offeredCharts>[0]) =>
    offeredCharts(shape).find((one) => one.kind === kind)?.reason;
  expect(reasonOf("area", { by: byDayAndOrigin, measures: [count] })).toBeNull();
  for (const aggregation of ["avg", "median", "percentile", "distinct", "min", "max"])
    expect(reasonOf("stack", { by: byDayAndOrigin, measures: [{ aggregation, column: "delay" }] })).toContain("do not add up");
  expect(reasonOf("pie", { by: [byValues("origin")], measures: [average] })).toContain("do not add up");
  expect(reasonOf("scatter", { by: [byValues("origin")], measures: [count] })).toBe("A scatter needs one grouping and two measures.");
  const byDay = { by: byDayAndOrigin.slice(0, 1), measures: [count] };
  expect([chartOf(null, byDay, 60), chartOf(null, byDay, 61)]).toEqual(["columns", "lines"]);
  expect(chartOf(null, { by: [...byDayAndOrigin, byValues("destination")], measures: [count] })).toBe("table");
});

describe("a picture", () => {
  const day = (text: string, startMs: number): BreakdownEntry => ({
    kind: "time",
    startMs,
    endMs: startMs + 86_400_000,
    text,
    narrow: null,
  });
  const axis = { column: "date", type: "TIMESTAMP_SECONDS", found: 2, failing: { groups: 0, rows: 0 } };
  const origins = Array.from({ length: 10 }, (_, index) => value(`A${index}`));
  const picture = pictureOf(
    { measures: [count], by: [{ kind: "time", column: "date", unit: "day" }, byValues("origin")] },
    {
      ...answer,
      by: [
        {
          ...axis,
          id: "date",
          kind: "time",
          entries: [day("2001-05-01T00:00", 988_675_200_000), day("2001-05-02T00:00", 988_761_600_000)],
        },
        { ...axis, id: "origin", kind: "value", column: "origin", entries: [...origins, { kind: "other", count: 210, narrow: null }] },
      ],
      measures: answer.measures.slice(1),
      cells: [
        { at: [0, 0], values: [7] },
        { at: [1, 10], values: [900] },
      ],
    },
    columns,
    "lines",
  );

  it("draws eight series and Other, which is struck out where it would press the lines together", () => {
    expect(picture?.model.columns.map(({ label }) => label)).toEqual(["A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "Other (210)"]);
    expect(picture?.model.values.map((line) => [line[0], line[8]])).toEqual([
      [7, null],
      [null, 900],
    ]);
    expect(picture?.hidden).toEqual([8]);
    expect(picture?.note).toBe("The first 8 of 10 series are drawn; the table has all.");
    expect(picture?.model.groups.map(({ label }) => label)).toEqual(["05/01/2001", "05/02/2001"]);
  });

  it("says which step has none to be compared with", () => {
    const days = [day("2001-05-30T00:00", 991_180_800_000), day("2001-05-31T00:00", 991_267_200_000)];
    const compared: BreakdownAnswer = {
      ...answer,
      by: [{ ...axis, id: "date", kind: "time", entries: days }],
      compare: { timeRange: { start: "2001-04-01T00:00:00Z", end: "2001-04-30T23:59:59Z" } },
      cells: [
        { at: [0], values: [1, 40], before: [2, 50] },
        { at: [1], values: [1, 40], before: null },
      ],
    };
    const byDay: Asked = { measures: [average, count], by: [{ kind: "time", column: "date", unit: "day" }], compare: { to: "before" } };
    expect(footOf(byDay, compared)).toBe("2 of 2 groups, 05/31/2001 has no day in the period before");
    expect(sentenceOf(byDay, compared, [])).toBe("All 518,831 rows, compared with Apr 2001, times in UTC");
  });

  it("finds the line or the part of a stack at a value", () => {
    expect(columnAt([10, 30, null], new Set(), 24, false)).toBe(1);
    expect(columnAt([10, 30, null], new Set([1]), 24, false)).toBe(0);
    expect(columnAt([10, 30, 5], new Set(), 41, true)).toBe(2);
  });
});

describe("comparisons", () => {
  it("name a whole month, else both days", () => {
    expect(rangeLabel({ start: "2001-04-01T00:00:00Z", end: "2001-04-30T23:59:59Z" })).toBe("Apr 2001");
    expect(rangeLabel({ start: "2008-01-01T00:00:00Z", end: "2008-12-31T23:59:59Z" })).toBe("2008");
    expect(rangeLabel({ start: "2001-04-02T00:00:00Z", end: "2001-04-30T23:59:59Z" })).toBe("04/02/2001 – 04/30/2001");
  });

  it("order groups by what changed, and have no percent of zero", () => {
    const compared = rowsOf(
      { ...answer, cells: answer.cells.map((cell, index) => ({ ...cell, before: [index === 0 ? 0 : 1, 300] })) },
      columns,
    );
    expect(compared.slice(0, 1).map((row) => [figureOf(row, 0, "change"), figureOf(row, 0, "percent")])).toEqual([
      [21.97584541062802, null],
    ]);
    const order = { by: 1, of: "change", descending: false } as const;
    expect(shownRows(compared, { find: "", order, bounded: 0 }).map(({ label }) => label)).toEqual(["SBP", '""', "Other (218)", "Empty"]);
    expect([changeText(8.18, answer.measures[0] ?? never()), percentText(-38)]).toEqual(["+8.18", "−38.0 %"]);
  });
});

it("reads a bound on figures, which groups without a figure do not meet", () => {
  expect(figureBound("over 15")).toEqual({ operator: ">", value: 15 });
  expect(figureBound(">= 1,000")).toEqual({ operator: ">=", value: 1000 });
  expect(figureBound("at most -3")).toEqual({ operator: "<=", value: -3 });
  expect([figureBound("overland"), figureBound("over"), figureBound("15")]).toEqual([null, null, null]);
  expect(shownRows(rowsOf(answer, columns), { find: "over 15", order: null, bounded: 0 }).map(({ label }) => label)).toEqual(["SBP"]);
});

it("says a graph of groups by hand in its own words", () => {
  const color = "#099bf1";
  const delay = { id: "a", model: "delay", aggregation: "avg" as const, color };
  const graph = { title: "Delays", stacked: false, logAxis: false };
  const half = { model: "*", aggregation: "count" as const };
  const ratio = {
    id: "b",
    label: "Each",
    type: "ratio" as const,
    column1: { model: "delay", aggregation: "sum" as const },
    column2: half,
    color,
  };
  expect(summaryOfGraph({ ...graph, type: "line", groupingType: "day", days: 7, groupings: [], columns: [delay, ratio] })).toMatchObject({
    title: "Delays",
    chart: "lines",
    breakdown: {
      measures: [average, { aggregation: "sum", column: "delay" }, count, { aggregation: "ratio", of: ["sum(delay)", "count(*)"] }],
      by: [{ kind: "time", unit: "day", size: 7 }],
    },
  });
  const late = { id: "g", label: "Late ", conditions: [{ id: "c", model: "delay", operator: ">=" as const, value: 15 }], color };
  const rest = { id: "r", label: "Rest", conditions: [], color, isRest: true };
  expect(
    summaryOfGraph({ ...graph, type: "pie", groupingType: "custom", groupings: [late, rest], columns: [{ ...delay, ...half }] }),
  ).toMatchObject({
    chart: "bars",
    breakdown: {
      by: [{ kind: "groups", groups: [{ label: "Late", filters: [{ name: "delay", operator: ">=", value: 15 }] }], other: true }],
    },
  });
});

it("becomes a graph of groups by hand where the old words can say it, and says why elsewhere", () => {
  const stored = { id: "s", title: null, chart: null };
  const byDay = { measures: [average], by: [{ kind: "time" as const, unit: "day" as const, column: "date", size: 7 }] };
  expect(graphOfSummary({ ...stored, breakdown: byDay }, "date")).toMatchObject({
    title: "Average of delay by 7 days",
    type: "line",
    groupingType: "day",
    days: 7,
    columns: [{ model: "delay", aggregation: "avg" }],
  });
  expect(graphOfSummary({ ...stored, breakdown: { ...byDay, compare: { to: "before" } } }, "date")).toBe(
    "Groups by hand are not compared.",
  );
  expect(graphOfSummary({ ...stored, breakdown: asked }, "date")).toBe("Groups by hand have no conditions on groups.");
  const median = { ...byDay, measures: [{ aggregation: "median", column: "delay" }] };
  expect(graphOfSummary({ ...stored, breakdown: median }, "date")).toContain("By hand there are counts");
});

it("offers longer steps and fewer values for a table that is too large", () => {
  const table = { measures: [count], by: [{ kind: "time" as const, unit: "day" as const, column: "date" }, byValues("origin", 200)] };
  expect(mendings(table).map(({ label }) => label)).toEqual(["By week", "Top 50 of origin"]);
  expect(mendings({ ...table, by: [byValues("origin")] })).toEqual([]);
});

it("offers groupings by the labels of columns, also of several with the same one", () => {
  const labeled = buildColumn("dep_delay", { type: "integer", label: "Delay" });
  const other = buildColumn("arr_delay", { type: "integer", label: "Delay" });
  const described = buildDescription({ columns: [labeled, other] });
  const choices = groupingChoices(described, [byValues("dep_delay")]);
  expect(choices.map(({ title }) => title)).toEqual(["Delay in ranges", "Delay", "Delay in ranges", "groups of my own"]);
  expect(new Set(choices.map(({ label }) => label)).size).toBe(choices.length);
});

it("reads edges of ranges in ascending order", () => {
  expect(edgesOf("0, 15, 60")).toEqual([0, 15, 60]);
  expect([edgesOf("15, 0"), edgesOf("0,,1"), edgesOf("x")]).toEqual([null, null, null]);
});

describe("changes", () => {
  it("gives counts of different rows ids of their own", () => {
    const late = withMeasure({ measures: [count, average] }, 1, { ...count, where: [{ name: "delay", operator: ">=", value: 15 }] });
    expect(late.measures[1]?.id).toBe("count(*) 2");
    expect(summaryProblems(late)).toEqual([]);
  });

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

describe("the table of a summary in a file", () => {
  it("has the groups shown, or all that meet the conditions in the order of the ranking", () => {
    const [shown, all] = exportedTable("Delays", asked, answer).extents;
    expect(shown).toMatchObject({
      label: "The 2 origins shown",
      description: "All other rows are one group, Other (218).",
      breakdown: asked,
    });
    expect(all).toMatchObject({ label: "All 189 origins that meet the conditions" });
    expect(all?.breakdown.by).toEqual([{ kind: "value", column: "origin", sort: { by: "avg(delay)" } }]);
  });

  it("leaves no choice where none are left out", () => {
    const few = answer.by.map((axis) => ({ ...axis, found: 2, failing: { groups: 0, rows: 0 } }));
    const { note, extents } = exportedTable("Delays", { ...asked, having: [] }, { ...answer, by: few });
    expect([note, extents.length]).toEqual(["All groups of Delays.", 1]);
  });
});

it("proposes figures with a unit first, and parts of places, times and keys last", () => {
  const number = (name: string, unit?: string) => buildColumn(name, { type: "decimal", ...(unit === undefined ? {} : { unit }) });
  const combined = { type: "COORDINATES" as const, fields: ["y", "x"], joinedBy: ", " };
  const columns = [...["y", "x", "flight_id", "year", "birds"].map((name) => number(name)), number("delay", "min")];
  const description = buildDescription({ columns: [...columns, buildColumn("position", { combined })] });
  expect(likelyMeasures(description)).toEqual(["delay", "birds", "y", "x", "flight_id", "year"]);
  expect(newMeasure([count], description)).toEqual(average);
  expect(withChoice(count, "avg", description, [])).toEqual(average);
  expect(withChoice({ aggregation: "sum", column: "birds" }, "max", description, [])).toEqual({ aggregation: "max", column: "birds" });
});
