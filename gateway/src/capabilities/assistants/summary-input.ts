import { breakdownAccuracy, breakdownLimits, breakdownUnit, timePart } from "@fairway/contract/breakdowns";
import type { BreakdownGrouping, BreakdownMeasure, BreakdownRequestDraft } from "@fairway/contract/breakdowns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { measureText, parseMeasure } from "@fairway/contract/measures";
import { z } from "zod";
import { Refusal } from "#http/refusal.ts";
import { columnOf } from "./columns.ts";
import { filtersOf, furtherFilters } from "./filter-input.ts";
import { searchDataOf, searchInput } from "./search-input.ts";
import { endOf, epochOf, isoOf, moment } from "./times.ts";

/** Groups of one answer. */
export const mostGroups = 200;
/** Values of a column that are named unless the input says how many: of a single grouping, and of each of several. */
const usualTop = { single: 20, crossed: 10 };
/** The number of rows, which every group says, whether it is asked for or not. */
const rowsId = measureText({ aggregation: "count" });
/** Names of a group's fields besides its groupings and measures. */
const ownNames = ["kinds", "before", "change", "change_percent"];

const rangesInput = z
  .strictObject({
    width: z.number().positive().optional(),
    edges: z.array(z.number()).min(1).max(mostGroups).optional(),
    about: z.int().min(2).max(100).optional(),
  })
  .refine((ranges) => Object.keys(ranges).length === 1, "needs exactly one of width, edges and about")
  .describe("Of a number column: ranges of a width, between edges, or about so many round ones.");

const groupingInput = z
  .strictObject({
    column: z.string().min(1).optional().describe("By its values, unless step, part or ranges is given; these need no time column's name."),
    step: breakdownUnit.optional().describe("Steps of the calendar."),
    part: timePart.optional().describe("All members of a part of time, such as dayOfWeek or hourOfDay."),
    ranges: rangesInput.optional(),
    zone: z.string().max(breakdownLimits.zoneCharacters).optional().describe("Of step and part, such as America/New_York. Default: UTC."),
  })
  .refine(
    ({ step, part, ranges }) => [step, part, ranges].filter((one) => one !== undefined).length < 2,
    "takes one of step, part and ranges",
  )
  .refine(({ column, step, part }) => column !== undefined || step !== undefined || part !== undefined, "needs a column, a step or a part")
  .refine(({ zone, step, part }) => zone === undefined || step !== undefined || part !== undefined, "takes a zone only with step or part");

const measureForms =
  "count, count(COLUMN), distinct(COLUMN), sum(COLUMN), avg(COLUMN), median(COLUMN), p90(COLUMN) (any percentile), min(COLUMN), max(COLUMN), stddev(COLUMN), share, share(COLUMN) (percent of all), or rate (percent of the rows that match where)";

const measureInput = z.union([
  z.string().min(1).max(breakdownLimits.idCharacters),
  z.strictObject({
    measure: z.string().min(1).max(breakdownLimits.idCharacters),
    where: furtherFilters.optional().describe("Only these rows of each group; of rate, those whose percentage it is."),
    name: z.string().min(1).max(100).optional(),
  }),
]);

const compareInput = z.union([
  z.enum(["before", "year-before"]),
  z.strictObject({ start: moment, end: moment.describe("Inclusive. A day without a time ends with its last millisecond.") }),
]);

export const summaryInput = z.strictObject({
  ...searchInput,
  by: z
    .array(groupingInput)
    .max(breakdownLimits.groupings)
    .default([])
    .describe("Up to three groupings; several make a table of their groups."),
  measures: z
    .array(measureInput)
    .min(1)
    .max(breakdownLimits.measures - 1)
    .default(["count"])
    .describe(`Each a text, or an object with where: ${measureForms}.`),
  least_rows: z.int().min(1).optional().describe("Only groups (of the first grouping) with at least so many rows are ranked."),
  top: z
    .int()
    .min(1)
    .max(mostGroups)
    .optional()
    .describe(
      `Values named of a column, the best by rank_by; all others are other. Default: ${usualTop.single}, or ${usualTop.crossed} with several groupings.`,
    ),
  rank_by: z.string().optional().describe("One of the measures, or its name. Default: the first one."),
  order: z.enum(["desc", "asc"]).default("desc").describe("desc ranks the greatest first."),
  compare: compareInput
    .optional()
    .describe(
      "With the time before (before: as many whole months or days as the time range has), with a year before, or with another range. Needs a time range with both ends.",
    ),
  accuracy: breakdownAccuracy
    .optional()
    .describe(
      "Of distinct counts, medians and percentiles: exact or estimate, which takes less time. Default: exact, except over tables of Trino and Presto.",
    ),
});
export type SummaryInput = z.output<typeof summaryInput>;

/** The breakdown that answers the input. Refuses what names no column or is no measure. */
export function breakdownOf(input: SummaryInput, description: DatasetDescription): BreakdownRequestDraft {
  const countsRows = description.features.includes("COUNT");
  if (input.least_rows !== undefined && !countsRows) {
    throw new Refusal("not-supported", "The rows of this dataset cannot be counted.", { path: "least_rows" });
  }
  const asked = input.measures.map((one, index) => measureOf(one, index, description));
  const saysRows = asked.some(({ id, where }) => id === rowsId && where === undefined);
  const measures: BreakdownMeasure[] = saysRows || !countsRows ? asked : [...asked, { aggregation: "count", column: "*", id: rowsId }];
  requireUnique(measures);
  const rankBy = input.rank_by === undefined ? undefined : rankId(input.rank_by, measures);
  const by = groupingsOf(input, description, measures, rankBy);
  const first = by[0];
  const on = by.length > 1 && first !== undefined ? { on: first.id ?? "" } : {};
  return {
    search: searchDataOf(input, description),
    by,
    measures,
    ...(input.least_rows !== undefined && { having: [{ measure: rowsId, operator: ">=" as const, value: input.least_rows, ...on }] }),
    ...(input.compare !== undefined && { compare: { to: comparisonOf(input.compare) } }),
    ...(input.accuracy !== undefined && { accuracy: input.accuracy }),
    totals: true,
  };
}

function groupingsOf(
  input: SummaryInput,
  description: DatasetDescription,
  measures: readonly BreakdownMeasure[],
  rankBy: string | undefined,
): BreakdownGrouping[] {
  const count = input.top ?? (input.by.length > 1 ? usualTop.crossed : usualTop.single);
  const ids = idsOf(input.by, new Set([...measures.map(({ id }) => id ?? ""), ...ownNames]), description);
  return input.by.map((one, index): BreakdownGrouping => {
    const { column, step, part, ranges, zone } = one;
    if (column !== undefined) columnOf(description, column);
    const id = ids[index] ?? "";
    if (ids.indexOf(id) < index) {
      throw new Refusal("invalid-request", "This is the same grouping as one before.", { path: `by.${index}` });
    }
    if (column === undefined && description.temporalField === null) {
      throw new Refusal("not-supported", "This dataset has no time column; name one in 'column'.", { path: `by.${index}` });
    }
    const zoned = { ...(column !== undefined && { column }), ...(zone !== undefined && { zone }), id };
    const sorted = rankBy !== undefined && { sort: { by: rankBy, direction: input.order } };
    if (step !== undefined) return { kind: "time", unit: step, ...zoned, ...sorted };
    if (part !== undefined) return { kind: "part", part, ...zoned, ...sorted };
    if (ranges !== undefined) return { kind: "range", column: column ?? "", id, ...ranges, ...sorted };
    const best = { by: rankBy ?? measures[0]?.id ?? "", direction: input.order };
    return { kind: "value", column: column ?? "", id, top: { count, other: true, ...best }, sort: best };
  });
}

/** The column of each grouping, with its kind where that is needed: what the groups of an answer are named by. */
function idsOf(by: SummaryInput["by"], taken: ReadonlySet<string>, { temporalField }: DatasetDescription): string[] {
  const columns = by.map(({ column }) => column ?? temporalField ?? "");
  return by.map(({ step, part, ranges }, index) => {
    const column = columns[index] ?? "";
    const isShared = taken.has(column) || columns.filter((one) => one === column).length > 1;
    return isShared ? `${column}.${step ?? part ?? (ranges === undefined ? "value" : "range")}` : column;
  });
}

function measureOf(given: z.output<typeof measureInput>, index: number, description: DatasetDescription): BreakdownMeasure {
  const { measure: text, where, name } = typeof given === "string" ? { measure: given } : given;
  const parsed = parseMeasure(text);
  if (parsed === undefined) {
    throw new Refusal("unknown-aggregation", `'${text}' is no measure. A measure is ${measureForms}.`, { path: `measures.${index}` });
  }
  const { aggregation, column = "*", p, of } = parsed;
  if (column !== "*") columnOf(description, column);
  return {
    aggregation,
    column,
    ...(p !== undefined && { p }),
    ...(of !== undefined && { of: of === "all" || of === "row" || of === "column" ? of : ([...of] as [string, string]) }),
    ...(where !== undefined && { where: filtersOf({ filters: where }, description) }),
    id: name ?? measureText(parsed),
  };
}

function requireUnique(measures: readonly BreakdownMeasure[]): void {
  const ids = measures.map(({ id }) => id ?? "");
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice === undefined) return;
  const problem =
    twice === rowsId ? "every group says its number of rows by it, so give the other one a name" : "give one of them another name";
  throw new Refusal("invalid-request", `'${twice}' names two measures: ${problem}.`, { path: "measures" });
}

function rankId(text: string, measures: readonly BreakdownMeasure[]): string {
  const ids = measures.map(({ id }) => id ?? "");
  const parsed = parseMeasure(text);
  const found = [text, parsed === undefined ? "" : measureText(parsed)].find((id) => ids.includes(id));
  if (found !== undefined) return found;
  throw new Refusal("invalid-request", `'${text}' names no measure; there are ${ids.join(", ")}.`, { path: "rank_by" });
}

const comparisonOf = (compare: z.output<typeof compareInput>) =>
  typeof compare === "string" ? compare : { start: isoOf(epochOf(compare.start)), end: isoOf(endOf(compare.end)) };
