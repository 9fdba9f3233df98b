import { histogramSteps, stepWidth } from "@fairway/contract/column-values";
import type { ColumnType } from "@fairway/contract/columns";
import { type ProfiledColumn, profileTextCharacters } from "@fairway/contract/dataset-profiles";
import type { CellValue } from "@fairway/contract/search";
import { columnsInConditions } from "#query/conditions.ts";
import type { QueryableDataset, SearchQuery } from "#query/engine.ts";
import type { TextRow } from "./column-values-read.ts";
import { type ProfileKey, type StepGrid, compileFigures, isMeasured } from "./dataset-profile.ts";
import type { Scan } from "./scan.ts";
import type { SqlDialect, SqlTable } from "./table.ts";

/** Columns of one scan, which bounds its memory. */
const columnsPerScan = 30;
/** Figures take little memory: of short tables, one scan reads more columns, up to this many values. */
const figureValues = 10_000_000;
/** A column with more distinct values, or with values of more bytes together, is not grouped by its values. */
const [maxGroups, maxGroupBytes] = [5_000, 2_000_000];
export type Column = QueryableDataset["columns"][number];

export interface Figures {
  readonly column: Column;
  /** Rows with a value. */
  readonly count: number;
  /** An estimate. */
  readonly distinct: number;
  readonly textBytes: number;
  readonly min: CellValue;
  readonly max: CellValue;
}

export type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

/** `known`: how many rows there are. `measures`: as for `compileFigures`. */
export async function allFigures(
  columns: readonly Column[],
  query: Narrowing,
  scan: Scan,
  dialect: SqlDialect,
  { known, measures }: { readonly known?: number; readonly measures: boolean } = { measures: true },
): Promise<{ readonly rows: number; readonly all: readonly Figures[] }> {
  let rows = known ?? 0;
  const all: Figures[] = [];
  do {
    const size = all.length === 0 && known === undefined ? columnsPerScan : Math.floor(figureValues / Math.max(1, rows));
    const from = all.length;
    const batch = columns.slice(from, from + Math.min(dialect.figuresPerScan, Math.max(columnsPerScan, size)));
    const names = batch.map(({ name }) => name);
    const compile = (table: SqlTable) => compileFigures(table, names, query, dialect, { measures });
    const [[count, ...texts] = []] = await scan(compile, namesIn(batch, query));
    rows = Number(count);
    all.push(...batch.map((column, index) => figuresOf(column, texts.slice(index * 5, index * 5 + 5))));
  } while (all.length < columns.length);
  return { rows, all };
}

/** The columns that a scan of some columns reads. */
export function namesIn(columns: readonly (Column | Figures)[], { timeRange, area, conditions }: Narrowing): ReadonlySet<string> {
  return new Set([
    ...columns.map((one) => ("column" in one ? one.column.name : one.name)),
    ...columnsInConditions(conditions),
    ...(timeRange === null ? [] : [timeRange.column]),
    ...(area === null ? [] : [area.latitude, area.longitude]),
  ]);
}

function figuresOf(column: Column, [count, distinct, textBytes, min = null, max = null]: TextRow): Figures {
  // Estimates may exceed what is possible.
  const estimate = Math.min(Number(distinct), Number(count));
  return { column, count: Number(count), distinct: estimate, textBytes: Number(textBytes), min: cell(min, column), max: cell(max, column) };
}

export const isGroupable = ({ distinct, textBytes }: Figures) => distinct <= maxGroups && distinct * textBytes <= maxGroupBytes;

export function keysOf(figures: Figures, candidates: ReadonlyMap<string, readonly string[]>): ProfileKey[] {
  const { name } = figures.column;
  if (figures.count === 0) return [];
  const grid = gridOf(figures);
  if (isGroupable(figures)) return [{ kind: "values", column: name, grid }];
  if (grid !== null) return [{ kind: "steps", column: name, grid }];
  const texts = candidates.get(name) ?? [];
  return texts.length === 0 ? [] : [{ kind: "candidates", column: name, texts }];
}

/** Null for texts and booleans, and if the range has no width that a number can hold. */
export function gridOf({ column, count, min, max }: Figures): StepGrid | null {
  if (!isMeasured(column) || count === 0) return null;
  const low = Number(min);
  const width = stepWidth(low, Number(max), column.type !== "decimal");
  return Number.isFinite(width) ? { low, width } : null;
}

export function profiledColumn(figures: Figures, rows: number, keys: readonly ProfileKey[], groups: readonly TextRow[]): ProfiledColumn {
  const { column, count } = figures;
  const at = keys.findIndex((key) => key.kind !== "coverage" && key.column === column.name);
  const key = keys[at];
  const own = groups.filter(([, index]) => Number(index) === at);
  const isExact = count === 0 || key?.kind === "values";
  const distinct = isExact ? Number(own.find(([kind]) => kind === "distinct")?.[3] ?? 0) : figures.distinct;
  return {
    name: column.name,
    type: column.type,
    empty: rows - count,
    distinct,
    isApproximate: !isExact,
    min: figures.min,
    max: figures.max,
    top: own
      .filter(([kind]) => kind === "top")
      .map(([, , value = null, n]) => ({ value: cell(value, column), rows: Number(n) }))
      .toSorted((one, other) => other.rows - one.rows),
    histogram: histogramOf(figures, new Map(own.filter(([kind]) => kind === "step").map(([, , step, n]) => [Number(step), Number(n)]))),
  };
}

/** `counts`: of the values by their step. */
export function histogramOf(figures: Figures, counts: ReadonlyMap<number, number>): ProfiledColumn["histogram"] {
  const grid = gridOf(figures);
  if (grid === null) return [];
  const { low, width } = grid;
  const steps = Math.min(histogramSteps, Math.floor((Number(figures.max) - low) / width) + 1);
  return Array.from({ length: steps }, (_, index) => ({
    from: low + index * width,
    to: low + (index + 1) * width,
    rows: counts.get(index) ?? 0,
  }));
}

export function cell(text: string | null, { type }: { readonly type: ColumnType }): CellValue {
  if (text === null) return null;
  if (type !== "STRING") return JSON.parse(text) as CellValue;
  // PostgreSQL cannot store the character 0.
  const characters = Array.from(text.replaceAll("\0", "\uFFFD"));
  return characters.length > profileTextCharacters ? `${characters.slice(0, profileTextCharacters).join("")}…` : characters.join("");
}

export function batchesOf<T>(items: readonly T[], size = columnsPerScan): T[][] {
  const count = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
