import { isTimestamp } from "@fairway/contract/columns";
import { type Coverage, type CoverageUnit, type ProfiledColumn } from "@fairway/contract/dataset-profiles";
import type { DatasetStatistics, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type Figures, type Narrowing, allFigures, batchesOf, isGroupable, keysOf, namesIn, profiledColumn } from "./column-figures.ts";
import { compileCandidates, compileGroups, compilePositions } from "./dataset-profile.ts";
import type { TextRow } from "./column-values-read.ts";
import { unitMs } from "./instants.ts";
import type { Scan } from "./scan.ts";
import type { SqlDialect } from "./table.ts";

/** Of a column with so many distinct values per row, no value is frequent. */
const mostlyUnique = 0.5;
const positionRows = 300;

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

/** Texts that may be frequent in columns of too many values to group by. */
async function candidatesOf(batch: readonly Figures[], query: Narrowing, scan: Scan, dialect: SqlDialect) {
  const names = batch
    .filter((figures) => figures.column.type === "STRING" && !isGroupable(figures) && figures.distinct < figures.count * mostlyUnique)
    .map(({ column }) => column.name);
  if (names.length === 0) return new Map<string, readonly string[]>();
  const [lists = []] = await scan((table) => compileCandidates(table, names, query, dialect), namesIn(batch, query));
  return new Map(names.map((name, index) => [name, (JSON.parse(lists[index] ?? "null") ?? []) as string[]]));
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
