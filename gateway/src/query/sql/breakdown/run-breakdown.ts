import type { BreakdownQuery, BreakdownResult } from "#query/breakdown.ts";
import type { SqlDialect, SqlTable } from "../table.ts";
import { type Found, type Plan, answerOf, placesKey } from "./answer.ts";
import type { AxisRows } from "./axis-rows.ts";
import { type Cell, type CellsQuery, compileCells, readCells } from "./cells.ts";
import { type Period, type ResolvedAxis, type Resolving, type Run, searchOf } from "./resolved-axis.ts";
import { resolveAxis } from "./resolve-axis.ts";
import { tooMany } from "./too-many.ts";

/**
 * Axes are resolved first, each over the whole search, so that a group is the same everywhere. Then the cells of all axes and their totals
 * are computed in one scan. Nothing is added up from figures.
 */
export async function runBreakdown(query: BreakdownQuery, run: Run, dialect: SqlDialect): Promise<BreakdownResult> {
  const resolving: Resolving = { query, run, dialect };
  const axes: ResolvedAxis[] = [];
  for (const [place, axis] of query.axes.entries()) {
    axes.push(await resolveAxis(axis, place, resolving));
    requireFewCells(axes, query.maxCells);
  }
  const plan = planOf(query, axes);
  const present = await cellsOf("present", plan, resolving);
  const before = query.before === null ? undefined : await cellsOf("before", plan, resolving);
  return answerOf(query, plan, present, before, dialect);
}

function requireFewCells(axes: readonly ResolvedAxis[], maxCells: number): void {
  const sizes = axes.map(({ entries }) => Math.max(1, entries.length));
  const cells = sizes.reduce((product, size) => product * size, 1);
  if (cells > maxCells) throw tooMany(sizes, maxCells);
}

function planOf({ axes: asked, measures, totals, having }: BreakdownQuery, axes: readonly ResolvedAxis[]): Plan {
  const isTable = axes.length > 1;
  const shares = new Set(measures.flatMap((measure) => ("aggregation" in measure && measure.aggregation === "share" ? measure.of : [])));
  const single = axes.flatMap((axis, place) => {
    if (!isTable) return [];
    const decides = !axis.isOrdered && asked[place]?.order.measure !== null;
    const fails = asked[place]?.kind !== "value" && having.some((condition) => condition.axis === place);
    const isWhole = (place === 0 && shares.has("row")) || (place === axes.length - 1 && shares.has("column"));
    return totals || decides || fails || isWhole ? [[place]] : [];
  });
  // Rows may be in no group made by users, and in several.
  const areRowsKnown = axes.some(({ rows }) => rows !== undefined) || asked.every(({ kind }) => kind !== "groups");
  const all = axes.length > 0 && (totals || shares.has("all") || (!isTable && shares.has("column")) || !areRowsKnown);
  return { axes, sets: [axes.map((_, place) => place), ...single, ...(all ? [[]] : [])], isTable };
}

/** Figures of one period. Those that are known are not computed again. */
async function cellsOf(period: Period, { axes, sets }: Plan, { query, run, dialect }: Resolving): Promise<Found> {
  const search = searchOf(query, period);
  const scan = (rows: (table: SqlTable) => readonly AxisRows[], wanted: Plan["sets"]): Promise<Cell[]> => {
    const cells = (table: SqlTable): CellsQuery => ({
      axes: rows(table),
      sets: wanted,
      measures: query.measures,
      accuracy: query.accuracy,
    });
    return run(
      (table) => compileCells(table, cells(table), search, dialect),
      (texts, table) => readCells(texts, table, cells(table), dialect),
    );
  };
  const [list] = axes;
  const found = new Map<string, Cell>();
  const keep = (cells: readonly Cell[], places: readonly number[]): void => {
    for (const cell of cells) found.set(placesKey(axes.map((_, place) => cell.at[places.indexOf(place)])), cell);
  };
  if (list?.known !== undefined && axes.length === 1 && period === "present") {
    const { figures, restOf } = list.known;
    keep(
      Array.from(figures, ([place, group]): Cell => ({ set: 0, at: [place], ...group })),
      [0],
    );
    const other = list.entries.findIndex(({ kind, ...entry }) => kind === "other" && "count" in entry && entry.count !== 0);
    if (other >= 0)
      keep(
        (await scan((table) => [restOf(table)], [[]])).map(({ set, rows, figures: values }) => ({
          set,
          at: [other],
          rows,
          figures: values,
        })),
        [0],
      );
    for (const set of sets.filter(({ length }) => length === 0)) keep(await scan(() => [], [set]), set);
    return found;
  }
  const everyPlace = axes.map((_, place) => place);
  if (axes.every(({ isPartition }) => isPartition)) {
    keep(await scan((table) => axes.map((axis, place) => axis.rowsOf(table, place, period)), sets), everyPlace);
    return found;
  }
  for (const set of sets) {
    const rows = (table: SqlTable) => set.flatMap((place) => axes[place]?.rowsOf(table, place, period) ?? []);
    keep(await scan(rows, [set.map((_, index) => index)]), set);
  }
  return found;
}
