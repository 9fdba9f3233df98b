import type { BreakdownGrouping, BreakdownMeasure, BreakdownRequest } from "@fairway/contract/breakdowns";
import { type Operator, satisfies } from "@fairway/contract/columns";
import { type Filter, calendarRanges } from "@fairway/contract/filters";
import { measureText } from "@fairway/contract/measures";
import type { CellValue } from "@fairway/contract/search";
import { clockOf, compareShown, matches, partOf, shownMs } from "./filter-oracle.ts";
import { type OracleRow, type RandomColumn, randomColumns } from "./random-table.ts";

/** The dataset's time column, by which times are grouped that name none. */
export const timeColumn = "at";

/** Epoch milliseconds, both inclusive. */
export interface OraclePeriod {
  readonly startMs: number;
  readonly endMs: number;
}

export interface OracleFigures {
  readonly values: readonly CellValue[];
  /** Undefined without a comparison, null where there is nothing to compare with. */
  readonly before?: readonly CellValue[] | null;
}

/** The answer that a breakdown has to give, computed from the rows without SQL. */
export interface OracleAnswer {
  readonly axes: readonly {
    readonly found: number;
    readonly failing: { readonly groups: number; readonly rows: number };
    /** Of the entries, in order; as `entryKey` says them. */
    readonly keys: readonly string[];
    /** Groups of Other. */
    readonly others: number;
    /** Between ranges. */
    readonly edges: readonly number[];
  }[];
  readonly cells: readonly (OracleFigures & { readonly at: readonly number[] })[];
  readonly totals: { readonly all: OracleFigures; readonly axes: readonly (readonly OracleFigures[])[] };
  readonly rows: number;
  readonly isCut: boolean;
}

/** The rows of both periods by the keys of their entries, an empty key for an axis that is not grouped by. */
interface Periods {
  readonly present: readonly OracleRow[];
  readonly before: readonly OracleRow[] | undefined;
}
type Period = keyof Periods;
type Direction = "asc" | "desc";
type Order = { readonly measure: number | null; readonly of: "value" | "before" | "change" | "percent"; readonly direction: Direction };

/** Entries of an axis before any is left out, and the keys of each row. */
interface Axis {
  readonly keys: readonly string[];
  readonly found: number;
  readonly failing: { readonly groups: number; readonly rows: number };
  readonly others: number;
  readonly edges: readonly number[];
  readonly order: Order;
  /** Compares the keys of groups. */
  readonly byKey: (one: string, other: string) => number;
  readonly keysOf: (row: OracleRow, period: Period) => readonly string[];
  /** Keys without a counterpart in the comparison. */
  readonly unpaired: ReadonlySet<string>;
}

const [empty, other] = ["empty", "other"];
const isOptional = (key: string): boolean => key === empty || key === other;
/** Entries of a list of times. */
const maxListed = 1_000;

const filtersOf = (filters: readonly unknown[] | undefined): readonly Filter[] => (filters ?? []) as readonly Filter[];
const matchesAll = (filters: readonly unknown[] | undefined, row: OracleRow): boolean =>
  filtersOf(filters).every((filter) => matches(filter, row));

function inRange(row: OracleRow, range: OraclePeriod | undefined): boolean {
  const ms = row[timeColumn] ?? null;
  return range === undefined || (ms !== null && Number(ms) >= range.startMs && Number(ms) <= range.endMs);
}

/** `before`: the range of the comparison. */
export function expectedAnswer(request: BreakdownRequest, all: readonly OracleRow[], before: OraclePeriod | undefined): OracleAnswer {
  const { search, by = [], measures, having = [] } = request;
  const { timeRange } = search;
  const range = timeRange && { startMs: Date.parse(timeRange.start ?? ""), endMs: Date.parse(timeRange.end ?? "") };
  const rowsIn = (period: OraclePeriod | undefined) => all.filter((row) => inRange(row, period) && matchesAll(search.filters, row));
  const periods: Periods = { present: rowsIn(range), before: before && rowsIn(before) };
  const ids = measures.map((measure) => measure.id ?? measureText(measure));
  const conditionsOn = (index: number) =>
    having
      .filter(({ on }) => (on === undefined ? by.length === 1 : on === by[index]?.id))
      .map(({ measure, operator, value }) => ({ measure: ids.indexOf(measure), operator, value }));
  const axes = by.map((grouping, index) => {
    const context = { measures, ids, periods, ranges: { present: range, before } };
    return remembered(axisOf(grouping, conditionsOn(index), context));
  });
  const isTable = axes.length > 1;

  const indexes = new Map<string, ReadonlyMap<string, readonly OracleRow[]>>();
  const rowsOf = (keys: readonly (string | undefined)[], period: Period): readonly OracleRow[] => {
    const id = `${period} ${keys.map((key) => (key === undefined ? "" : "x")).join(",")}`;
    const set = axes.map((axis, index) => (keys[index] === undefined ? undefined : axis));
    const index = indexes.get(id) ?? rowsByKeys(set, periods[period] ?? [], period);
    indexes.set(id, index);
    return index.get(keysText(keys)) ?? [];
  };
  const only = (axis: number, key: string | undefined) => axes.map((_, index) => (index === axis ? key : undefined));
  const valuesAt = (keys: readonly (string | undefined)[], period: Period): CellValue[] => {
    const rows = rowsOf(keys, period);
    const allRows = periods[period] ?? [];
    const last = axes.length - 1;
    const [first, final] = [keys[0], keys[last]];
    const row = isTable ? (first === undefined ? allRows : rowsOf(only(0, first), period)) : rows;
    const column = isTable && final !== undefined ? rowsOf(only(last, final), period) : allRows;
    return valuesOf(measures, ids, rows, { all: allRows, row, column });
  };
  const figuresAt = (keys: readonly (string | undefined)[]): OracleFigures => {
    const values = valuesAt(keys, "present");
    if (periods.before === undefined) return { values };
    const isPaired = keys.every((key, axis) => key === undefined || axes[axis]?.unpaired.has(key) !== true);
    return { values, before: isPaired ? valuesAt(keys, "before") : null };
  };
  const hasRows = (keys: readonly string[]) => rowsOf(keys, "present").length > 0 || rowsOf(keys, "before").length > 0;
  const used = axes.map(() => new Set<string>());
  for (const period of ["present", "before"] as const) {
    for (const row of periods[period] ?? []) {
      for (const keys of combinations(axes.map((axis) => axis.keysOf(row, period)))) keys.forEach((key, axis) => used[axis]?.add(key));
    }
  }

  let isCut = false;
  const shown = axes.map((axis, index) => {
    const conditions = by[index]?.kind === "value" ? [] : conditionsOn(index);
    const kept = axis.keys.filter((key) => !isOptional(key) || used[index]?.has(key) === true);
    const figuresOf = (key: string) => figuresAt(only(index, key));
    const fails = (key: string) => !isOptional(key) && conditions.length > 0 && !meets(figuresOf(key).values, conditions);
    const failing = kept.filter(fails);
    const groups = kept.filter((key) => !fails(key) && !isOptional(key)).toSorted((one, two) => compareGroups(axis, figuresOf, one, two));
    const listed = by.length === 1 ? groups.slice(0, maxListed) : groups;
    isCut ||= listed.length < groups.length;
    const failed = { groups: failing.length, rows: failing.reduce((sum, key) => sum + rowsOf(only(index, key), "present").length, 0) };
    const keys = [...listed, ...kept.filter(isOptional)];
    return {
      found: axis.found,
      failing: by[index]?.kind === "value" ? axis.failing : failed,
      keys,
      others: axis.others,
      edges: axis.edges,
    };
  });
  const cellConditions = having
    .filter(({ on }) => on === undefined && isTable)
    .map(({ measure, operator, value }) => ({ measure: ids.indexOf(measure), operator, value }));
  const cells = places(shown.map(({ keys }) => keys.length)).flatMap((at) => {
    const keys = at.map((place, axis) => shown[axis]?.keys[place] ?? "");
    if (isTable && !hasRows(keys)) return [];
    const figures = figuresAt(keys);
    return meets(figures.values, cellConditions) ? [{ at, ...figures }] : [];
  });
  return {
    axes: shown,
    cells,
    totals: {
      all: figuresAt(only(-1, undefined)),
      axes: isTable ? shown.map(({ keys }, axis) => keys.map((key) => figuresAt(only(axis, key)))) : [],
    },
    rows: periods.present.length,
    isCut,
  };
}

/** Zones take long to ask. */
function remembered(axis: Axis): Axis {
  const known = { present: new Map<OracleRow, readonly string[]>(), before: new Map<OracleRow, readonly string[]>() };
  return {
    ...axis,
    keysOf: (row, period) => {
      const keys = known[period].get(row) ?? axis.keysOf(row, period);
      known[period].set(row, keys);
      return keys;
    },
  };
}

const keysText = (keys: readonly (string | undefined)[]): string => JSON.stringify(keys.map((key) => key ?? null));

/** A row that is in several groups of an axis is one of the rows of each. */
function rowsByKeys(
  axes: readonly (Pick<Axis, "keysOf"> | undefined)[],
  rows: readonly OracleRow[],
  period: Period,
): ReadonlyMap<string, readonly OracleRow[]> {
  const found = new Map<string, OracleRow[]>();
  for (const row of rows) {
    const lists = axes.map((axis) => (axis === undefined ? [undefined] : axis.keysOf(row, period)));
    for (const keys of combinations<string | undefined>(lists)) {
      const id = keysText(keys);
      found.set(id, [...(found.get(id) ?? []), row]);
    }
  }
  return found;
}

const places = (lengths: readonly number[]): number[][] =>
  lengths.reduce<number[][]>((found, length) => found.flatMap((before) => Array.from({ length }, (_, place) => [...before, place])), [[]]);
const combinations = <Key>(lists: readonly (readonly Key[])[]): Key[][] =>
  lists.reduce<Key[][]>((found, list) => found.flatMap((before) => list.map((key) => [...before, key])), [[]]);

interface Context {
  readonly measures: readonly BreakdownMeasure[];
  readonly ids: readonly string[];
  readonly periods: Periods;
  readonly ranges: Readonly<Record<Period, OraclePeriod | undefined>>;
}
interface OracleCondition {
  readonly measure: number;
  readonly operator: Operator;
  readonly value: number;
}

const meets = (values: readonly CellValue[], conditions: readonly OracleCondition[]): boolean =>
  conditions.every(({ measure, operator, value }) => {
    const figure = values[measure] ?? null;
    return figure !== null && satisfies(operator, Number(figure) - value);
  });

function orderOf({ sort, ...grouping }: BreakdownGrouping, ids: readonly string[]): Order {
  const best = grouping.kind === "value" ? bestOf(grouping, ids) : { measure: null, of: "value" as const, direction: "asc" as const };
  if (sort === undefined) return best;
  const measure = sort.by === "key" ? null : ids.indexOf(sort.by);
  return { measure, of: sort.of ?? "value", direction: sort.direction ?? (measure === null ? "asc" : "desc") };
}

const bestOf = ({ top }: Pick<Extract<BreakdownGrouping, { kind: "value" }>, "top">, ids: readonly string[]): Order => ({
  measure: top?.by === undefined ? 0 : ids.indexOf(top.by),
  of: "value",
  direction: top?.direction ?? "desc",
});

/** By the figure, nulls last in both directions, ties by key. */
function compareGroups(
  { order, byKey }: Pick<Axis, "order" | "byKey">,
  figuresOf: (key: string) => OracleFigures,
  one: string,
  two: string,
) {
  if (order.measure === null) return order.direction === "asc" ? byKey(one, two) : byKey(two, one);
  const [first, second] = [ordered(order, figuresOf(one)), ordered(order, figuresOf(two))];
  if (first === null || second === null) return first === second ? byKey(one, two) : first === null ? 1 : -1;
  const compared = compareNumbers(first, second);
  return (order.direction === "asc" ? compared : -compared) || byKey(one, two);
}

function compareNumbers(one: CellValue, two: CellValue): number {
  const areWhole = [one, two].every((value) => /^-?\d+$/.test(String(value)));
  if (!areWhole) return Number(one) - Number(two);
  const [first, second] = [BigInt(String(one)), BigInt(String(two))];
  return first < second ? -1 : first > second ? 1 : 0;
}

function ordered({ measure, of }: Order, { values, before }: OracleFigures): CellValue {
  const [now, then] = [values[measure ?? 0] ?? null, before?.[measure ?? 0] ?? null];
  if (of === "value") return now;
  if (of === "before" || now === null || then === null) return of === "before" ? then : null;
  const change = Number(now) - Number(then);
  return of === "change" ? change : Number(then) === 0 ? null : (100 * change) / Math.abs(Number(then));
}

function axisOf(grouping: BreakdownGrouping, conditions: readonly OracleCondition[], context: Context): Axis {
  const order = orderOf(grouping, context.ids);
  const plain = { failing: { groups: 0, rows: 0 }, others: 0, edges: [], order, unpaired: new Set<string>() };
  const counted = (keys: readonly string[]) => ({
    found: keys.length,
    byKey: (one: string, two: string) => keys.indexOf(one) - keys.indexOf(two),
  });
  switch (grouping.kind) {
    case "value":
      return valueAxis(grouping, conditions, order, context);
    case "time":
      return { ...plain, ...timeAxis(grouping, context) };
    case "part": {
      const { part, zone = "UTC", weekStart = "monday", column = timeColumn } = grouping;
      const [first, last] = calendarRanges[part];
      const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      const turned = part === "dayOfWeek" ? { monday: 0, sunday: 6, saturday: 5 }[weekStart] : 0;
      const keys = [...numbers.slice(turned), ...numbers.slice(0, turned)].map(String);
      const keysOf = (row: OracleRow) => {
        const ms = row[column] ?? null;
        return [ms === null ? empty : String(partOf(part, shownMs(column as RandomColumn, ms), zoneOf(column, zone)))];
      };
      return { ...plain, ...counted(keys), keys: [...keys, empty], keysOf };
    }
    case "range": {
      const edges = edgesOf(grouping, context.periods.present);
      const keys = [0, ...edges].map((_, index) => String(index));
      const keysOf = (row: OracleRow) => {
        const value = row[grouping.column] ?? null;
        return [value === null ? empty : String(edges.filter((edge) => Number(value) >= edge).length)];
      };
      return { ...plain, ...counted(keys), edges, keys: [...keys, empty], keysOf };
    }
    case "groups": {
      const keys = grouping.groups.map((_, index) => String(index));
      const keysOf = (row: OracleRow) => {
        const found = keys.filter((_, index) => matchesAll(grouping.groups[index]?.filters, row));
        if (found.length === 0) return grouping.other === true ? [other] : [];
        return grouping.match === "first" ? found.slice(0, 1) : found;
      };
      return { ...plain, ...counted(keys), keys: [...keys, ...(grouping.other === true ? [other] : [])], keysOf };
    }
    default:
      return grouping satisfies never;
  }
}

/** Multiples of a width are counted in millionths, which doubles hold exactly. */
function edgesOf({ column, edges, width, origin = 0, about }: RangeGrouping, rows: readonly OracleRow[]): readonly number[] {
  const values = rows
    .flatMap((row) => row[column] ?? [])
    .map(Number)
    .toSorted((one, two) => one - two);
  if (edges !== undefined) return randomColumns[column as RandomColumn] === "integer" ? edges.map((edge) => Math.ceil(edge) + 0) : edges;
  if (values.length === 0) return [];
  const [low, high] =
    about === undefined ? [percentile(values, 0), percentile(values, 1)] : [percentile(values, 0.01), percentile(values, 0.99)];
  const step = width ?? roundWidth((high - low) / (about ?? 1));
  const [start, by] = [Math.round(origin * 1e6), Math.round(step * 1e6)];
  const found: number[] = [];
  for (let index = Math.floor((low * 1e6 - start) / by) - 1; (start + (index - 1) * by) / 1e6 <= high; index += 1)
    found.push((start + index * by) / 1e6);
  return found.filter((edge) => edge > low && edge <= high);
}

/** The least of 1, 2 and 5 times a power of ten that is at least as large. */
const roundWidth = (least: number): number =>
  least > 0
    ? Math.min(
        ...[-4, -3, -2, -1, 0, 1].flatMap((power) => [1, 2, 5].map((one) => Number(`${one}e${power}`))).filter((one) => one >= least),
      )
    : 1;

function valueAxis(
  grouping: Extract<BreakdownGrouping, { kind: "value" }>,
  conditions: readonly OracleCondition[],
  order: Order,
  { measures, ids, periods }: Context,
): Axis {
  const { column, top } = grouping;
  const keyOf = (row: OracleRow) => ((row[column] ?? null) === null ? empty : JSON.stringify(row[column]));
  const keysIn = (rows: readonly OracleRow[]) => [...new Set(rows.map(keyOf))].filter((key) => key !== empty);
  const groupOf = (key: string) => periods.present.filter((row) => keyOf(row) === key);
  const figuresOf = (key: string): OracleFigures => {
    const rows = groupOf(key);
    return { values: valuesOf(measures, ids, rows, { all: periods.present, row: rows, column: periods.present }) };
  };
  const byKey = (one: string, two: string) =>
    compareShown(column as RandomColumn, JSON.parse(one) as CellValue, JSON.parse(two) as CellValue);
  const found = keysIn(periods.present);
  const passing = found.filter((key) => conditions.length === 0 || meets(figuresOf(key).values, conditions));
  const failing = found.filter((key) => !passing.includes(key));
  const best = { order: bestOf(grouping, ids), byKey };
  const named = passing.toSorted((one, two) => compareGroups(best, figuresOf, one, two)).slice(0, top?.count ?? Infinity);
  const vanished = top === undefined && conditions.length === 0 ? keysIn(periods.before ?? []).filter((key) => !found.includes(key)) : [];
  const keys = [...named, ...vanished];
  const hasOther = top?.other === true;
  return {
    keys: [...keys, ...(hasOther ? [other] : []), ...(grouping.empty === "hide" ? [] : [empty])],
    found: found.length,
    failing: { groups: failing.length, rows: failing.reduce((sum, key) => sum + groupOf(key).length, 0) },
    others: found.length - named.length,
    edges: [],
    order,
    byKey,
    unpaired: new Set(),
    keysOf: (row) => {
      const key = keyOf(row);
      if (key === empty) return grouping.empty === "hide" ? [] : [empty];
      if (keys.includes(key)) return [key];
      return hasOther ? [other] : [];
    },
  };
}

const zoneOf = (column: string, zone: string): string => (column === "day" ? "UTC" : zone);
const dayMs = 86_400_000;
const firstWeekMs = { monday: 4 * dayMs, sunday: 3 * dayMs, saturday: 2 * dayMs };

type RangeGrouping = Extract<BreakdownGrouping, { kind: "range" }>;
type TimeGrouping = Extract<BreakdownGrouping, { kind: "time" }>;

/** The bucket of a moment, as a text that differs between buckets: its place from 1970 on, for clocks with their offset. */
export function bucketKey({ unit, size = 1, weekStart = "monday", column = timeColumn, ...grouping }: TimeGrouping, ms: number): string {
  const local = clockOf(ms, zoneOf(column, grouping.zone ?? "UTC"));
  if (unit === "hour" || unit === "minute") return `${Math.floor(local / (size * (unit === "hour" ? 3_600_000 : 60_000)))} ${local - ms}`;
  if (unit === "day") return String(Math.floor(local / (size * dayMs)));
  if (unit === "week") return String(Math.floor((local - firstWeekMs[weekStart]) / (7 * size * dayMs)));
  const date = new Date(local);
  const months = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return String(Math.floor(months / (size * { month: 1, quarter: 3, year: 12 }[unit])));
}

/** All buckets between two moments, met by walking in steps that are shorter than any bucket. */
function bucketsBetween(grouping: TimeGrouping, { startMs, endMs }: OraclePeriod): string[] {
  const stepMs = { minute: 60_000, hour: 900_000, day: dayMs / 4, week: dayMs, month: 5 * dayMs, quarter: 5 * dayMs, year: 5 * dayMs };
  const found = new Set<string>();
  for (let ms = startMs; ms < endMs; ms += stepMs[grouping.unit]) found.add(bucketKey(grouping, ms));
  return [...found.add(bucketKey(grouping, endMs))];
}

function timeAxis(grouping: TimeGrouping, { periods, ranges }: Context): Pick<Axis, "keys" | "found" | "byKey" | "keysOf" | "unpaired"> {
  const { column = timeColumn } = grouping;
  const msOf = (row: OracleRow) => ((row[column] ?? null) === null ? null : shownMs(column as RandomColumn, row[column] ?? null));
  const bucketsIn = (period: Period) => {
    const times = (periods[period] ?? []).flatMap((row) => msOf(row) ?? []);
    const span = column === timeColumn ? ranges[period] : undefined;
    if (span === undefined && times.length === 0) return [];
    return bucketsBetween(grouping, span ?? { startMs: Math.min(...times), endMs: Math.max(...times) });
  };
  const [now, then] = [bucketsIn("present"), bucketsIn("before")];
  return {
    keys: [...now, empty],
    found: now.length,
    byKey: (one, two) => now.indexOf(one) - now.indexOf(two),
    unpaired: new Set(periods.before === undefined ? [] : now.slice(then.length)),
    keysOf: (row, period) => {
      const ms = msOf(row);
      if (ms === null) return [empty];
      const key = bucketKey(grouping, ms);
      const partner = period === "present" ? key : now[then.indexOf(key)];
      return partner === undefined ? [] : [partner];
    },
  };
}

type Wholes = Readonly<Record<"all" | "row" | "column", readonly OracleRow[]>>;

/** All measures of some rows, with what shares are of. */
function valuesOf(measures: readonly BreakdownMeasure[], ids: readonly string[], rows: readonly OracleRow[], wholes: Wholes): CellValue[] {
  const plain = measures.map((measure) => {
    if (Array.isArray(measure.of)) return null;
    if (measure.aggregation !== "share") return figureOf(measure, rows);
    const [part, whole] = [rows, wholes[measure.of ?? "all"]].map((some) => Number(figureOf(measure, some)));
    return rows.length === 0 || figureOf(measure, rows) === null || !whole ? null : (100 * (part ?? 0)) / whole;
  });
  return measures.map(({ aggregation, of }, index) => {
    if (!Array.isArray(of)) return plain[index] ?? null;
    const [one, two] = of.map((id) => plain[ids.indexOf(id)] ?? null);
    return derivedOf(aggregation, one ?? null, two ?? null);
  });
}

function derivedOf(aggregation: string, one: CellValue, two: CellValue): number | null {
  const isRatio = aggregation === "ratio" || aggregation === "ratio-percent";
  if (isRatio && Number(two) === 0) return 0;
  if (one === null || two === null) return null;
  const [first, second] = [Number(one), Number(two)];
  const derived = { ratio: first / second, "ratio-percent": (100 * first) / second, product: first * second, sum: first + second };
  return aggregation === "delta" ? first - second : derived[aggregation as keyof typeof derived];
}

/** A figure over rows; a share is the part itself. Sums are exact texts beyond 2^53; everything else is as close as doubles are. */
export function figureOf(measure: BreakdownMeasure, rows: readonly OracleRow[]): CellValue {
  const counted = rows.filter((row) => matchesAll(measure.where, row));
  const { aggregation, column = "*" } = measure;
  if (aggregation === "rate") return rows.length === 0 ? null : (100 * counted.length) / rows.length;
  if (column === "*") return counted.length;
  const values = counted.map((row) => row[column] ?? null).filter((value) => value !== null);
  if (aggregation === "count") return values.length;
  if (aggregation === "distinct") return new Set(values).size;
  if (values.length === 0) return null;
  const isSum = aggregation === "sum" || aggregation === "share";
  if (isSum && values.every((value) => /^-?\d+$/.test(String(value)))) {
    const sum = values.reduce<bigint>((total, value) => total + BigInt(String(value)), 0n);
    return sum >= -(2n ** 53n) && sum <= 2n ** 53n ? Number(sum) : String(sum);
  }
  if (isSum && column === "money") return values.reduce<number>((total, value) => total + Math.round(100 * Number(value)), 0) / 100;
  if (randomColumns[column as RandomColumn] === "STRING") {
    const sorted = values.toSorted((one, two) => compareShown(column as RandomColumn, one, two));
    return (aggregation === "min" ? sorted[0] : sorted.at(-1)) ?? null;
  }
  const numbers = values.map(Number).toSorted((one, two) => one - two);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  switch (aggregation) {
    case "sum":
    case "share":
      return mean * numbers.length;
    case "avg":
      return mean;
    case "median":
      return percentile(numbers, 0.5);
    case "percentile":
      return percentile(numbers, measure.p ?? 0);
    case "min":
      return numbers[0] ?? null;
    case "max":
      return numbers.at(-1) ?? null;
    case "stddev":
      return numbers.length < 2 ? null : Math.sqrt(numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (numbers.length - 1));
    default:
      throw new Error(`the oracle does not know ${aggregation}`);
  }
}

function percentile(sorted: readonly number[], p: number): number {
  const rank = p * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
  return low + (high - low) * (rank - Math.floor(rank));
}
