import type { CellValue } from "@fairway/contract/search";
import { sql } from "kysely";
import type { BreakdownMeasure, BreakdownSearch } from "#query/breakdown.ts";
import type { TextRow } from "../column-values-read.ts";
import { type Compiled, compileRaw, whereSql } from "../compile.ts";
import type { SqlDialect, SqlTable } from "../table.ts";
import type { AxisRows } from "./axis-rows.ts";
import { measureColumns } from "./measures.ts";

export interface CellsQuery {
  readonly axes: readonly AxisRows[];
  /** Sets of axes to group by, as places in `axes`. */
  readonly sets: readonly (readonly number[])[];
  readonly measures: readonly BreakdownMeasure[];
  readonly accuracy: "exact" | "estimate" | undefined;
}

/** Figures of the rows that have these places. A place is undefined where the set does not group by its axis. */
export interface Cell {
  readonly set: number;
  readonly at: readonly (number | undefined)[];
  readonly rows: number;
  readonly figures: readonly CellValue[];
}

/** One scan: figures of all cells, and of sets of fewer axes for totals. */
export function compileCells(table: SqlTable, query: CellsQuery, search: BreakdownSearch, dialect: SqlDialect): Compiled {
  const { axes, sets } = query;
  const columns = measureColumns(table, query.measures, query.accuracy, dialect);
  const names = axes.flatMap((axis) => axis.names);
  const inputs = [...axes.flatMap((axis) => axis.columns), ...columns.inputs];
  const further = axes.flatMap(({ from }) => from ?? []);
  const kept = axes.flatMap(({ where }) => where ?? []);
  const where = whereSql(table, search, dialect, kept.length === 0 ? undefined : sql.join(kept, sql` and `));
  const namesOf = (set: readonly number[]) =>
    sql.join(
      set.flatMap((axis) => axes[axis]?.names ?? []),
      sql`, `,
    );
  const isGrouped = names.length > 0 && sets.some((set) => set.length > 0);
  const grouped = isGrouped
    ? sql` group by grouping sets (${sql.join(
        sets.map((set) => sql`(${set.length === 0 ? sql`` : namesOf(set)})`),
        sql`, `,
      )})`
    : sql``;
  const bits = isGrouped ? sql`grouping(${sql.join(names, sql`, `)})` : sql`0`;
  const selected = sql.join([...(isGrouped ? names : []), sql`${bits} as g`, sql`count(*) as n`, ...columns.aggregates], sql`, `);
  const shown = sql.join(
    [dialect.asText(sql`g`), dialect.asText(sql`n`), ...(isGrouped ? axes.flatMap((axis) => axis.shown) : []), ...columns.shown],
    sql`, `,
  );
  const rows = sql`select ${sql.join(inputs.length === 0 ? [sql`1 as one`] : inputs, sql`, `)} from ${sql.join([table.from, ...further], sql` cross join `)}${where}`;
  return compileRaw(sql`with inputs as (${rows}), grouped as (select ${selected} from inputs${grouped}) select ${shown} from grouped`);
}

export function readCells(rows: readonly TextRow[], table: SqlTable, query: CellsQuery, dialect: SqlDialect): Cell[] {
  const { axes, sets } = query;
  const columns = measureColumns(table, query.measures, query.accuracy, dialect);
  const isGrouped = axes.length > 0 && sets.some((set) => set.length > 0);
  const setByBits = new Map(sets.map((set, index) => [isGrouped ? bitsOf(axes, set) : 0, index]));
  return rows.flatMap(([g, n, ...texts]): Cell[] => {
    const set = setByBits.get(Number(g));
    if (set === undefined || Number(n) === 0) return [];
    let from = 0;
    const at: (number | undefined)[] = [];
    for (const [index, axis] of isGrouped ? axes.entries() : []) {
      const part = texts.slice(from, (from += axis.names.length));
      const isIn = sets[set]?.includes(index) === true;
      const place = isIn ? axis.placeOf(part) : undefined;
      if (isIn && place === undefined) return [];
      at.push(place);
    }
    return [{ set, at, rows: Number(n), figures: columns.read(texts.slice(from)) }];
  });
}

/** The number that `grouping` has for a set: a bit for each column, the first one highest, that is 1 where it is not grouped by. */
function bitsOf(axes: readonly AxisRows[], set: readonly number[]): number {
  return axes.reduce((bits, axis, index) => axis.names.reduce((sum) => sum * 2 + (set.includes(index) ? 0 : 1), bits), 0);
}
