import type { CellValue } from "@fairway/contract/search";
import { type RawBuilder, sql } from "kysely";
import type { AnsweredEntry, AxisOrder, BreakdownMeasure, BreakdownPage, BreakdownQuery } from "#query/breakdown.ts";
import type { TextRow } from "../column-values-read.ts";
import { type Compiled, compileRaw, requireColumn, whereSql } from "../compile.ts";
import { operatorSql } from "../operators.ts";
import type { ExportSession } from "../server.ts";
import type { SqlDialect, SqlTable } from "../table.ts";
import { readKey } from "./cell-text.ts";
import { compileCells, readCells } from "./cells.ts";
import { finished, isCount } from "./figures.ts";
import { keyOf } from "./keys.ts";
import { type MeasureColumns, measureColumns } from "./measures.ts";
import { type AxisOf, type Period, searchOf } from "./resolved-axis.ts";

type Value = RawBuilder<unknown>;

/** The axis of a breakdown that lists all values of one column; undefined for any other breakdown. */
export function listedAxis({ axes: [axis, ...others] }: BreakdownQuery): AxisOf<"value"> | undefined {
  return axis?.kind === "value" && axis.top === null && others.length === 0 ? axis : undefined;
}

/**
 * All groups of a list as they come from the engine, which holds, pairs and orders them, so that there may be any number. Up to
 * `maxListed` of them.
 */
export async function* listedValues(
  query: BreakdownQuery,
  axis: AxisOf<"value">,
  table: SqlTable,
  session: ExportSession,
): AsyncGenerator<BreakdownPage> {
  const isCompared = query.before !== null;
  const hasShares = query.measures.some(isShare);
  const wholes = (period: Period) => (hasShares ? totalsOf(query, period, table, session) : Promise.resolve(undefined));
  const [all, earlierAll] = [await wholes("present"), isCompared ? await wholes("before") : undefined];
  const readGroups = groupReader(table, query, axis, session.dialect);
  let left = query.maxListed;
  for await (const rows of session.pages(compileList(table, query, axis, session.dialect))) {
    const groups = rows.map(readGroups);
    const listed = groups.slice(0, left);
    left -= listed.length;
    const figuresOf = (figures: readonly CellValue[], total: readonly CellValue[] | undefined, negative: ReadonlySet<number>) =>
      finished(query.measures, figures, { all: total, row: figures, column: total }, negative);
    yield {
      axes: [listed.map(({ value }): AnsweredEntry => (value === null ? { kind: "empty" } : { kind: "value", value }))],
      cells: listed.map(({ now, before }, place) => ({
        at: [place],
        values: figuresOf(now.figures, all, now.negative),
        ...(before === undefined ? {} : { before: figuresOf(before.figures, earlierAll, before.negative) }),
      })),
      isCut: listed.length < groups.length,
    };
    if (listed.length < groups.length) return;
  }
}

const isShare = (measure: BreakdownMeasure): boolean => "aggregation" in measure && measure.aggregation === "share";

async function totalsOf(
  query: BreakdownQuery,
  period: Period,
  table: SqlTable,
  { rows, dialect }: ExportSession,
): Promise<readonly CellValue[] | undefined> {
  const cells = { axes: [], sets: [[]], measures: query.measures, accuracy: query.accuracy };
  const found = await rows(compileCells(table, cells, searchOf(query, period), dialect));
  return readCells(found, table, cells, dialect)[0]?.figures;
}

const [presentPlace, earlierPlace] = [0, 1];

function compileList(table: SqlTable, query: BreakdownQuery, axis: AxisOf<"value">, dialect: SqlDialect): Compiled {
  const key = keyOf(requireColumn(table, axis.column.name), dialect);
  const { now, earlier } = columnsOf(table, query, dialect);
  const grouped = (period: Period): Value => {
    const inputs = sql.join([sql`${key.value} as k`, ...now.inputs], sql`, `);
    const rows = sql`select ${inputs} from ${table.from}${whereSql(table, searchOf(query, period), dialect)}`;
    return sql`select ${sql.join([sql`k`, ...now.aggregates], sql`, `)} from (${rows}) as inputs group by k`;
  };
  const paired = earlier === undefined ? grouped("present") : pairedSql(grouped, now, query);
  const conditions = query.having.map(
    ({ measure, operator, value }) => sql`${now.ranked(measure)} ${operatorSql[operator].sql} ${dialect.floating(value, false)}`,
  );
  const passes = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  // Groups that only the earlier period has meet no conditions.
  const isThere = conditions.length === 0 || earlier === undefined ? passes : sql`is_there and ${passes}`;
  const isListed = sql`case when k is null then ${axis.showsEmpty ? sql`true` : sql`false`} else coalesce(${isThere}, false) end`;
  const order = orderSql(axis.order, now, earlier, dialect);
  const shown = [dialect.cellJson(sql`k`, key.shown), ...now.shown, ...(earlier?.shown ?? [])];
  const negative = [now, ...(earlier === undefined ? [] : [earlier])].flatMap((columns) =>
    query.measures.flatMap((measure, place) => (isShare(measure) ? [negativeSql(columns, place)] : [])),
  );
  const flags = negative.map((_, place) => sql`${sql.id(`negative ${place}`)}`);
  const judged = [sql`*`, sql`${isListed} as listed`, sql`${order ?? sql`k`} as place`];
  const named = negative.map((value, place) => sql`${value} as ${flags[place] ?? sql``}`);
  const direction = axis.order.direction === "desc" ? sql` desc` : sql``;
  const by = order === undefined ? sql`k${direction}` : sql`place${direction} nulls last, k`;
  return compileRaw(sql`with paired as (${paired}), judged as (select ${sql.join([...judged, ...named], sql`, `)} from paired)
    select ${sql.join([...shown, ...flags.map((flag) => dialect.asText(flag))], sql`, `)} from judged where listed
    order by case when k is null then 1 else 0 end, ${by} limit ${dialect.rowCount(query.maxListed + 1)}`);
}

const negativeSql = ({ part }: MeasureColumns, measure: number): Value =>
  sql`case when min(${part(measure)}) over () < 0 then 1 else 0 end`;

const columnsOf = (table: SqlTable, { measures, accuracy, before }: BreakdownQuery, dialect: SqlDialect) => ({
  now: measureColumns(table, measures, accuracy, dialect),
  earlier: before === null ? undefined : measureColumns(table, measures, accuracy, dialect, "b"),
});

/** Groups of both periods side by side. Not as a join: not every engine can join on keys of which one is null. */
function pairedSql(grouped: (period: Period) => Value, { aggregates }: MeasureColumns, { measures }: BreakdownQuery): Value {
  const ofPeriod = (period: Period, place: number) => sql`select ${sql.lit(place)} as period, g.* from (${grouped(period)}) as g`;
  const counted = countedParts(measures);
  const figures = [presentPlace, earlierPlace].flatMap((period) =>
    aggregates.map((_, index) => {
      const figure = sql`max(case when period = ${sql.lit(period)} then ${sql.id(`a${index}`)} end)`;
      // As noFigures has it.
      const value = counted.has(index) ? sql`coalesce(${figure}, 0)` : figure;
      return sql`${value} as ${sql.id(`${period === presentPlace ? "a" : "b"}${index}`)}`;
    }),
  );
  return sql`select k, min(period) = ${sql.lit(presentPlace)} as is_there, ${sql.join(figures, sql`, `)}
    from (${ofPeriod("present", presentPlace)} union all ${ofPeriod("before", earlierPlace)}) as both_periods group by k`;
}

/** Places of aggregates that are 0 where there are no rows. */
function countedParts(measures: readonly BreakdownMeasure[]): ReadonlySet<number> {
  const parts = measures.flatMap((measure) => {
    if ("derived" in measure) return [];
    if (measure.aggregation === "rate") return [true, true];
    return [isCount(measure)];
  });
  return new Set(parts.flatMap((isCount, index) => (isCount ? [index] : [])));
}

/** Undefined: by the key. */
function orderSql(
  { measure, of }: AxisOrder,
  now: MeasureColumns,
  earlier: MeasureColumns | undefined,
  dialect: SqlDialect,
): Value | undefined {
  if (measure === null) return undefined;
  if (of === "value" || earlier === undefined) return of === "value" ? now.ranked(measure) : sql`cast(null as double)`;
  if (of === "before") return earlier.ranked(measure);
  const [value, before] = [dialect.asDouble(now.ranked(measure)), dialect.asDouble(earlier.ranked(measure))];
  return of === "change" ? sql`${value} - ${before}` : sql`100 * (${value} - ${before}) / nullif(abs(${before}), 0)`;
}

interface ListedGroup {
  readonly value: CellValue;
  readonly now: PeriodFigures;
  readonly before: PeriodFigures | undefined;
}

interface PeriodFigures {
  readonly figures: readonly CellValue[];
  /** Measures of which some group is negative. */
  readonly negative: ReadonlySet<number>;
}

function groupReader(table: SqlTable, query: BreakdownQuery, axis: AxisOf<"value">, dialect: SqlDialect): (texts: TextRow) => ListedGroup {
  const { shown } = keyOf(requireColumn(table, axis.column.name), dialect);
  const { now, earlier } = columnsOf(table, query, dialect);
  const shares = query.measures.flatMap((measure, place) => (isShare(measure) ? [place] : []));
  const width = now.shown.length;
  const flagsAt = 1 + width + (earlier === undefined ? 0 : width);
  const periodOf = (texts: TextRow, columns: MeasureColumns, index: number): PeriodFigures => ({
    figures: columns.read(texts.slice(1 + index * width, 1 + (index + 1) * width)),
    negative: new Set(shares.filter((_, share) => texts[flagsAt + index * shares.length + share] === "1")),
  });
  return (texts) => ({
    value: readKey(texts[0] ?? null, shown),
    now: periodOf(texts, now, 0),
    before: earlier && periodOf(texts, earlier, 1),
  });
}
