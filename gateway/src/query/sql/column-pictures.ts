import type { ColumnPicture } from "#query/engine.ts";
import { maxGroupedRows } from "./column-distributions.ts";
import {
  type Column,
  type Figures,
  type Narrowing,
  allFigures,
  batchesOf,
  gridOf,
  histogramOf,
  keysOf,
  namesIn,
  profiledColumn,
} from "./column-figures.ts";
import { compileGroups, compileSteps } from "./dataset-profile.ts";
import type { Scan } from "./scan.ts";
import type { SqlDialect } from "./table.ts";

/** Values of one scan: short tables are read in fewer scans. */
const valuesPerScan = 500_000;

const everyRow: Narrowing = { timeRange: null, area: null, conditions: [] };

/** How columns of so many rows are spread. Values are counted by the step they lie in where there are steps, which takes a fraction of counting each value. */
export async function columnPictures(columns: readonly Column[], rows: number, scan: Scan, dialect: SqlDialect): Promise<ColumnPicture[]> {
  const { all } = await allFigures(columns, everyRow, scan, dialect, { known: rows, measures: false });
  const measured = all.flatMap((figures) => {
    const grid = gridOf(figures);
    return grid === null ? [] : [{ figures, name: figures.column.name, grid }];
  });
  const others = all.filter((figures) => gridOf(figures) === null);
  const sample = rows > maxGroupedRows ? { rows: maxGroupedRows } : undefined;
  const size = Math.min(dialect.figuresPerScan, Math.max(30, Math.floor(valuesPerScan / Math.max(1, rows))));
  const counts = new Map<Figures, readonly number[]>();
  for (const batch of batchesOf(measured, size)) {
    if (batch.length === 0) continue;
    const [texts = []] = await scan(
      (table) => compileSteps(table, batch, everyRow, dialect, sample),
      new Set(batch.map(({ name }) => name)),
    );
    for (const [index, { figures }] of batch.entries()) {
      const found = JSON.parse(texts[index] ?? "{}") as Readonly<Record<string, number>>;
      counts.set(
        figures,
        histogramOf(figures, new Map(Object.entries(found).map(([step, n]) => [Number(step), n]))).map(({ rows: n }) => n),
      );
    }
  }
  for (const batch of batchesOf(others)) {
    const keys = batch.flatMap((figures) => keysOf(figures, new Map()));
    if (keys.length === 0) continue;
    const groups = await scan((table) => compileGroups(table, keys, everyRow, dialect, sample), namesIn(batch, everyRow));
    for (const figures of batch)
      counts.set(
        figures,
        profiledColumn(figures, rows, keys, groups).top.map(({ rows: n }) => n),
      );
  }
  return all.map((figures) => picture(figures, counts.get(figures) ?? []));
}

const picture = ({ column, min, max }: Figures, counts: readonly number[]): ColumnPicture => ({
  name: column.name,
  counts,
  least: min,
  greatest: max,
});
