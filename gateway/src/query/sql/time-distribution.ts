import type { TimeExtent } from "@fairway/contract/datasets";
import type { TimeDistribution } from "@fairway/contract/distributions";
import { bucketMs, bucketSizeFor, bucketStart, dayMs, fillBuckets, hourMs, intervalOf, minuteMs } from "@fairway/contract/time-buckets";
import { type RawBuilder, sql } from "kysely";
import type { Condition, QueryableDataset, SearchQuery, TimeDistributionQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, hasBothEnds, requireColumn, whereSql } from "./compile.ts";
import { unitMs } from "./instants.ts";
import { named } from "./operators.ts";
import type { Scan } from "./scan.ts";
import type { SqlColumn, SqlDialect, SqlTable } from "./table.ts";

type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

/** Times that are grouped in one scan. Epoch milliseconds, `beforeMs` exclusive. */
interface Span {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** Rows by the start of their step, and when the first step starts and the last one ends. Epoch milliseconds. */
interface Counts {
  readonly counts: readonly { readonly startMs: number; readonly rows: number }[];
  readonly firstMs: number;
  readonly lastMs: number;
  /** Time of the newest row. */
  readonly newestMs: number;
}

/** Steps by which rows are grouped first, and what these are merged into if the rows span more than `maxSteps` of them. */
interface Grain {
  readonly widthMs: number;
  readonly maxSteps: number;
  readonly coarser: "hour" | "day" | "month";
}

/** The years 1 to 9999. */
const dated: Span = { fromMs: Date.parse("0001-01-01T00:00:00Z"), beforeMs: Date.parse("+010000-01-01T00:00:00Z") };

// Steps finer than a bucket could be merged to fill it, so `maxSteps` is where the buckets are as long as the coarser steps.
const minutes: Grain = { widthMs: minuteMs, maxSteps: (60 * hourMs) / minuteMs, coarser: "hour" };
const hours: Grain = { widthMs: hourMs, maxSteps: (60 * dayMs) / hourMs, coarser: "day" };
const days: Grain = { widthMs: dayMs, maxSteps: 1_700, coarser: "month" };

/**
 * Rows per bucket of time. One scan groups them by steps that are fine for the whole span; if all rows lie within few of these,
 * another scan of only that time groups them by minutes. By day, one scan does. Decisions 0570, 0780.
 */
export async function timeDistribution(
  { temporalField }: Pick<QueryableDataset, "temporalField">,
  query: TimeDistributionQuery,
  extent: TimeExtent | null,
  scan: Scan,
  dialect: SqlDialect,
): Promise<TimeDistribution> {
  const none: TimeDistribution = { unit: "day", size: 1, buckets: [], newestMs: null };
  if (temporalField === null) return none;
  const span = spanOf(query, extent);
  if (query.byDay) {
    const daily = await countsOf(temporalField, span, days, query, scan, dialect);
    return daily === undefined ? none : { ...fillBuckets(daily.counts, { unit: "day", size: 1 }), newestMs: daily.newestMs };
  }
  const grain = extent === null && !hasBothEnds(query.timeRange) ? days : grainOf(span);
  const found = await countsOf(temporalField, span, grain, query, scan, dialect);
  if (found === undefined) return none;
  if (bucketMs(bucketSizeFor(found.firstMs, found.lastMs)) >= grain.widthMs)
    return { ...fillBuckets(found.counts, sizeFor(found)), newestMs: found.newestMs };
  const narrow = { fromMs: found.firstMs, beforeMs: found.lastMs };
  const finer = (await countsOf(temporalField, narrow, minutes, query, scan, dialect)) ?? found;
  return { ...fillBuckets(finer.counts, sizeFor(finer)), newestMs: finer.newestMs };
}

const sizeFor = ({ counts, firstMs, lastMs }: Counts) => bucketSizeFor(firstMs, lastMs, intervalOf(counts.map(({ startMs }) => startMs)));

/** Time range that can contain rows. Rows that are newer than the known extent count as well. */
function spanOf({ timeRange }: Narrowing, extent: TimeExtent | null): Span {
  const fromMs = Math.max(dated.fromMs, timeRange?.startMs ?? dated.fromMs, extent?.startMs ?? dated.fromMs);
  const newestMs = extent === null ? dated.beforeMs : Math.max(extent.endMs, Date.now()) + dayMs;
  const beforeMs = Math.min(dated.beforeMs, (timeRange?.endMs ?? dated.beforeMs) + 1_000, newestMs);
  return { fromMs, beforeMs: Math.max(fromMs, beforeMs) };
}

/** Groups at most some 90,000 steps. */
function grainOf({ fromMs, beforeMs }: Span): Grain {
  const spanDays = (beforeMs - fromMs) / dayMs;
  if (spanDays <= 62) return minutes;
  return spanDays <= 3_660 ? hours : days;
}

async function countsOf(
  column: string,
  span: Span,
  grain: Grain,
  query: Narrowing,
  scan: Scan,
  dialect: SqlDialect,
): Promise<Counts | undefined> {
  const rows = await scan((table) => compileTimeCounts(table, column, span, grain, query, dialect));
  const counts = rows.flatMap(([start = null, count]) => (start === null ? [] : [{ startMs: Number(start), rows: Number(count) }]));
  if (counts.length === 0) return undefined;
  const [, , low = null, high = null, newest = null] = rows[0] ?? [];
  return { counts, firstMs: Number(low), lastMs: Number(high), newestMs: Number(newest) };
}

/**
 * Rows of five texts: start of the step, number of rows, and of all rows the start of the first step, the end of the last one
 * and the newest time. Epoch milliseconds.
 */
function compileTimeCounts(
  table: SqlTable,
  name: string,
  { fromMs, beforeMs }: Span,
  { widthMs, maxSteps, coarser }: Grain,
  query: Narrowing,
  dialect: SqlDialect,
): Compiled {
  const column = requireColumn(table, name);
  // Coarser steps up to days then start where steps do.
  const originMs = bucketStart(fromMs, { unit: "day", size: 1 });
  const within: Condition[] = [
    { column: name, type: column.type, operator: ">=", value: BigInt(Math.ceil(fromMs)) },
    { column: name, type: column.type, operator: "<", value: BigInt(Math.ceil(beforeMs)) },
  ];
  const where = whereSql(table, { ...query, conditions: [...query.conditions, ...within] }, dialect);
  const unit = unitMs(column.type);
  const step = dialect.step(named(column), column, BigInt(originMs) / unit, BigInt(widthMs) / unit);
  const msOf = (steps: RawBuilder<unknown>) => sql`(${sql.lit(originMs)} + (${steps}) * ${sql.lit(widthMs)})`;
  const merged =
    coarser === "month"
      ? dialect.unitStart("month", msOf(sql`step`), epochColumn)
      : msOf(sql`step - step % ${sql.lit((coarser === "hour" ? hourMs : dayMs) / widthMs)}`);
  return compileRaw(sql`with grouped as (select ${step} as step, count(*) as n, max(${named(column)}) as newest from ${table.from}${where} group by 1),
    placed as (select step, n, min(step) over () as low, max(step) over () as high, max(newest) over () as newest from grouped),
    merged as (select case when high - low < ${sql.lit(maxSteps)} then ${msOf(sql`step`)} else ${merged} end as start, n, low, high, newest from placed)
    select ${dialect.asText(sql`start`)}, ${dialect.asText(sql`sum(n)`)}, ${dialect.asText(msOf(sql`low`))}, ${dialect.asText(msOf(sql`high + 1`))},
      ${dialect.asText(sql`${dialect.magnitude(sql`newest`, column)} * ${sql.lit(Number(unit))}`)}
    from merged group by start, low, high, newest`);
}

/** A computed number of milliseconds, as the dialect knows columns. */
const epochColumn: SqlColumn = { name: "start", type: "TIMESTAMP_MILLS", storage: { kind: "integer", narrow: true } };
