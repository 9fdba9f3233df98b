import { type BreakdownAnswer, type BreakdownAxis, type BreakdownEntry, breakdowns } from "@fairway/contract/breakdowns";
import { entryName } from "@fairway/contract/breakdown-text";
import type { ColumnType } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { CellValue } from "@fairway/contract/search";
import { Refusal } from "#http/refusal.ts";
import { datasetParamsOf, describeDataset, partOf, readableCell, searchLink } from "./search-input.ts";
import { breakdownOf, mostGroups, summaryInput } from "./summary-input.ts";
import { tool } from "./tool.ts";

export const summarize = tool({
  name: "summarize",
  title: "Summarize by groups",
  description: `Figures of groups over all rows of a search, ranked: averages, medians, percentiles, distinct counts, shares and rates by the values of columns, steps of time, weekdays or hours, and ranges; also compared with the time before. 'total' is over all rows, 'other' over those of the values that are not named, 'empty' over rows without a value. At most ${mostGroups} groups. Use this for every question for the most, the least or the best.`,
  input: summaryInput,
  async answer(input, context) {
    const { calls, caller } = context;
    const description = await describeDataset(input, context);
    const body = breakdownOf(input, description);
    const { search: _search, totals: _totals, ...breakdown } = body;
    const answer = await calls.call(breakdowns.run, { params: datasetParamsOf(input), body }, caller);
    const estimates = answer.measures.filter(({ isEstimate }) => isEstimate).map(({ id }) => id);
    return {
      ...partOf(description),
      ...groupsOf(answer, description),
      total: figuresOf(answer, answer.totals?.all),
      ...(answer.by.length > 0 && {
        groups_found: Object.fromEntries(answer.by.map(({ id, found }) => [id, found])),
      }),
      ...failing(answer),
      exact: estimates.length === 0,
      ...(estimates.length > 0 && { estimates }),
      units: Object.fromEntries(answer.measures.flatMap(({ id, unit }) => (unit === null ? [] : [[id, unit]]))),
      ...(answer.compare !== null && { compared_with: answer.compare.timeRange }),
      portal_link: searchLink(input, description, context, { view: "graphs", summaries: [{ breakdown }] }),
    };
  },
});

type Cell = BreakdownAnswer["cells"][number];

/** The groups in their order. Of a single grouping, those that name no value are beside them. */
function groupsOf(answer: BreakdownAnswer, description: DatasetDescription): Readonly<Record<string, unknown>> {
  const [only, ...others] = answer.by;
  if (only === undefined) return {};
  const cells = others.length > 0 ? answer.cells : answer.cells.filter(({ at }) => isNamed(only.entries[at[0] ?? 0]));
  if (answer.isCut || cells.length > mostGroups) {
    const found = answer.isCut ? `more than ${cells.length}` : String(cells.length);
    throw new Refusal(
      "too-large",
      `This summary has ${found} groups; one answer holds ${mostGroups}. Ask for a smaller top, longer steps of time, wider ranges or a shorter time range.`,
    );
  }
  const groups = cells.map((cell) => groupOf(answer, cell, description));
  if (others.length > 0) return { groups };
  const besides = answer.cells.flatMap((cell): [string, unknown][] => {
    const entry = only.entries[cell.at[0] ?? 0];
    if (entry === undefined || isNamed(entry)) return [];
    const count = entry.kind === "other" && entry.count !== null ? { groups: entry.count } : {};
    return [[entry.kind, { ...count, ...figuresOf(answer, cell) }]];
  });
  return { groups, ...Object.fromEntries(besides) };
}

const groupOf = (answer: BreakdownAnswer, cell: Cell, description: DatasetDescription): Readonly<Record<string, unknown>> => ({
  ...keysOf(answer.by, cell, description),
  ...figuresOf(answer, cell),
});

const isNamed = (entry: BreakdownEntry | undefined): boolean =>
  entry !== undefined && entry.kind !== "other" && entry.kind !== "empty" && entry.kind !== "outside";

/** The names of a cell's groups by their groupings. A text may read like the name of no value, so that `kinds` says which are none. */
function keysOf(by: readonly BreakdownAxis[], { at }: Cell, description: DatasetDescription): Readonly<Record<string, unknown>> {
  const entries = by.flatMap((axis, index) => {
    const entry = axis.entries[at[index] ?? 0];
    return entry === undefined ? [] : [{ axis, entry }];
  });
  const kinds = entries.filter(({ entry }) => !isNamed(entry)).map(({ axis, entry }): [string, string] => [axis.id, entry.kind]);
  return {
    ...Object.fromEntries(entries.map(({ axis, entry }) => [axis.id, keyOf(axis, entry, description)])),
    ...(kinds.length > 0 && { kinds: Object.fromEntries(kinds) }),
  };
}

const keyOf = ({ column: name }: BreakdownAxis, entry: BreakdownEntry, { schema }: DatasetDescription): CellValue =>
  entry.kind === "value"
    ? readableCell(
        entry.value,
        schema.columns.find((column) => column.name === name),
      )
    : entryName(entry);

/** The figures by their measures and, with a comparison, those before with the change and its percentage. */
function figuresOf({ measures }: BreakdownAnswer, figures: Pick<Cell, "values" | "before"> | undefined): Readonly<Record<string, unknown>> {
  const byMeasure = (valueOf: (index: number) => CellValue) =>
    Object.fromEntries(
      measures.map(({ id, type }, index): [string, CellValue] => [id, readableCell(valueOf(index), { type: type as ColumnType })]),
    );
  const { values = [], before } = figures ?? {};
  const now = byMeasure((index) => values[index] ?? null);
  if (before === undefined) return now;
  const change = (index: number) => changeOf(values[index] ?? null, before?.[index] ?? null);
  return {
    ...now,
    before: before === null ? null : byMeasure((index) => before[index] ?? null),
    change: Object.fromEntries(measures.map(({ id }, index) => [id, change(index)?.by ?? null])),
    change_percent: Object.fromEntries(measures.map(({ id }, index) => [id, change(index)?.percent ?? null])),
  };
}

function changeOf(now: CellValue, before: CellValue): { by: number; percent: number | null } | null {
  if (typeof now !== "number" || typeof before !== "number") return null;
  const by = now - before;
  return { by, percent: before === 0 ? null : (by / Math.abs(before)) * 100 };
}

/** The groups that have too few rows. */
function failing({ by: [first] }: BreakdownAnswer): Readonly<Record<string, unknown>> {
  return first === undefined || first.failing.groups === 0 ? {} : { too_few_rows: first.failing };
}
