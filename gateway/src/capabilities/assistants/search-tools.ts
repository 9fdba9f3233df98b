import { columnValues, maxValues } from "@fairway/contract/column-values";
import { isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { bucketUnit, type BucketUnit, maxTimeBuckets } from "@fairway/contract/distributions";
import { graphs } from "@fairway/contract/graphs";
import { mapResults } from "@fairway/contract/map-results";
import { aggregationType, type CellValue, search, type SearchDataDraft, type SearchFilter } from "@fairway/contract/search";
import { z } from "zod";
import { Refusal } from "#http/refusal.ts";
import { columnOf } from "./columns.ts";
import {
  columnFacts,
  datasetParamsOf,
  describeDataset,
  partOf,
  readableCell,
  readableRows,
  searchDataOf,
  searchInput,
  type SearchInput,
  searchLink,
  sortInput,
} from "./search-input.ts";
import { summarize } from "./summarize-tool.ts";
import { tool, type ToolContext } from "./tool.ts";

const columnsInput = z.array(z.string()).max(200).default([]).describe("Only these columns; all by default.");
const maxRows = 200;

function requireColumns(description: DatasetDescription, names: readonly string[]): void {
  for (const name of names) columnOf(description, name);
}

const searchRows = tool({
  name: "search_rows",
  title: "Search rows",
  description:
    "Rows of a dataset that satisfy every filter, the time range and the area, with the total number. Ask for few rows, and use aggregate for counts and figures over many.",
  input: z.strictObject({
    ...searchInput,
    sort: sortInput,
    columns: columnsInput,
    limit: z.int().min(1).max(maxRows).default(20),
    offset: z.int().min(0).default(0).describe("Rows to skip. Sort the rows to page reliably."),
  }),
  async answer(input, context) {
    const { calls, caller } = context;
    const { limit, offset, columns, sort } = input;
    const params = datasetParamsOf(input);
    const description = await describeDataset(input, context);
    requireColumns(description, columns);
    const body = searchDataOf(input, description, sort);
    const paginates = description.features.includes("PAGINATION");
    if (!paginates && offset > 0) throw new Refusal("not-supported", "This dataset does not take an offset. Narrow the search instead.");
    const [{ results, truncated }, total] = await Promise.all([
      calls.call(search.run, { params, body: { ...body, ...(paginates && { paging: { offset, max: limit } }) } }, caller),
      countOf(input, description, context),
    ]);
    const rows = readableRows(results.slice(0, limit), description, columns);
    const isLast = total === null ? rows.length < limit && truncated !== true : offset + rows.length >= total;
    return {
      ...partOf(description),
      total_rows: total,
      offset,
      next_offset: isLast || !paginates ? null : offset + rows.length,
      columns: columnFacts(description, columns),
      rows,
      portal_link: searchLink(input, description, context, { sort }),
    };
  },
});

/** Null if the dataset cannot count rows. */
async function countOf(input: SearchInput, description: DatasetDescription, { calls, caller }: ToolContext): Promise<number | null> {
  if (!description.features.includes("COUNT")) return null;
  const body = searchDataOf(input, description);
  const params = { ...datasetParamsOf(input), aggregationType: "count", column: "*" };
  const { totalResults } = await calls.call(search.aggregate, { params, body }, caller);
  return typeof totalResults === "number" ? totalResults : null;
}

const newest = tool({
  name: "newest_per_item",
  title: "Newest row of each item",
  description:
    "The newest row of each item that a search finds, newest first: the last known state of each ship, storm or aircraft. Only for datasets whose description names an item_column.",
  input: z.strictObject({ ...searchInput, columns: columnsInput, limit: z.int().min(1).max(maxRows).default(20) }),
  async answer(input, context) {
    const { calls, caller } = context;
    const { columns, limit } = input;
    const description = await describeDataset(input, context);
    requireColumns(description, columns);
    const body = searchDataOf(input, description);
    const { results, truncated } = await calls.call(mapResults.last, { params: datasetParamsOf(input), body }, caller);
    return {
      ...partOf(description),
      items: results.length,
      ...(truncated === true && { truncated }),
      columns: columnFacts(description, columns),
      rows: readableRows(results.slice(0, limit), description, columns),
      portal_link: searchLink(input, description, context, { view: "map" }),
    };
  },
});

const measureInput = z.strictObject({
  function: aggregationType,
  column: z.string().min(1).default("*").describe("A number column; * only with count."),
});
type Measure = z.output<typeof measureInput>;

interface Group {
  readonly label: CellValue;
  readonly filters?: readonly SearchFilter[];
  readonly timeRange?: { start: string; end: string };
}

const aggregate = tool({
  name: "aggregate",
  title: "Count, sum and average",
  description: `Counts, sums, averages, minima and maxima over the rows of a search: over all of them, by the ${maxValues.top} most frequent values of a column (by_column), or by time (by_time). 'total' is always over all rows of the search. The most frequent values are not those with the greatest figures: rank values with summarize.`,
  input: z
    .strictObject({
      ...searchInput,
      measures: z
        .array(measureInput)
        .min(1)
        .max(10)
        .default([{ function: "count", column: "*" }]),
      by_column: z.string().optional(),
      by_time: bucketUnit.optional().describe(`Calendar steps in UTC, at most ${maxTimeBuckets} of them.`),
    })
    .refine(({ by_column: column, by_time: time }) => column === undefined || time === undefined, "takes by_column or by_time, not both"),
  async answer(input, context) {
    const { calls, caller } = context;
    const params = datasetParamsOf(input);
    const description = await describeDataset(input, context);
    for (const { column } of input.measures) if (column !== "*") columnOf(description, column);
    const body = searchDataOf(input, description);
    const { groups, leftOut } = await groupsOf(input, description, body, context);
    const aggregations = input.measures.map((measure) => ({ aggregation: measure.function, column: measure.column }));
    const answer = await calls.call(
      graphs.batch,
      {
        params,
        body: {
          search: body,
          aggregations,
          groups: [
            { id: "total" },
            ...groups.map(({ filters = [], timeRange }, index) => ({
              id: String(index),
              filters: [...filters],
              ...(timeRange && { timeRange }),
            })),
          ],
        },
      },
      caller,
    );
    const valuesOf = (index: number, before: readonly [string, CellValue][] = []) =>
      Object.fromEntries([...before, ...figuresOf(input.measures, answer.groups[index]?.values ?? [], description)]);
    const key = input.by_column ?? input.by_time;
    return {
      ...partOf(description),
      total: valuesOf(0),
      ...(key !== undefined && { groups: groups.map(({ label }, index) => valuesOf(index + 1, [[key, label]])) }),
      ...(leftOut > 0 && {
        values_left_out: leftOut,
        remark: `${leftOut} less frequent values of ${input.by_column ?? ""} are in total, but not in groups: use summarize to rank all values.`,
      }),
      units: Object.fromEntries(
        columnFacts(
          description,
          input.measures.map(({ column }) => column),
        ).flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]])),
      ),
      portal_link: searchLink(input, description, context),
    };
  },
});

const nameOf = ({ function: name, column }: Measure): string => (column === "*" ? "rows" : `${name}(${column})`);

const figuresOf = (measures: readonly Measure[], values: readonly CellValue[], description: DatasetDescription) =>
  measures.map((measure, index): [string, CellValue] => {
    const column = description.schema.columns.find(({ name }) => name === measure.column);
    const isTime = column !== undefined && isTimestamp(column.type) && measure.function !== "count";
    return [nameOf(measure), readableCell(values[index] ?? null, isTime ? column : undefined)];
  });

async function groupsOf(
  { by_column: name, by_time: unit, ...input }: SearchInput & { by_column?: string | undefined; by_time?: BucketUnit | undefined },
  description: DatasetDescription,
  body: SearchDataDraft,
  { calls, caller }: ToolContext,
): Promise<{ readonly groups: readonly Group[]; readonly leftOut: number }> {
  const params = datasetParamsOf(input);
  if (name !== undefined) {
    const column = columnOf(description, name);
    const { top, empty, distinct } = await calls.call(columnValues.profile, { params: { ...params, column: name }, body }, caller);
    const values = [...top.map(({ value }) => value), ...(empty > 0 ? [null] : [])];
    const groups = values.map((value): Group => ({ label: readableCell(value, column), filters: [{ name, operator: "=", value }] }));
    return { groups, leftOut: Math.max(0, distinct - top.length) };
  }
  if (unit === undefined) return { groups: [], leftOut: 0 };
  const { temporalField } = description;
  if (temporalField === null) throw new Refusal("not-supported", "This dataset has no time column.");
  const ends = ["min", "max"].map((aggregation) => ({ aggregation, column: temporalField }));
  const answer = await calls.call(graphs.batch, { params, body: { search: body, groups: [{ id: "ends" }], aggregations: ends } }, caller);
  const [first, last] = (answer.groups[0]?.values ?? []).map((value) => readableCell(value, columnOf(description, temporalField)));
  if (typeof first !== "string" || typeof last !== "string") return { groups: [], leftOut: 0 };
  const groups = calendarSteps(unit, Date.parse(first), Date.parse(last) + 1).map(({ startMs, endMs }) => ({
    label: new Date(startMs).toISOString(),
    // The ends of a time range are inclusive, and include their whole millisecond.
    timeRange: { start: new Date(startMs).toISOString(), end: new Date(endMs - 1).toISOString() },
  }));
  return { groups, leftOut: 0 };
}

/** The calendar steps in UTC from the one that holds `fromMs` to the one that ends at or after `toMs`. Weeks start on Monday. */
function calendarSteps(unit: BucketUnit, fromMs: number, toMs: number): { startMs: number; endMs: number }[] {
  const steps: { startMs: number; endMs: number }[] = [];
  for (let startMs = startOf(unit, fromMs); startMs < toMs;) {
    if (steps.length === maxTimeBuckets) {
      throw new Refusal(
        "too-large",
        `By ${unit}, the rows have more than ${maxTimeBuckets} steps of time. Use longer steps or a shorter time range.`,
      );
    }
    const endMs = nextOf(unit, startMs);
    steps.push({ startMs, endMs });
    startMs = endMs;
  }
  return steps;
}

const fixedMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
/** The first Monday after 1970 began. */
const mondayMs = 4 * fixedMs.day;

function startOf(unit: BucketUnit, epochMs: number): number {
  const date = new Date(epochMs);
  if (unit === "year") return Date.UTC(date.getUTCFullYear(), 0);
  if (unit === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const origin = unit === "week" ? mondayMs : 0;
  return Math.floor((epochMs - origin) / fixedMs[unit]) * fixedMs[unit] + origin;
}

function nextOf(unit: BucketUnit, startMs: number): number {
  const date = new Date(startMs);
  if (unit === "year") return Date.UTC(date.getUTCFullYear() + 1, 0);
  if (unit === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return startMs + fixedMs[unit];
}

export const searchTools = [searchRows, summarize, aggregate, newest];
