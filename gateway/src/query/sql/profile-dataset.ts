import { histogramSteps, stepWidth } from "@fairway/contract/column-values";
import { type ColumnType, isTimestamp } from "@fairway/contract/columns";
import { type Coverage, type CoverageUnit, type ProfiledColumn, profileTextCharacters } from "@fairway/contract/dataset-profiles";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import type { CellValue } from "@fairway/contract/search";
import { columnsInConditions } from "#query/conditions.ts";
import type { DatasetStatistics, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type ProfileKey, type StepGrid, compileCandidates, compileFigures, compileGroups, compilePositions } from "./dataset-profile.ts";
import type { TextRow } from "./column-values-read.ts";
import { unitMs } from "./instants.ts";
import type { Scan } from "./scan.ts";
import type { SqlDialect } from "./table.ts";

/** Columns of one scan, which bounds its memory. */
const columnsPerScan = 30;
/** Figures take little memory: of short tables, one scan reads more columns, up to this many values. */
const figureValues = 10_000_000;
/** A column with more distinct values, or with values of more bytes together, is not grouped by its values. */
const [maxGroups, maxGroupBytes] = [5_000, 2_000_000];
/** Of a column with so many distinct values per row, no value is frequent. */
const mostlyUnique = 0.5;
const positionRows = 300;

type Column = QueryableDataset["columns"][number];

interface Figures {
  readonly column: Column;
  /** Rows with a value. */
  readonly count: number;
  /** An estimate. */
  readonly distinct: number;
  readonly textBytes: number;
  readonly min: CellValue;
  readonly max: CellValue;
}

type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

/** Statistics of all columns: a scan for figures and one for groups per batch of columns, and one for positions. Decision 0400. */
export async function profileDataset(
  dataset: QueryableDataset,
  conditions: SearchQuery["conditions"],
  scan: Scan,
  dialect: SqlDialect,
): Promise<DatasetStatistics> {
  const query: Narrowing = { timeRange: null, area: null, conditions };
  const { rows, all } = await allFigures(dataset.columns, query, scan, dialect);
  const extent = extentOf(all.find(({ column }) => column.name === dataset.temporalField));
  const columns: ProfiledColumn[] = [];
  let coverage: Coverage | null = null;
  for (const batch of batchesOf(all)) {
    const candidates = await candidatesOf(batch, query, scan, dialect);
    const keys = batch.flatMap((figures) => keysOf(figures, candidates));
    const isTemporal = extent !== null && batch.some(({ column }) => column.name === extent.column);
    if (isTemporal) keys.push({ kind: "coverage", column: extent.column, unit: extent.unit });
    const groups = keys.length === 0 ? [] : await scan((table) => compileGroups(table, keys, query, dialect), namesIn(batch, query));
    columns.push(...batch.map((figures) => profiledColumn(figures, rows, keys, groups)));
    const buckets = isTemporal ? bucketsOf(groups) : [];
    // Times beyond the calendar have none.
    if (isTemporal && buckets.length > 0) coverage = { unit: extent.unit, buckets };
  }
  return {
    rows,
    oldestMs: extent?.oldestMs ?? null,
    newestMs: extent?.newestMs ?? null,
    coverage,
    columns,
    positions: await positionsOf(dataset, query, scan, dialect),
  };
}

/** More rows are not grouped: a sample of them has the same shape. */
const maxGroupedRows = 500_000;

/**
 * Statistics of some columns over the rows of a search: a scan for figures and one for groups per batch of columns. Values of
 * columns with very many are not counted. Decision 0571.
 */
export async function columnDistributions(
  columns: readonly Column[],
  query: Narrowing,
  scan: Scan,
  dialect: SqlDialect,
): Promise<ColumnDistributions> {
  const { rows, all } = await allFigures(columns, query, scan, dialect);
  const sample = rows > maxGroupedRows ? { rows: maxGroupedRows } : undefined;
  const found: ProfiledColumn[] = [];
  for (const batch of batchesOf(all)) {
    const keys = batch.flatMap((figures) => keysOf(figures, new Map()));
    const groups =
      keys.length === 0 ? [] : await scan((table) => compileGroups(table, keys, query, dialect, sample), namesIn(batch, query));
    found.push(...batch.map((figures) => profiledColumn(figures, rows, keys, groups)));
  }
  if (sample === undefined) return { rows, countedRows: rows, columns: found };
  return { rows, countedRows: sample.rows, columns: found.map((column) => Object.assign(column, { isApproximate: true })) };
}

async function allFigures(columns: readonly Column[], query: Narrowing, scan: Scan, dialect: SqlDialect) {
  let rows = 0;
  const all: Figures[] = [];
  do {
    const size = all.length === 0 ? columnsPerScan : Math.floor(figureValues / Math.max(1, rows));
    const from = all.length;
    const batch = columns.slice(from, from + Math.min(dialect.figuresPerScan, Math.max(columnsPerScan, size)));
    const names = batch.map(({ name }) => name);
    const [[count, ...texts] = []] = await scan((table) => compileFigures(table, names, query, dialect), namesIn(batch, query));
    rows = Number(count);
    all.push(...batch.map((column, index) => figuresOf(column, texts.slice(index * 5, index * 5 + 5))));
  } while (all.length < columns.length);
  return { rows, all };
}

/** The columns that a scan of some columns reads. */
function namesIn(columns: readonly (Column | Figures)[], { timeRange, area, conditions }: Narrowing): ReadonlySet<string> {
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

const isGroupable = ({ distinct, textBytes }: Figures) => distinct <= maxGroups && distinct * textBytes <= maxGroupBytes;

function keysOf(figures: Figures, candidates: ReadonlyMap<string, readonly string[]>): ProfileKey[] {
  const { name } = figures.column;
  if (figures.count === 0) return [];
  const grid = gridOf(figures);
  if (isGroupable(figures)) return [{ kind: "values", column: name, grid }];
  if (grid !== null) return [{ kind: "steps", column: name, grid }];
  const texts = candidates.get(name) ?? [];
  return texts.length === 0 ? [] : [{ kind: "candidates", column: name, texts }];
}

/** Null for texts and booleans, and if the range has no width that a number can hold. */
function gridOf({ column, count, min, max }: Figures): StepGrid | null {
  if (column.type === "STRING" || column.type === "BOOLEAN" || count === 0) return null;
  const low = Number(min);
  const width = stepWidth(low, Number(max), column.type !== "decimal");
  return Number.isFinite(width) ? { low, width } : null;
}

/** Texts that may be frequent in columns of too many values to group by. */
async function candidatesOf(batch: readonly Figures[], query: Narrowing, scan: Scan, dialect: SqlDialect) {
  const names = batch
    .filter((figures) => figures.column.type === "STRING" && !isGroupable(figures) && figures.distinct < figures.count * mostlyUnique)
    .map(({ column }) => column.name);
  if (names.length === 0) return new Map<string, readonly string[]>();
  const [lists = []] = await scan((table) => compileCandidates(table, names, query, dialect), namesIn(batch, query));
  return new Map(names.map((name, index) => [name, (JSON.parse(lists[index] ?? "null") ?? []) as string[]]));
}

function profiledColumn(figures: Figures, rows: number, keys: readonly ProfileKey[], groups: readonly TextRow[]): ProfiledColumn {
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
    histogram: histogramOf(figures, own),
  };
}

function histogramOf(figures: Figures, own: readonly TextRow[]): ProfiledColumn["histogram"] {
  const grid = gridOf(figures);
  if (grid === null) return [];
  const counts = new Map(own.filter(([kind]) => kind === "step").map(([, , step, n]) => [Number(step), Number(n)]));
  const { low, width } = grid;
  const steps = Math.min(histogramSteps, Math.floor((Number(figures.max) - low) / width) + 1);
  return Array.from({ length: steps }, (_, index) => ({
    from: low + index * width,
    to: low + (index + 1) * width,
    rows: counts.get(index) ?? 0,
  }));
}

function extentOf(figures: Figures | undefined) {
  if (figures === undefined || !isTimestamp(figures.column.type)) return null;
  const { column, min, max } = figures;
  if (min === null || max === null) return null;
  const unit = Number(unitMs(column.type));
  const [oldestMs, newestMs] = [Number(min) * unit, Number(max) * unit];
  return { column: column.name, oldestMs, newestMs, unit: coverageUnitOf(newestMs - oldestMs) };
}

const dayMs = 86_400_000;

/** At most about 190 units of a span. */
function coverageUnitOf(spanMs: number): CoverageUnit {
  const days = spanMs / dayMs;
  if (days <= 186) return "day";
  if (days <= 366 * 10) return "month";
  if (days <= 366 * 150) return "year";
  return days <= 366 * 1_500 ? "decade" : "century";
}

const bucketsOf = (groups: readonly TextRow[]): Coverage["buckets"] =>
  groups
    .filter(([kind]) => kind === "unit")
    .map(([, , startMs, rows]) => ({ startMs: Number(startMs), rows: Number(rows) }))
    .toSorted((one, other) => one.startMs - other.startMs);

async function positionsOf({ location }: QueryableDataset, query: Narrowing, scan: Scan, dialect: SqlDialect) {
  if (location === null) return [];
  const rows = await scan((table) => compilePositions(table, location, positionRows, query, dialect));
  return rows.map(([latitude, longitude]) => [Number(latitude), Number(longitude)] as const);
}

function cell(text: string | null, { type }: { readonly type: ColumnType }): CellValue {
  if (text === null) return null;
  if (type !== "STRING") return JSON.parse(text) as CellValue;
  // PostgreSQL cannot store the character 0.
  const characters = Array.from(text.replaceAll("\0", "\uFFFD"));
  return characters.length > profileTextCharacters ? `${characters.slice(0, profileTextCharacters).join("")}…` : characters.join("");
}

function batchesOf<T>(items: readonly T[]): T[][] {
  const count = Math.max(1, Math.ceil(items.length / columnsPerScan));
  return Array.from({ length: count }, (_, index) => items.slice(index * columnsPerScan, (index + 1) * columnsPerScan));
}
