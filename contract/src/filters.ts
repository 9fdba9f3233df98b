import { z } from "zod";
import { type ColumnType, isNumeric, isTimestamp, operator, type Operator } from "./columns.ts";
import { alternativesName, calendarRanges, filterLimits } from "./filter-limits.ts";
import { filterValue, type FilterValue } from "./filter-values.ts";

export { alternativesName, calendarRanges, filterLimits };

/**
 * Operators of filters besides those that compare with one value. A type of their own, so that everything that means a comparison
 * (path layers, custom groups of graphs, a dataset's own and linked filters) still cannot hold them.
 */
export const moreOperator = z.enum([
  "in",
  "not in",
  "between",
  "not between",
  "contains",
  "not contains",
  "starts with",
  "not starts with",
  "when",
  "not when",
  "any",
]);
export type MoreOperator = z.infer<typeof moreOperator>;

/** A part of a moment in a zone. `dayOfWeek` begins with 1 for Monday, `weekOfYear` is that of ISO 8601. */
export const calendarPart = z.enum(["minuteOfHour", "hourOfDay", "dayOfWeek", "dayOfMonth", "weekOfYear", "monthOfYear", "quarterOfYear"]);
export type CalendarPart = z.infer<typeof calendarPart>;

/** One value. Null with `=` keeps rows without a value, with `<>` those with one. */
export type Comparison = { name: string; operator: Operator; value: FilterValue | null };
/** Null in the list stands for rows without a value. */
export type ListFilter = { name: string; operator: "in" | "not in"; value: (FilterValue | null)[] };
/** Both ends are included. */
export type RangeFilter = { name: string; operator: "between" | "not between"; value: [low: FilterValue, high: FilterValue] };
/** Ignores case. */
export type TextFilter = { name: string; operator: "contains" | "not contains" | "starts with" | "not starts with"; value: string };
/** Times whose part in the zone, an IANA name, is one of the numbers. */
export type CalendarFilter = {
  name: string;
  operator: "when" | "not when";
  value: { part: CalendarPart; zone: string; in: number[] };
};
export type PlainFilter = Comparison | ListFilter | RangeFilter | TextFilter | CalendarFilter;
/** Rows that satisfy every filter of at least one list. */
export type Alternatives = { name: "*"; operator: "any"; value: PlainFilter[][] };
/** A filter of a search. All filters of a search have to hold. */
export type Filter = PlainFilter | Alternatives;

const name = z.string();
const listed = filterValue.nullable();
const calendarValue = z.strictObject({
  part: calendarPart,
  zone: z.string().min(1).max(filterLimits.zoneCharacters),
  in: z.array(z.int()).min(1).max(60),
});

const comparisonShape = { operator, value: filterValue.nullable() };
const listShape = { operator: z.enum(["in", "not in"]), value: z.array(listed).min(1).max(filterLimits.listValues) };
const rangeShape = { operator: z.enum(["between", "not between"]), value: z.tuple([filterValue, filterValue]) };
const textShape = { operator: z.enum(["contains", "not contains", "starts with", "not starts with"]), value: z.string().min(1) };
const calendarShape = { operator: z.enum(["when", "not when"]), value: calendarValue };

const plainForms = [
  z.strictObject({ name, ...comparisonShape }),
  z.strictObject({ name, ...listShape }),
  z.strictObject({ name, ...rangeShape }),
  z.strictObject({ name, ...textShape }),
  z.strictObject({ name, ...calendarShape }),
] as const;

const alternativesOf = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .array(z.array(entry).min(1).max(filterLimits.filtersPerAlternative))
    .min(filterLimits.alternatives.least)
    .max(filterLimits.alternatives.most);

const plainFilter = z.discriminatedUnion("operator", plainForms);

/** Reads a comparison and refuses every other filter. */
export const comparison: z.ZodType<Comparison> = plainForms[0];

/** Reads every filter strictly: an unknown form, field or operator is refused, because a search without it would find more rows. */
export const filter: z.ZodType<Filter> = z.discriminatedUnion("operator", [
  ...plainForms,
  z.strictObject({ name: z.literal(alternativesName), operator: z.literal("any"), value: alternativesOf(plainFilter) }),
]);

const addressedName = z.string().min(1);
const plainEntry = z.union([
  z.tuple([addressedName, comparisonShape.operator, comparisonShape.value]),
  z.tuple([addressedName, listShape.operator, listShape.value]),
  z.tuple([addressedName, rangeShape.operator, rangeShape.value]),
  z.tuple([addressedName, textShape.operator, textShape.value]),
  z.tuple([addressedName, calendarShape.operator, calendarShape.value]),
]);
type PlainEntry = z.infer<typeof plainEntry>;

/** A filter as addresses hold it: `["origin","in",["ORD","ATL"]]`, `["*","any",[[["delay",">=",60]],[["distance","<",200]]]]`. */
export const addressedFilter = z.union([plainEntry, z.tuple([z.literal(alternativesName), z.literal("any"), alternativesOf(plainEntry)])]);
export type AddressedFilter = z.infer<typeof addressedFilter>;

export function addressedFilterOf(from: Filter): AddressedFilter {
  return from.operator === "any" ? [from.name, from.operator, from.value.map((list) => list.map(entryOf))] : entryOf(from);
}

/** The fields in order; that they belong together is what the types of both sides say. */
const entryOf = (from: PlainFilter): PlainEntry => [from.name, from.operator, from.value] as PlainEntry;

export function filterOfAddress(entry: AddressedFilter): Filter {
  const [, entryOperator, value] = entry;
  if (entryOperator !== "any") return filterOfEntry(entry);
  return { name: alternativesName, operator: entryOperator, value: value.map((list) => list.map(filterOfEntry)) };
}

const filterOfEntry = ([entryName, entryOperator, value]: PlainEntry): PlainFilter =>
  ({ name: entryName, operator: entryOperator, value }) as PlainFilter;

/** Whether a filter compares with one value, and is none of the further forms. */
export const isComparison = (one: Filter): one is Comparison => operator.safeParse(one.operator).success;

/** The filters of a search with those within alternatives, which count as filters themselves. */
export const everyFilter = (filters: readonly Filter[]): PlainFilter[] =>
  filters.flatMap((one) => (one.operator === "any" ? one.value.flat() : [one]));

const valuesWithoutOrder: readonly MoreOperator[] = ["in", "not in"];
const ranges: readonly MoreOperator[] = ["between", "not between"];
const texts: readonly MoreOperator[] = ["contains", "not contains", "starts with", "not starts with"];
const times: readonly MoreOperator[] = ["when", "not when"];

/** The further operators for a column of this type; `any` is of no column. */
export function moreOperatorsOf(type: ColumnType | "number"): readonly MoreOperator[] {
  if (type === "BOOLEAN") return valuesWithoutOrder;
  if (type === "STRING") return [...valuesWithoutOrder, ...ranges, ...texts];
  if (type === "number" || isNumeric(type)) return [...valuesWithoutOrder, ...ranges];
  return isTimestamp(type) ? [...valuesWithoutOrder, ...ranges, ...times] : [];
}
