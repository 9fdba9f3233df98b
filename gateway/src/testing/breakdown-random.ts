import {
  type BreakdownAnswer,
  type BreakdownEntry,
  type BreakdownRequest,
  type BreakdownRequestDraft,
  type BreakdownUnit,
  type TimePart,
  breakdownLimits,
} from "@fairway/contract/breakdowns";
import type { CellValue } from "@fairway/contract/search";
import { expect } from "vitest";
import { type OracleRow, cellsOf, figureOf, keysOf, timeColumn, timeKey } from "./breakdown-oracle.ts";

/** A number from 0 to 1; the same ones for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const newYork = [Date.UTC(2001, 3, 1, 6, 59), Date.UTC(2001, 3, 1, 7), Date.UTC(2001, 9, 28, 5, 30), Date.UTC(2001, 9, 28, 6, 30)];
const moments = [
  ...newYork,
  Date.UTC(2011, 11, 30, 9, 59),
  Date.UTC(2011, 11, 30, 10),
  Date.UTC(2001, 2, 24, 15, 20),
  -1,
  -86_400_001,
  Date.UTC(1969, 6, 20),
];
const zones = ["UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"];

/** Values of each column as SQL and as they are shown. */
const columns = {
  text: [
    ["''", ""],
    ["'a'", "a"],
    ["'A'", "A"],
    ["'a '", "a "],
    ["'it''s'", "it's"],
    ["'😀'", "😀"],
    ["'￿'", "￿"],
    ["null", null],
  ],
  whole: [
    ["9007199254740993", "9007199254740993"],
    ["9007199254740992", 9007199254740992],
    ["-9007199254740993", "-9007199254740993"],
    ["0", 0],
    ["1", 1],
    ["5", 5],
    ["null", null],
  ],
  real: [
    ["0", 0],
    ["'-0'", 0],
    ["0.1", 0.1],
    ["0.3", 0.3],
    ["-1.5", -1.5],
    ["'NaN'", null],
    ["'Infinity'", null],
    ["'-Infinity'", null],
    ["null", null],
  ],
  money: [
    ["1.10", 1.1],
    ["1.21", 1.21],
    ["-0.05", -0.05],
    ["0", 0],
    ["null", null],
  ],
  at: [...moments.map((ms) => [`'${new Date(ms).toISOString().replace("T", " ").slice(0, -1)}'`, ms] as const), ["null", null]],
} as const satisfies Record<string, readonly (readonly [string, string | number | null])[]>;
const types = { text: "varchar", whole: "bigint", real: "double", money: "decimal(10, 2)", at: "timestamp" } as const;
export const randomColumns = { text: "STRING", whole: "integer", real: "decimal", money: "decimal", at: "TIMESTAMP_MILLS" } as const;
type Name = keyof typeof columns;
type Grouping = NonNullable<BreakdownRequest["by"]>[number];
type ValueGrouping = Extract<Grouping, { kind: "value" }>;
const names = Object.keys(columns) as Name[];

/** A small table. `timestampType`: how the engine calls times of milliseconds. */
export function randomTable(random: () => number, count: number, timestampType = "timestamp"): { select: string; rows: OracleRow[] } {
  const rows: OracleRow[] = [];
  const selects: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const cells = names.map((name) => [name, pick<readonly [string, CellValue]>(random, columns[name])] as const);
    rows.push(Object.fromEntries(cells.map(([name, [, shown]]) => [name, shown])));
    const values = cells.map(([name, [sql]]) => `cast(${sql} as ${name === "at" ? timestampType : types[name]}) as "${name}"`);
    selects.push(`select ${values.join(", ")}`);
  }
  return { select: selects.join(" union all "), rows };
}

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const units: readonly BreakdownUnit[] = ["hour", "day", "week", "month", "quarter", "year"];
const parts: readonly TimePart[] = ["minuteOfHour", "hourOfDay", "dayOfWeek", "dayOfMonth", "weekOfYear", "monthOfYear", "quarterOfYear"];

function randomGrouping(random: () => number, isList: boolean): NonNullable<BreakdownRequestDraft["by"]>[number] {
  const label = (index: number) => ({
    label: `group ${index}`,
    filters: [{ name: "whole", operator: pick(random, ["<", ">=", "="]), value: pick(random, [0, 1, 5]) }],
  });
  const top = { count: 1 + Math.floor(random() * 4), by: pick(random, ["count(*)", "avg(real)"]), other: random() < 0.7 };
  const column = random() < 0.5 ? { column: timeColumn } : {};
  switch (Math.floor(random() * 6)) {
    case 0:
    case 1:
      return { kind: "value", column: pick(random, names), ...(random() < 0.5 ? { top } : {}), empty: random() < 0.8 ? "show" : "hide" };
    case 2:
      // A span of decades has very many hours, and two of its months too many cells.
      return { kind: "time", unit: pick(random, isList ? units.slice(1) : units.slice(4)), zone: pick(random, zones), ...column };
    case 3:
      return { kind: "part", part: pick(random, parts), zone: pick(random, zones), ...column };
    case 4:
      return pick(random, [
        { kind: "range" as const, column: "real", width: 0.1 },
        { kind: "range" as const, column: "whole", edges: [-0.5, 1, 5] },
        { kind: "range" as const, column: "money", about: 3 },
      ]);
    default:
      return { kind: "groups", groups: [label(0), label(1), label(2)], match: pick(random, ["all", "first"]), other: random() < 0.5 };
  }
}

const countOfRows = { aggregation: "count" };
const measures: NonNullable<BreakdownRequest["measures"]> = [
  countOfRows,
  { aggregation: "avg", column: "real" },
  { aggregation: "sum", column: "whole" },
  { aggregation: "median", column: "money" },
  { aggregation: "percentile", column: "real", p: 0.9 },
  { aggregation: "distinct", column: "text" },
  { aggregation: "stddev", column: "real" },
  { aggregation: "min", column: "at" },
  { aggregation: "max", column: "money", where: [{ name: "whole", operator: ">=", value: 1 }], id: "most" },
  { aggregation: "rate", where: [{ name: "text", operator: "=", value: "a" }] },
];

export function randomRequest(random: () => number): BreakdownRequestDraft {
  const isList = random() < 0.6;
  const by = isList ? [randomGrouping(random, true)] : [randomGrouping(random, false), randomGrouping(random, false)];
  const named = by.map((grouping, index) => Object.assign(grouping, { id: `by ${index}` }));
  const filters = random() < 0.3 ? [{ name: "whole", operator: ">=", value: 0 }] : [];
  return { search: { filters }, by: named, measures, totals: true };
}

/** Compares an answer with what the oracle says of the rows. */
export function expectAnswer(request: BreakdownRequestDraft, answer: BreakdownAnswer, all: readonly OracleRow[]): void {
  const { by = [], measures: asked, search } = request as BreakdownRequest;
  const rows = all.filter((row) =>
    (search.filters ?? []).every(({ value }) => row["whole"] !== null && Number(row["whole"]) >= Number(value)),
  );
  const edges = answer.by.map(({ entries }) =>
    entries.flatMap((entry) => (entry.kind === "range" && entry.from !== null ? [entry.from] : [])),
  );
  const named = answer.by.map(
    ({ entries }) => new Set(entries.flatMap((entry) => (entry.kind === "value" ? [JSON.stringify(entry.value)] : []))),
  );
  // Rows of Other have all values that are not named.
  const merged = (keys: readonly string[]) =>
    keys.map((key, axis) => {
      const grouping = by[axis];
      return grouping?.kind === "value" && key !== "empty" && named[axis]?.has(key) !== true ? "other" : key;
    });
  const expected = new Map<string, OracleRow[]>();
  for (const { keys, rows: found } of cellsOf(by, rows, edges)) {
    const id = JSON.stringify(merged(keys));
    expected.set(id, [...(expected.get(id) ?? []), ...found]);
  }
  const entryKeys = answer.by.map(({ entries }, axis) => entries.map((entry, place) => entryKey(entry, place, by[axis])));
  const seen = new Set<string>();
  for (const { at, values } of answer.cells) {
    const id = JSON.stringify(at.map((place, axis) => entryKeys[axis]?.[place]));
    seen.add(id);
    expectFigures(asked, values, expected.get(id) ?? [], { request, id });
  }
  for (const id of expected.keys()) {
    const keys = JSON.parse(id) as string[];
    const isAnswered = keys.every((key, axis) => entryKeys[axis]?.includes(key));
    if (isAnswered) expect(seen.has(id), JSON.stringify({ request, id })).toBe(true);
    else expect(isLeftOut(by, answer, entryKeys, keys), JSON.stringify({ request, id })).toBe(true);
  }
  expectFigures(asked, answer.totals?.all.values ?? [], rows, { request, id: "all" });
  answer.by.forEach((axis, index) => {
    const grouping = by[index];
    if (grouping?.kind !== "value") return;
    const found = new Set(rows.map((row) => keysOf(grouping, row, [])[0]).filter((key) => key !== "empty"));
    expect(axis.found, JSON.stringify(request)).toBe(found.size);
    expectRanked(grouping, axis.entries, rows, request);
  });
}

/** The best groups are named, the best first; ties go by key. */
function expectRanked(grouping: ValueGrouping, entries: readonly BreakdownEntry[], rows: readonly OracleRow[], request: unknown): void {
  const measure = measures.find(({ aggregation, column = "*" }) => `${aggregation}(${column})` === grouping.top?.by) ?? countOfRows;
  const ranked = cellsOf([grouping], rows, []).flatMap(({ rows: found }): RankedGroup[] => {
    const key = found[0]?.[grouping.column] ?? null;
    return key === null ? [] : [{ key, figure: figureOf(measure, found) }];
  });
  const named = entries.flatMap((entry) => (entry.kind === "value" ? ranked.filter(({ key }) => key === entry.value) : []));
  expect(named.length, JSON.stringify(request)).toBe(Math.min(grouping.top?.count ?? Infinity, ranked.length));
  const rest = ranked.filter((group) => !named.includes(group));
  const last = named.at(-1);
  const pairs = [...named.slice(1).map((group, index) => [named[index], group]), ...rest.map((group) => [last, group])];
  for (const [better, worse] of pairs) {
    const isRanked = better !== undefined && worse !== undefined && isBefore(better, worse);
    expect(isRanked, JSON.stringify({ request, better, worse })).toBe(true);
  }
}

interface RankedGroup {
  readonly key: string | number | boolean;
  readonly figure: CellValue;
}

/** Averages that are close may be equal in the answer, or not. */
function isBefore(one: RankedGroup, other: RankedGroup): boolean {
  if (one.figure === null || other.figure === null)
    return one.figure !== null || (other.figure === null && compareKeys(one.key, other.key) < 0);
  if (!isClose(one.figure, other.figure)) return Number(one.figure) > Number(other.figure);
  return !Number.isInteger(one.figure) || compareKeys(one.key, other.key) < 0;
}

/** Numbers as such, texts by code point. */
function compareKeys(one: CellValue, other: CellValue): number {
  const isWhole = [one, other].every((key) => /^-?\d+$/.test(String(key)));
  if (isWhole) return BigInt(String(one)) < BigInt(String(other)) ? -1 : 1;
  if (typeof one === "number" && typeof other === "number") return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

/**
 * Whether rows have no cell because that was asked of one of their keys, or because it is of a time beyond the most entries of a list.
 * Entries for empty values and Other go when all of their rows do.
 */
function isLeftOut(
  by: NonNullable<BreakdownRequest["by"]>,
  answer: BreakdownAnswer,
  entryKeys: readonly (readonly string[])[],
  keys: readonly string[],
): boolean {
  const missing = by.flatMap((grouping, axis) => {
    const [key = "", listed = []] = [keys[axis], entryKeys[axis]];
    return listed.includes(key) ? [] : [{ key, isAsked: isAskedToGo(grouping, key) || isBeyondList(grouping, answer, listed, key) }];
  });
  return missing.some(({ isAsked }) => isAsked) && missing.every(({ key, isAsked }) => isAsked || key === "empty" || key === "other");
}

const isAskedToGo = (grouping: Grouping, key: string): boolean =>
  grouping.kind === "value" &&
  ((key === "empty" && grouping.empty === "hide") || (key === "other" && grouping.top !== undefined && grouping.top.other !== true));

const isBeyondList = (grouping: Grouping, { by, isCut }: BreakdownAnswer, listed: readonly string[], key: string): boolean =>
  grouping.kind === "time" && isCut && by.length === 1 && key > (listed[breakdownLimits.listedEntries - 1] ?? key);

function entryKey(entry: BreakdownEntry, place: number, grouping: Grouping | undefined): string {
  switch (entry.kind) {
    case "value":
      return JSON.stringify(entry.value);
    case "time":
      return grouping?.kind === "time" ? timeKey(grouping.unit, entry, grouping.zone ?? "UTC") : "";
    case "part":
      return String(entry.number);
    case "range":
    case "group":
      return String(place);
    case "empty":
    case "other":
    case "outside":
      return entry.kind;
    default:
      return entry satisfies never;
  }
}

function expectFigures(asked: BreakdownRequest["measures"], values: readonly unknown[], rows: readonly OracleRow[], what: object): void {
  const figures = asked.map((measure) => figureOf(measure, rows));
  const close = figures.map((figure, index) => (isClose(figure, values[index]) ? values[index] : figure));
  expect(values, JSON.stringify(what)).toEqual(close);
}

/** Whole figures are exact. */
function isClose(one: unknown, other: unknown): boolean {
  if (typeof one !== "number" || typeof other !== "number" || (Number.isInteger(one) && Number.isInteger(other))) return one === other;
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
}
