import type { BreakdownAnswer, BreakdownAxis, BreakdownEntry } from "@fairway/contract/breakdowns";
import type { Column } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { entryLabel, figureNumber } from "./figures.ts";

/** A group of a summary by one grouping. */
export interface SummaryRow {
  key: string;
  label: string;
  entry: BreakdownEntry;
  values: readonly CellValue[];
}

export interface RowOrder {
  /** The place of a measure, or the group itself. */
  by: number | "group";
  descending: boolean;
}

/** Groups that follow all others, whatever the order: the rest, and rows without a value. */
const isLast = ({ entry: { kind } }: SummaryRow): boolean => kind === "other" || kind === "outside" || kind === "empty";

export function rowsOf({ by, cells }: BreakdownAnswer, columns: readonly Column[]): SummaryRow[] {
  const [axis] = by;
  if (axis === undefined) return [];
  const column = columns.find(({ name }) => name === axis.column);
  const values = new Map(cells.map(({ at, values: figures }) => [at[0], figures]));
  return axis.entries.map((entry, index) => ({
    key: entryKey(entry, index),
    label: entryLabel(entry, column),
    entry,
    values: values.get(index) ?? [],
  }));
}

/** Unique among the entries of an axis, and the same in other orders of them. */
const entryKey = (entry: BreakdownEntry, index: number): string =>
  entry.kind === "value" ? `value ${JSON.stringify(entry.value)}` : entry.kind === "other" ? "other" : `${entry.kind} ${index}`;

/** The rows that a text finds, in this order; null keeps that of the answer. The rest and Empty stay last, and are not searched. */
export function shownRows(rows: readonly SummaryRow[], { find, order }: { find: string; order: RowOrder | null }): SummaryRow[] {
  const text = find.trim().toLocaleLowerCase();
  const plain = rows.filter((row) => !isLast(row) && row.label.toLocaleLowerCase().includes(text));
  const last = text === "" ? rows.filter(isLast) : [];
  return [...(order === null ? plain : plain.toSorted((a, b) => compareRows(a, b, order))), ...last];
}

const texts = new Intl.Collator("en-US", { numeric: true });

/** Groups without a figure come last in both directions; ties go by the group. */
function compareRows(a: SummaryRow, b: SummaryRow, { by, descending }: RowOrder): number {
  const byLabel = texts.compare(a.label, b.label);
  if (by === "group") return descending ? -byLabel : byLabel;
  const [one, other] = [a.values[by] ?? null, b.values[by] ?? null];
  if (one === null || other === null) return one === other ? byLabel : one === null ? 1 : -1;
  const difference = compareFigures(one, other);
  return difference === 0 ? byLabel : descending ? -difference : difference;
}

const isWhole = (value: CellValue): boolean => typeof value === "string" && /^-?\d+$/.test(value);

function compareFigures(a: Exclude<CellValue, null>, b: Exclude<CellValue, null>): number {
  if (isWhole(a) && isWhole(b)) return Math.sign(Number(BigInt(a) - BigInt(b)));
  const [first, second] = [figureNumber(a), figureNumber(b)];
  return first === null || second === null ? texts.compare(String(a), String(b)) : first - second;
}

/** The place of the measure that counts rows; -1 if none does. */
export const rowCountPlace = ({ measures }: Pick<BreakdownAnswer, "measures">): number => measures.findIndex(({ id }) => id === "count(*)");

/** Fewer rows than this mean little; their figures are set apart. */
export const fewRows = 30;

/** Cells of a table of two groupings, by the place of row and column. */
export function pivotCells({ cells }: BreakdownAnswer): ReadonlyMap<string, readonly CellValue[]> {
  return new Map(cells.map(({ at, values }) => [at.join(), values]));
}

/** Heads of rows or columns of such a table. */
export function headsOf(axis: BreakdownAxis, columns: readonly Column[]): { key: string; label: string; place: number }[] {
  const column = columns.find(({ name }) => name === axis.column);
  return axis.entries.map((entry, place) => ({ key: entryKey(entry, place), label: entryLabel(entry, column), place }));
}
