import type { BreakdownAnswer, BreakdownAxis, BreakdownEntry } from "../breakdowns.ts";
import type { Column } from "../columns.ts";
import type { CellValue } from "../search.ts";
import { entryLabel, figureNumber } from "./figures.ts";

/** A group of a summary by one grouping. */
export interface SummaryRow {
  key: string;
  label: string;
  entry: BreakdownEntry;
  /** In the order of the answer. */
  place: number;
  values: readonly CellValue[];
  /** Over the range of the comparison; null without one, and where it has no such group. */
  before: readonly CellValue[] | null;
}

/** A figure, or how it differs from the one before: as it is, or in percent of it. */
export type FigureOf = "value" | "before" | "change" | "percent";

export interface RowOrder {
  /** The place of a measure, or the group itself. */
  by: number | "group";
  /** Default: `value`. */
  of?: FigureOf;
  descending: boolean;
}

/** Groups that follow all others, whatever the order: the rest, and rows without a value. */
export const isLast = ({ entry: { kind } }: SummaryRow): boolean => kind === "other" || kind === "outside" || kind === "empty";

export function rowsOf({ by, cells }: BreakdownAnswer, columns: readonly Column[]): SummaryRow[] {
  const [axis] = by;
  if (axis === undefined) return [];
  const byPlace = new Map(cells.map((cell) => [cell.at[0], cell]));
  return axis.entries.map((entry, index) => ({
    key: entryKey(entry, index),
    label: entryLabel(entry, axis, columns),
    entry,
    place: index,
    values: byPlace.get(index)?.values ?? [],
    before: byPlace.get(index)?.before ?? null,
  }));
}

/** Unique among the entries of an axis, and the same in other orders of them. */
const entryKey = (entry: BreakdownEntry, index: number): string =>
  entry.kind === "value" ? `value ${JSON.stringify(entry.value)}` : entry.kind === "other" ? "other" : `${entry.kind} ${index}`;

/** A bound on the figures of a table, as it is typed: `over 15`, `at most 3`, `>= 100`. */
export interface FigureBound {
  operator: ">" | ">=" | "<" | "<=";
  value: number;
}

const bounds: Readonly<Record<string, FigureBound["operator"]>> = {
  over: ">",
  above: ">",
  ">": ">",
  "at least": ">=",
  ">=": ">=",
  under: "<",
  below: "<",
  "<": "<",
  "at most": "<=",
  "<=": "<=",
};

/** Null for texts that are looked for in the names of groups. */
export function figureBound(text: string): FigureBound | null {
  const typed = text.trim().toLowerCase();
  const word = Object.keys(bounds).find((one) => typed.startsWith(one) && !typed.startsWith(`${one}=`));
  if (word === undefined) return null;
  const digits = typed.slice(word.length).replace("%", "").replaceAll(",", "").replace("−", "-").trim();
  const [operator, value] = [bounds[word], Number(digits)];
  return operator === undefined || digits === "" || !Number.isFinite(value) ? null : { operator, value };
}

const meets = (figure: number | null, { operator, value }: FigureBound): boolean => {
  if (figure === null) return false;
  if (operator === ">") return figure > value;
  if (operator === ">=") return figure >= value;
  return operator === "<" ? figure < value : figure <= value;
};

interface Shown {
  find: string;
  order: RowOrder | null;
  /** The place of the measure that a bound in `find` is about. */
  bounded: number;
}

/** The rows that a text finds, in this order; null keeps that of the answer. The rest and Empty stay last, and are not searched. */
export function shownRows(rows: readonly SummaryRow[], { find, order, bounded }: Shown): SummaryRow[] {
  const text = find.trim().toLocaleLowerCase();
  const bound = figureBound(find);
  const isFound = (row: SummaryRow): boolean =>
    bound === null ? row.label.toLocaleLowerCase().includes(text) : meets(figureNumber(row.values[bounded]), bound);
  const plain = rows.filter((row) => !isLast(row) && isFound(row));
  const last = text === "" ? rows.filter(isLast) : [];
  return [...(order === null ? plain : plain.toSorted((a, b) => compareRows(a, b, order))), ...last];
}

const texts = new Intl.Collator("en-US", { numeric: true });

/** The figure of a row that a column shows. */
export function figureOf({ values, before }: Pick<SummaryRow, "values" | "before">, place: number, of: FigureOf): CellValue {
  if (of === "value") return values[place] ?? null;
  if (of === "before") return before?.[place] ?? null;
  const [now, then] = [figureNumber(values[place]), figureNumber(before?.[place])];
  if (now === null || then === null) return null;
  if (of === "change") return now - then;
  return then === 0 ? null : ((now - then) / Math.abs(then)) * 100;
}

/** Groups without a figure come last in both directions; ties go by the group. */
function compareRows(a: SummaryRow, b: SummaryRow, { by, of = "value", descending }: RowOrder): number {
  // Steps, parts and ranges follow each other; their labels do not say how.
  const byLabel = a.entry.kind === "value" || a.entry.kind === "group" ? texts.compare(a.label, b.label) : a.place - b.place;
  if (by === "group") return descending ? -byLabel : byLabel;
  const [one, other] = [figureOf(a, by, of), figureOf(b, by, of)];
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

/** The figures between which bars are drawn. */
export interface BarScale {
  /** At most 0. */
  low: number;
  /** At least 0. */
  high: number;
}

/** That of the named groups: beside all other rows, their bars would be too short to be compared. */
export function barScale(rows: readonly SummaryRow[]): BarScale {
  const named = rows.filter((row) => !isLast(row));
  const numbers = (named.length > 0 ? named : rows).map(({ values }) => figureNumber(values[0]) ?? 0);
  return { low: Math.min(0, ...numbers), high: Math.max(0, ...numbers) };
}

/** Where the bar of a figure begins and ends between them, from 0 to 1, and whether it would be longer. */
export function barOf(value: number, { low, high }: BarScale): { from: number; to: number; isCut: boolean } {
  const span = high - low || 1;
  const shown = Math.min(high, Math.max(low, value));
  return { from: (Math.min(shown, 0) - low) / span, to: (Math.max(shown, 0) - low) / span, isCut: shown !== value };
}

type Cell = BreakdownAnswer["cells"][number];

/** Cells by the places of their entries, such as `0,3`. */
export const pivotCells = ({ cells }: BreakdownAnswer): ReadonlyMap<string, Cell> => new Map(cells.map((cell) => [cell.at.join(), cell]));

/** Heads of rows or columns of such a table. */
export function headsOf(axis: BreakdownAxis, columns: readonly Column[]): { key: string; label: string; place: number }[] {
  return axis.entries.map((entry, place) => ({ key: entryKey(entry, place), label: entryLabel(entry, axis, columns), place }));
}

type Head = ReturnType<typeof headsOf>[number];

/** A row of a table of two or three groupings. `at`: the places of its entries in all groupings but the last. */
interface PivotRow {
  key: string;
  label: string;
  at: readonly number[];
  /** Its place among the rows of all blocks. */
  line: number;
}

/** The rows of such a table: one block, or with three groupings one for each entry of the first that has rows. */
export function pivotRows({ by, cells }: BreakdownAnswer, columns: readonly Column[]): { head: Head | null; rows: PivotRow[] }[] {
  const [first, second] = by;
  if (first === undefined) return [];
  const heads = headsOf(first, columns);
  if (by.length < 3 || second === undefined)
    return [{ head: null, rows: heads.map(({ key, label, place }) => ({ key, label, at: [place], line: place })) }];
  const inner = headsOf(second, columns);
  const used = new Set(cells.map(({ at }) => at.slice(0, 2).join()));
  let lines = 0;
  return heads.flatMap((head) => {
    const within = inner.filter(({ place }) => used.has(`${head.place},${place}`));
    const rows = within.map(({ key, label, place }, index) => ({
      key: `${head.key} ${key}`,
      label,
      at: [head.place, place],
      line: lines + index,
    }));
    lines += rows.length;
    return rows.length === 0 ? [] : [{ head, rows }];
  });
}
