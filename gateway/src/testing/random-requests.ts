import type { BreakdownMeasure, BreakdownRequestDraft, BreakdownUnit } from "@fairway/contract/breakdowns";
import { calendarPart } from "@fairway/contract/filters";
import { timeColumn } from "./breakdown-oracle.ts";
import { randomFilter } from "./random-filters.ts";
import { pick, randomColumnNames, zones } from "./random-table.ts";

type Grouping = NonNullable<BreakdownRequestDraft["by"]>[number];
type Sort = NonNullable<Grouping["sort"]>;

const count: BreakdownMeasure = { aggregation: "count" };
/** Figures that every way of adding up makes alike, so that their order is certain. */
const certain: readonly BreakdownMeasure[] = [
  count,
  { aggregation: "sum", column: "whole" },
  { aggregation: "sum", column: "money" },
  { aggregation: "max", column: "real" },
  { aggregation: "distinct", column: "text" },
  { aggregation: "rate", where: [{ name: "flag", operator: "=", value: true }] },
  { aggregation: "count", column: "whole", where: [{ name: "text", operator: "contains", value: "a" }], id: "some" },
];
const others: readonly BreakdownMeasure[] = [
  { aggregation: "avg", column: "real" },
  { aggregation: "median", column: "money" },
  { aggregation: "percentile", column: "real", p: 0.9 },
  { aggregation: "stddev", column: "real" },
  { aggregation: "min", column: "at" },
  { aggregation: "min", column: "text" },
  { aggregation: "max", column: "text" },
  { aggregation: "distinct", column: "real" },
  { aggregation: "distinct", column: "second" },
  { aggregation: "distinct", column: "single" },
  { aggregation: "max", column: "money", where: [{ name: "whole", operator: "in", value: [1, 5, null] }], id: "most" },
  { aggregation: "share" },
  { aggregation: "share", column: "*", of: "row" },
  { aggregation: "share", column: "whole", of: "column", where: [{ name: "whole", operator: ">=", value: 0 }], id: "part" },
];
const derived: readonly BreakdownMeasure[] = (["ratio", "ratio-percent", "product", "sum", "delta"] as const).map((aggregation) => ({
  aggregation,
  of: ["sum(money)", "count(*)"],
}));
const idOf = (measure: BreakdownMeasure): string =>
  measure.id ?? (measure.aggregation === "rate" ? "rate" : `${measure.aggregation}(${measure.column ?? "*"})`);
const certainIds = certain.map(idOf);

const units: readonly BreakdownUnit[] = ["day", "week", "month", "quarter", "year"];
const sizes = [1, 1, 1, 2, 3, 7];

/** The request that a grouping is made for: how many it has, and the time that its search leaves. */
interface Within {
  readonly groupings: number;
  /** Shorter than a week, longer, or all. */
  readonly range: "short" | "long" | "all";
  readonly isCompared: boolean;
}

function randomSort(random: () => number, { isCompared }: Within): { sort?: Sort } {
  if (random() < 0.5) return {};
  if (random() < 0.3) return { sort: { by: "key", direction: pick(random, ["asc", "desc"]) } };
  const of = isCompared ? pick(random, ["value", "before", "change", "percent"] as const) : "value";
  return { sort: { by: pick(random, certainIds), of, direction: pick(random, ["asc", "desc"]) } };
}

function randomGrouping(random: () => number, within: Within): Grouping {
  const sort = randomSort(random, within);
  const top = {
    count: 1 + Math.floor(random() * 4),
    by: pick(random, certainIds),
    direction: pick(random, ["asc", "desc"] as const),
    other: random() < 0.7,
  };
  const column = pick(random, [{}, { column: timeColumn }, { column: "second" }, { column: "day" }]);
  const weekStart = pick(random, ["monday", "sunday", "saturday"] as const);
  switch (Math.floor(random() * 6)) {
    case 0:
    case 1: {
      const isTop = random() < 0.5;
      return {
        kind: "value",
        column: pick(random, randomColumnNames),
        ...sort,
        ...(isTop ? { top } : {}),
        empty: random() < 0.8 ? "show" : "hide",
      };
    }
    case 2:
      return { kind: "time", ...randomBuckets(random, within, column), zone: pick(random, zones), weekStart, ...sort };
    case 3:
      return { kind: "part", part: pick(random, partsOf(within)), zone: pick(random, zones), weekStart, ...column, ...sort };
    case 4:
      return {
        ...pick(random, [
          { kind: "range" as const, column: "real", width: 0.1 },
          { kind: "range" as const, column: "real", width: 0.25, origin: 0.1 },
          { kind: "range" as const, column: "whole", edges: [-0.5, 1, 5] },
          { kind: "range" as const, column: "money", edges: [0, 1.1, 1.2] },
          { kind: "range" as const, column: "money", about: 3 },
        ]),
        ...sort,
      };
    default: {
      const label = (index: number) => ({ label: `group ${index}`, filters: [randomFilter(random)] });
      return {
        kind: "groups",
        groups: [label(0), label(1), label(2)],
        match: pick(random, ["all", "first"]),
        other: random() < 0.5,
        ...sort,
      };
    }
  }
}

/** Three groupings of an hour's minutes would be too many cells. */
const partsOf = ({ groupings }: Within) => (groupings < 3 ? calendarPart.options : (["dayOfWeek", "quarterOfYear"] as const));

/** Few enough buckets for one answer: a span of decades has very many hours. */
function randomBuckets(random: () => number, { groupings, range }: Within, column: { column?: string }) {
  const isOfRange = column.column === undefined || column.column === timeColumn;
  if (range === "short" && isOfRange)
    return {
      unit: pick(random, groupings > 1 ? (["hour", "day"] as const) : (["hour", "minute", "day"] as const)),
      size: pick(random, groupings > 1 ? [2, 5, 6] : [1, 5, 15, 30]),
      ...column,
    };
  if (groupings === 1) return { unit: pick(random, units), size: pick(random, sizes), ...column };
  return { unit: pick(random, ["quarter", "year"] as const), size: groupings === 2 ? pick(random, [1, 2]) : 5, ...column };
}

const ranges = {
  short: [
    { start: "2001-04-01T03:00:00Z", end: "2001-04-01T09:59:59Z" },
    { start: "2001-10-28T00:00:00Z", end: "2001-10-28T23:59:59.999Z" },
    { start: "2001-03-24T10:10:00Z", end: "2001-03-25T00:00:00Z" },
    { start: "2011-12-30T00:00:00Z", end: "2011-12-31T00:00:00Z" },
  ],
  long: [
    { start: "2001-01-01T00:00:00Z", end: "2001-12-31T23:59:59Z" },
    { start: "1969-01-01T00:00:00Z", end: "2012-01-01T00:00:00Z" },
    { start: "2001-04-01T05:00:00Z", end: "2011-12-30T09:59:59.999Z" },
  ],
} as const;
const comparisons = [
  "before",
  "year-before",
  { start: "2001-03-01T00:00:00Z", end: "2001-04-30T23:59:59Z" },
  { start: "1969-12-30T00:00:00Z", end: "1970-01-01T00:00:00Z" },
  { start: "2001-10-28T05:00:00Z", end: "2001-10-28T08:00:00Z" },
] as const;

export function randomRequest(random: () => number): BreakdownRequestDraft {
  const groupings = pick(random, [0, 1, 1, 1, 1, 2, 2, 2, 3]);
  const range = pick(random, ["all", "all", "short", "long", "long"] as const);
  const isCompared = range !== "all" && random() < 0.5;
  const within: Within = { groupings, range, isCompared };
  const by = Array.from({ length: groupings }, (_, index) => Object.assign(randomGrouping(random, within), { id: `by ${index}` }));
  const having = Array.from({ length: random() < 0.3 ? 1 + Math.floor(random() * 2) : 0 }, () => ({
    measure: pick(random, certainIds),
    operator: pick(random, [">=", "<", "<>"] as const),
    value: pick(random, [0, 1, 2, 5]),
    ...(groupings > 0 && random() < 0.5 ? { on: `by ${Math.floor(random() * groupings)}` } : {}),
  }));
  const compare = range === "short" ? pick(random, comparisons.slice(2)) : pick(random, comparisons);
  return {
    search: {
      filters: Array.from({ length: random() < 0.4 ? 1 : 0 }, () => randomFilter(random)),
      ...(range === "all" ? {} : { timeRange: pick<{ start: string; end: string }>(random, ranges[range]) }),
    },
    by,
    measures: [
      ...certain,
      ...[0, 1, 2, 3].map(() => pick(random, others)).filter((one, index, all) => all.indexOf(one) === index),
      pick(random, derived),
    ],
    having: groupings === 0 ? [] : having,
    ...(isCompared ? { compare: { to: typeof compare === "string" ? compare : { ...compare } } } : {}),
    totals: random() < 0.7,
  };
}
