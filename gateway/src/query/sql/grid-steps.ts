import { type RawBuilder, sql } from "kysely";
import type { GridQuery, GridResult, GridSteps } from "#query/engine.ts";
import type { TextRow } from "./column-values-read.ts";
import { type Compiled, aggregateSql, compileRaw, requireColumn, whereSql } from "./compile.ts";
import { cellParts, cellSums, cellTexts, gridOf, isCell, listed, rowsPerPart } from "./grid.ts";
import { unitMs } from "./instants.ts";
import { comparisonSql, hasInstant, named } from "./operators.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

type TimedQuery = GridQuery & { readonly time: NonNullable<GridQuery["time"]> };

export const isTimed = (query: GridQuery): query is TimedQuery => query.time !== undefined;

/** In place of a step: rows without a time, and rows whose time is in none. */
const [untimed, elsewhen] = [-1, -2];

/**
 * Rows per cell and per cell and step, in one scan that groups twice, so that a cell is what it is without steps. A row of the result holds
 * many cells, as one of `compileGrid` does, or many frames: index of the cell, step, rows and, with a measure, how many rows have a value
 * and the value or the sum; then the rows in cells without a time, those in no step, and the number of all frames.
 */
export function compileGridSteps(table: SqlTable, query: TimedQuery, dialect: SqlDialect): Compiled {
  const { measure, time } = query;
  const { count, cell, needed, polar, figures } = cellParts(table, query, dialect);
  const [cellKey, stepKey] = [sql.id("fairway cell"), sql.id("fairway step")];
  const step = stepSql(requireColumn(table, time.column), time.edgesMs, dialect);
  const columns = sql.join([...needed].map(named), sql`, `);
  const placed = sql`select ${columns}, ${cell} as ${cellKey}, ${step} as ${stepKey} from ${table.from}${whereSql(table, query, dialect)}`;
  const sum = measure?.type === "avg" ? [sql`${aggregateSql(table, { ...measure, type: "sum" }, undefined, dialect)} as total`] : [];
  const grouped = sql`select ${cellKey} as cell, ${stepKey} as step, count(*) as cell_rows, ${polar} as polar${listed([...figures, ...sum])}
    from (${placed}) as placed group by grouping sets ((${cellKey}), (${cellKey}, ${stepKey}))`;
  const isFrame = sql<boolean>`cell >= 0 and step >= 0`;
  const numbered = sql`select *, case when step is null then 0 else 1 end as kind,
      dense_rank() over (partition by case when cell >= 0 then 1 else 0 end order by cell) - 1 as cell_place,
      row_number() over (partition by case when step is null then 0 else 1 end order by cell, step) - 1 as place,
      sum(case when ${isFrame} then 1 else 0 end) over () as frames
    from (${grouped}) as grouped`;
  const part = sql`place - place % ${sql.lit(rowsPerPart)}`;
  const isWhole = sql<boolean>`step is null`;
  const isKept = sql<boolean>`${isFrame} and frames <= ${sql.lit(time.maxFrames)}`;
  const figure = sum.length === 0 ? sql`figure` : sql`total`;
  const frameTexts = [
    ...[sql`cell_place`, sql`step`, sql`cell_rows`].map((value) => dialect.asText(value)),
    ...(measure === null ? [] : [dialect.asText(sql`counted`), sql`coalesce(${figure}, 'null')`]),
  ];
  const stepSums = [untimed, elsewhen].map((number) => sql`sum(cell_rows) filter (where ${isCell} and step = ${sql.lit(number)})`);
  const results = [
    ...cellTexts(count, measure, dialect).map((text) => dialect.joinedTexts(text, sql`place`, sql<boolean>`${isCell} and ${isWhole}`)),
    ...cellSums(isWhole, dialect),
    ...frameTexts.map((text) => dialect.joinedTexts(text, sql`place`, isKept)),
    ...[...stepSums, sql`max(frames)`].map((value) => dialect.asText(sql`coalesce(${value}, 0)`)),
  ];
  return compileRaw(sql`select ${sql.join(results, sql`, `)} from (${numbered}) as numbered group by kind, ${part} order by kind, ${part}`);
}

/** Reads the rows of `compileGridSteps`. */
export function gridStepsOf(rows: readonly TextRow[], query: TimedQuery): GridResult {
  const { measure, time } = query;
  const figures = measure === null ? 0 : 2;
  const after = 3 + figures + 4;
  const sum = (index: number): number => rows.reduce((total, row) => total + Number(row[after + 3 + figures + index]), 0);
  const cells = gridOf(rows, query);
  if (Number(rows[0]?.[after + 3 + figures + 2] ?? 0) > time.maxFrames) return { ...cells, time: "too-many" };
  const frames = rows.flatMap((row) => {
    const [cell = null, bucket = null, frameRows = null, counted, value] = row.slice(after);
    if (cell === null || bucket === null || frameRows === null) return [];
    return [{ cell, bucket, rows: frameRows, ...(measure === null ? {} : { counted: counted ?? "", value: value ?? "" }) }];
  });
  return { ...cells, time: { rows: rowsOfSteps(frames, time.edgesMs.length - 1), untimed: sum(0), elsewhen: sum(1), frames } };
}

function rowsOfSteps(frames: GridSteps["frames"], count: number): number[] {
  const total = Array.from({ length: count }, () => 0);
  for (const { bucket, rows } of frames) {
    const counts: number[] = JSON.parse(`[${rows}]`);
    const steps: number[] = JSON.parse(`[${bucket}]`);
    for (const [index, step] of steps.entries()) total[step] = (total[step] ?? 0) + (counts[index] ?? 0);
  }
  return total;
}

/** The number of a row's step. */
function stepSql(column: SqlColumn, edgesMs: readonly number[], dialect: SqlDialect): RawBuilder<unknown> {
  const [first = 0, last = 0] = [edgesMs[0], edgesMs.at(-1)];
  const isBefore = (ms: number) =>
    comparisonSql(column, { column: column.name, type: column.type, operator: "<", value: BigInt(ms) }, dialect);
  const inSteps = sql`not (${isBefore(first)}) and ${isBefore(last)}`;
  return sql`case when not (${hasInstant(column, dialect)}) then ${sql.lit(untimed)} when ${inSteps} then ${stepWithin(column, edgesMs, isBefore, dialect)} else ${sql.lit(elsewhen)} end`;
}

/** One division if all steps have the same length; else halving, which takes seven comparisons for 120 months. */
function stepWithin(
  column: SqlColumn,
  edgesMs: readonly number[],
  isBefore: (ms: number) => RawBuilder<boolean>,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const [first = 0, second = 0] = edgesMs;
  const width = second - first;
  if (edgesMs.every((edge, index) => edge === first + index * width)) {
    const unit = unitMs(column.type);
    return dialect.step(named(column), column, BigInt(first) / unit, BigInt(width) / unit);
  }
  const halved = (from: number, to: number): RawBuilder<unknown> => {
    if (to - from === 1) return sql`${sql.lit(from)}`;
    const middle = (from + to) >> 1;
    return sql`case when ${isBefore(edgesMs[middle] ?? 0)} then ${halved(from, middle)} else ${halved(middle, to)} end`;
  };
  return halved(0, edgesMs.length - 1);
}
