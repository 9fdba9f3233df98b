import { entryName } from "@fairway/contract/breakdown-text";
import { measureText, parseMeasure, parseMeasureCondition } from "@fairway/contract/measure-text";
import type { BreakdownAnswer, BreakdownAxis, BreakdownGrouping, BreakdownMeasure, BreakdownRequest } from "./api.ts";
import { invalidArgument } from "./errors.ts";
import { type Query, type Where, filtersOf, searchData, timeOf } from "./query.ts";
import type { CallOptions } from "./transport.ts";

/** A measure of some rows only: `{ measure: "rate", where: { delay: { ">=": 15 } }, id: "late" }`. */
export interface FilteredMeasure {
  readonly measure: string;
  readonly where?: Where | undefined;
  readonly id?: string | undefined;
}

/** `count`, `avg(delay)`, `p90(delay)`, `distinct(origin)`, `share`, …; or one as the API takes it, which may be derived of two others. */
export type Measure = string | FilteredMeasure | BreakdownMeasure;

/** A condition as the API takes it, on a cell or on the groups of one grouping. */
export type MeasureCondition = NonNullable<BreakdownRequest["having"]>[number];

/** The best groups by a measure, and whether all others are one group. Default: the greatest by the first measure, without others. */
export interface Top {
  readonly count: number;
  readonly by?: string | undefined;
  readonly direction?: "asc" | "desc" | undefined;
  readonly other?: boolean | undefined;
}

export interface SummaryOptions extends Query, CallOptions {
  /** Columns by their values, or groupings as the API takes them: `{ kind: "time", unit: "month" }`. Up to three. */
  readonly by?: string | BreakdownGrouping | readonly (string | BreakdownGrouping)[] | undefined;
  /** Default: `count`. */
  readonly measures?: Measure | readonly Measure[] | undefined;
  /** Of the first column in `by`. */
  readonly top?: number | Top | undefined;
  /** Only groups with such figures: `count>=100`. All have to hold. A measure that is named here alone is answered as well. */
  readonly having?: string | MeasureCondition | readonly (string | MeasureCondition)[] | undefined;
  /** The figures of another time besides: the one before, a year before, or a range. Needs `from` and `to`. */
  readonly compare?: "before" | "year-before" | { readonly from: Date | number | string; readonly to: Date | number | string } | undefined;
  /** Default: exact where the portal can. */
  readonly accuracy?: "exact" | "estimate" | undefined;
}

export type SummaryRow = Readonly<Record<string, string | number | boolean | null>>;

export interface Summary {
  /**
   * A row for each group, in order: groupings by their columns, with `… from` and `… to` of times (epoch milliseconds) and ranges, and
   * measures by their text, with `… before` and `… change` of a comparison. Null groups rows without a value.
   */
  readonly rows: readonly SummaryRow[];
  /** The measures over all rows that match. */
  readonly total: SummaryRow;
  /** The answer of the API, which tells a group Other from a text that reads so. */
  readonly answer: BreakdownAnswer;
}

/** The body of a breakdown. */
export function breakdownRequest(options: SummaryOptions): BreakdownRequest {
  const { by = [], measures = "count", top, having = [], compare, accuracy } = options;
  const asked = listOf(measures).map(measureOf);
  /** The id of a measure that is named by its text, which is asked for if it is not yet. */
  const idOf = (text: string): string => {
    const measure = asked.some(({ id }) => id === text) ? { id: text } : measureOf(text);
    if (!asked.some(({ id }) => id === measure.id)) asked.push(measure as BreakdownMeasure);
    return measure.id ?? text;
  };
  const best = typeof top === "number" ? { count: top } : top;
  const limited = best && {
    count: best.count,
    ...(best.by === undefined ? {} : { by: idOf(best.by) }),
    ...(best.direction === undefined ? {} : { direction: best.direction }),
    ...(best.other === undefined ? {} : { other: best.other }),
  };
  const groupings = listOf(by).map((one): BreakdownGrouping => (typeof one === "string" ? { kind: "value", column: one } : one));
  const first = groupings.findIndex(({ kind }) => kind === "value");
  if (limited && first < 0) throw invalidArgument("top needs a column in by.");
  if (limited) groupings[first] = { ...groupings[first], top: limited } as BreakdownGrouping;
  const conditions = listOf(having).map((one) => (typeof one === "string" ? conditionOf(one, idOf) : one));
  return {
    search: searchData(options),
    by: groupings,
    measures: asked,
    ...(conditions.length === 0 ? {} : { having: conditions }),
    ...(compare === undefined ? {} : { compare: { to: comparisonOf(compare) } }),
    ...(accuracy === undefined ? {} : { accuracy }),
    totals: true,
  };
}

export function summaryOf(answer: BreakdownAnswer): Summary {
  const rows = answer.cells.map((cell) =>
    Object.fromEntries([...answer.by.flatMap((axis, index) => keysOf(axis, cell.at[index] ?? 0)), ...figuresOf(answer, cell)]),
  );
  return { rows, total: Object.fromEntries(figuresOf(answer, answer.totals?.all ?? { values: [] })), answer };
}

type Cell = SummaryRow[string];

function keysOf(axis: BreakdownAxis, at: number): [string, Cell][] {
  const entry = axis.entries[at];
  if (entry === undefined) return [];
  const key: [string, Cell] = [axis.id, entry.kind === "value" ? entry.value : entryName(entry)];
  if (axis.kind !== "time" && axis.kind !== "range") return [key];
  const isTime = entry.kind === "time";
  const from = isTime ? entry.startMs : entry.kind === "range" ? entry.from : null;
  const to = isTime ? entry.endMs : entry.kind === "range" ? entry.to : null;
  return [key, [`${axis.id} from`, from], [`${axis.id} to`, to]];
}

function figuresOf(
  { measures, compare }: BreakdownAnswer,
  { values, before }: { readonly values: readonly Cell[]; readonly before?: readonly Cell[] | null },
): [string, Cell][] {
  return measures.flatMap(({ id }, index): [string, Cell][] => {
    const now = values[index] ?? null;
    if (compare === null) return [[id, now]];
    const then = before?.[index] ?? null;
    return [
      [id, now],
      [`${id} before`, then],
      [`${id} change`, changeOf(now, then)],
    ];
  });
}

function changeOf(now: Cell, before: Cell): number | null {
  if (now === null || before === null || typeof now === "boolean" || typeof before === "boolean") return null;
  const change = Number(now) - Number(before);
  return Number.isFinite(change) ? change : null;
}

function measureOf(measure: Measure): BreakdownMeasure {
  if (typeof measure === "string") return { ...parsedMeasure(measure), id: idOfText(measure) };
  if (!("measure" in measure)) return { ...measure, id: measure.id ?? measureText(measure) };
  const { measure: text, where, id = idOfText(text) } = measure;
  return { ...parsedMeasure(text), ...(where === undefined ? {} : { where: filtersOf(where) }), id };
}

function parsedMeasure(text: string): BreakdownMeasure {
  const parsed = parseMeasure(text);
  if (parsed !== undefined) return parsed as BreakdownMeasure;
  throw invalidArgument(`${JSON.stringify(text)} is no measure: expected count, avg(COLUMN), p90(COLUMN), distinct(COLUMN), rate, ….`);
}

const idOfText = (text: string): string => measureText(parsedMeasure(text));

function conditionOf(text: string, idOf: (measure: string) => string): MeasureCondition {
  const parsed = parseMeasureCondition(text);
  if (parsed === undefined) throw invalidArgument(`${JSON.stringify(text)} is no condition on a measure: expected one such as count>=100.`);
  return { ...parsed, measure: idOf(parsed.measure) };
}

function comparisonOf(compare: NonNullable<SummaryOptions["compare"]>): NonNullable<BreakdownRequest["compare"]>["to"] {
  if (typeof compare === "string") return compare;
  return { start: timeOf(compare.from, "compare.from", "start"), end: timeOf(compare.to, "compare.to", "end") };
}

const listOf = <Item>(items: Item | readonly Item[]): Item[] => (isList(items) ? [...items] : [items]);
const isList = <Item>(items: Item | readonly Item[]): items is readonly Item[] => Array.isArray(items);
