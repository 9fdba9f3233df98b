import type { DatasetRef, SearchData } from "./api.ts";
import { invalidArgument } from "./errors.ts";

/** Whole numbers beyond 2^53 as bigint or as text, which have all their digits. */
export type FilterValue = string | number | bigint | boolean | Date;
export type SearchFilter = SearchData["filters"] extends (infer Filter)[] | undefined ? Filter : never;
/** The operators that compare with one value. */
export type Operator = Extract<SearchFilter["operator"], "=" | "<>" | "<" | "<=" | ">" | ">=">;

type ListOperator = "in" | "not in";
type RangeOperator = "between" | "not between";
type TextOperator = "contains" | "not contains" | "starts with" | "not starts with";
type CalendarOperator = "when" | "not when";

/** Parts of the calendar in a zone: `{ part: "dayOfWeek", zone: "UTC", in: [6, 7] }` is Saturday and Sunday. */
export interface CalendarMembers {
  readonly part: "minuteOfHour" | "hourOfDay" | "dayOfWeek" | "dayOfMonth" | "weekOfYear" | "monthOfYear" | "quarterOfYear";
  readonly zone: string;
  readonly in: readonly number[];
}

/** Operators of one column with what each takes; all have to hold. Both ends of a range are included, and texts ignore case. */
export type ColumnConditions = Readonly<
  Partial<
    Record<Operator, FilterValue | null> &
      Record<ListOperator, readonly (FilterValue | null)[]> &
      Record<RangeOperator, readonly [low: FilterValue, high: FilterValue]> &
      Record<TextOperator, string> &
      Record<CalendarOperator, CalendarMembers>
  >
>;

/**
 * Conditions that all have to hold: `{ basin: "NA", wind: { ">=": 64, "<": 100 }, name: { in: ["Rita", "Katrina"] } }`. Null means
 * without a value: `{ landfall: null, wind: { "<>": null } }`.
 */
export type Conditions = Readonly<Record<string, FilterValue | null | ColumnConditions>>;

/** Conditions by columns, or a list as the API takes it, which may hold alternatives: `[anyOf({ wind: { ">=": 64 } }, { name: "Rita" })]`. */
export type Where = Conditions | readonly SearchFilter[];

/** A filter that keeps the rows of at least one of several conditions, for the list that `where` takes. */
export function anyOf(...alternatives: readonly Where[]): SearchFilter {
  return { name: "*", operator: "any", value: alternatives.map((where) => filtersOf(where)) } as SearchFilter;
}

/** A dataset as `category/id`, or an entry of `datasets()`. */
export type DatasetName = string | DatasetRef;

/** A query: filters, time range, area, columns and order of a search. */
export interface Query {
  /** From this time on: a Date, epoch milliseconds, or ISO 8601, in UTC unless it names an offset. */
  readonly from?: Date | number | string | undefined;
  /** Up to this time, included. A day without a time is included to its end. */
  readonly to?: Date | number | string | undefined;
  readonly where?: Where | undefined;
  /** Closed polygons as `lng lat, lng lat, …`; rows in any of them match. */
  readonly polygons?: readonly string[] | undefined;
  /**
   * Columns to compute from those of each row, by name: `{ late: "delay > 15" }`. `where`, `sort` and later ones may name them.
   */
  readonly computed?: Readonly<Record<string, string>> | undefined;
  /** Columns of other datasets by a key, as the API takes them. */
  readonly lookups?: readonly Lookup[] | undefined;
}

export type Lookup = NonNullable<SearchData["lookups"]>[number];

export interface Sorted {
  /** Columns in order of precedence: `{ wind: "desc", time: "asc" }`. */
  readonly sort?: Readonly<Record<string, "asc" | "desc">> | undefined;
}

/** The path parameters of a dataset. */
export function datasetParams(dataset: DatasetName): { category: string; datasetId: string } {
  if (typeof dataset !== "string") return { category: dataset.datasetCategory, datasetId: dataset.datasetId };
  const slash = dataset.indexOf("/");
  if (slash < 1 || slash === dataset.length - 1) {
    throw invalidArgument(`${JSON.stringify(dataset)} is not a dataset: expected category/id.`);
  }
  return { category: dataset.slice(0, slash), datasetId: dataset.slice(slash + 1) };
}

/** The body of a search, without paging. */
export function searchData({ from, to, where = [], polygons, sort, computed, lookups }: Query & Sorted): SearchData {
  return {
    ...(from === undefined && to === undefined
      ? {}
      : { timeRange: { start: timeOf(from ?? "0001-01-01", "from", "start"), end: timeOf(to ?? "9999-12-31", "to", "end") } }),
    filters: filtersOf(where),
    ...(polygons === undefined ? {} : { geospatial: { polygons: [...polygons], antimeridianPolygons: false } }),
    ...(computed === undefined ? {} : { computed: Object.entries(computed).map(([name, expression]) => ({ name, expression })) }),
    ...(lookups === undefined ? {} : { lookups: [...lookups] }),
    ...(sort === undefined ? {} : { sort: Object.entries(sort).map(([column, direction]) => ({ column, direction })) }),
  };
}

/** The filters of conditions. */
export function filtersOf(where: Where): SearchFilter[] {
  if (isList(where)) return [...where];
  return Object.entries(where).flatMap(([name, condition]) => {
    if (typeof condition !== "object" || condition === null || condition instanceof Date)
      return [{ name, operator: "=", value: plain(condition) }];
    return Object.entries(condition).map(([operator, value]) => ({ name, operator, value: sent(value) }) as SearchFilter);
  });
}

const isList = (where: Where): where is readonly SearchFilter[] => Array.isArray(where);

type ConditionValue = ColumnConditions[keyof ColumnConditions];

function sent(value: ConditionValue): SearchFilter["value"] {
  if (isValues(value)) return value.map(plain);
  if (typeof value === "object" && value !== null && !(value instanceof Date)) return { ...value, in: [...value.in] };
  return plain(value ?? null);
}

const isValues = (value: ConditionValue): value is readonly (FilterValue | null)[] => Array.isArray(value);

function plain(value: FilterValue | null): string | number | boolean | null {
  if (typeof value === "bigint") return String(value);
  return value instanceof Date ? value.toISOString() : value;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const withoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

/** ISO 8601 of a time; a day without a time ends with its last millisecond. */
export function timeOf(value: Date | number | string, name: string, end: "start" | "end"): string {
  const text = typeof value === "string" && day.test(value) && end === "end" ? `${value}T23:59:59.999Z` : value;
  const time = new Date(typeof text === "string" && withoutZone.test(text) ? `${text}Z` : text);
  if (Number.isNaN(time.getTime()))
    throw invalidArgument(`${name} is ${JSON.stringify(value)}: expected a time such as 2005-08-29T12:00:00Z.`);
  return time.toISOString();
}
