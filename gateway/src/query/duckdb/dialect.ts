import type { CalendarPart } from "@fairway/contract/filters";
import { type RawBuilder, sql } from "kysely";
import { unitMs } from "#query/sql/instants.ts";
import { named } from "#query/sql/operators.ts";
import { functionLines } from "#query/sql/expressions/lines.ts";
import { isHuge } from "#query/sql/exact-numbers.ts";
import { withViews } from "#query/sql/view-source.ts";
import { type RowsSelect, type SqlColumn, type SqlDialect, type WideInteger, originSql } from "#query/sql/table.ts";
import { duckDbParts } from "./expression-parts.ts";

/** The years 1 to 9999. */
const [firstDatedMs, lastDatedMs] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/** Beyond it, JavaScript knows no time. */
const lastMs = 8.64e15;
/** Nanoseconds that 64 bits hold; the greatest number stands for infinity. */
const lastNanoseconds = 2n ** 63n - 2n;

/** A bound beyond every time that nanoseconds can say compares as their first or last one does. */
function nanosecondsWithin(ms: bigint): bigint {
  const nanoseconds = ms * 1_000_000n;
  return nanoseconds > lastNanoseconds ? lastNanoseconds : nanoseconds < -lastNanoseconds ? -lastNanoseconds : nanoseconds;
}

const partFunctions: Readonly<Record<CalendarPart, string>> = {
  minuteOfHour: "minute",
  hourOfDay: "hour",
  dayOfWeek: "isodow",
  dayOfMonth: "day",
  weekOfYear: "week",
  monthOfYear: "month",
  quarterOfYear: "quarter",
};

const wideTypes: Readonly<Record<WideInteger, RawBuilder<unknown>>> = {
  uint64: sql`ubigint`,
  int128: sql`hugeint`,
  uint128: sql`uhugeint`,
};

/** The SQL dialect of DuckDB. */
export const duckDbDialect: SqlDialect = {
  instant: (ms, { zoned, nanoseconds }) => {
    if (nanoseconds === true) return sql`make_timestamp_ns(${nanosecondsWithin(ms)})`;
    return zoned ? sql`cast(make_timestamp_ms(${ms}) as timestamptz)` : sql`make_timestamp_ms(${ms})`;
  },
  // In the column's own type: DuckDB would cast the column to one that holds both, which for the largest is none.
  integer: (value, width) => (width === undefined ? sql`${value}` : sql`cast(${String(value)} as ${wideTypes[width]})`),
  rowCount: (rows) => sql`${BigInt(rows)}`,
  floating: (value, single) => (single ? sql`cast(${value} as float)` : sql`${value}`),
  asDouble: (value) => sql`cast(${value} as double)`,
  exactDecimal: (text, digits, scale) => sql`cast(${text} as decimal(${sql.lit(digits)}, ${sql.lit(scale)}))`,
  edgesCrossed: (bands, band, lat, lng) => {
    const edges = sql`cast(cast(${JSON.stringify(bands)} as json) as struct(south double, north double, west double, slope double)[][])`;
    const isCrossed = sql`${lat} >= edge.south and ${lat} < edge.north and ${lng} >= edge.slope * (${lat} - edge.south) + edge.west`;
    return sql`len(list_filter((${edges})[1 + ${band}], lambda edge: ${isCrossed}))`;
  },
  isFinite: (value) => sql<boolean>`isfinite(${value})`,
  isInstant: (value) => sql<boolean>`isfinite(${value})`,
  asText: (value) => sql`cast(${value} as varchar)`,
  joinedTexts: (text, order, only) => sql`string_agg(${text}, ',' order by ${order}) filter (where ${only})`,
  derivesAfterPage: true,
  functions: functionLines(duckDbParts),
  timeOfMs: (ms) => sql`make_timestamp_ms(${ms})`,
  computedTimesAreZoned: false,
  looseText: (text) => sql`lower(trim(${text}))`,
  bigint: (value) => sql`try_cast(${value} as bigint)`,
  shownDouble: (value, storage) =>
    storage.kind === "floating" && storage.single ? sql`cast(cast(${value} as varchar) as double)` : sql`cast(${value} as double)`,
  leading: (text, characters) => sql`left(${text}, ${sql.lit(characters)})`,
  contains: (text, part) => sql<boolean>`contains(lower(${text}), lower(${part}))`,
  startsWith: (text, part) => sql<boolean>`starts_with(lower(${text}), lower(${part}))`,
  epochMs: (value, { type, storage }) => {
    if (storage.kind === "instant") return storage.nanoseconds === true ? ofNanoseconds(value, 1_000_000n) : epochMs(value, "millisecond");
    const ms = sql`floor(cast(${value} as double) * ${sql.lit(Number(unitMs(type)))})`;
    return sql`case when ${ms} between ${sql.lit(-lastMs)} and ${sql.lit(lastMs)} then cast(${ms} as bigint) end`;
  },
  calendarPart: (part, localMs) => sql`${sql.raw(partFunctions[part])}(make_timestamp_ms(${localMs}))`,
  magnitude: (value, column) => sql`cast(${column.storage.kind === "instant" ? shown(value, column) : value} as double)`,
  step: (value, { type, storage }, origin, width) => {
    if (storage.kind === "instant") {
      if (storage.nanoseconds === true) {
        const nanoseconds = unitMs(type) * 1_000_000n;
        return sql`(epoch_ns(${value}) - ${originSql(origin, (one) => sql.lit(nanosecondsWithin(one * unitMs(type))))}) // ${sql.lit(width * nanoseconds)}`;
      }
      const microseconds = unitMs(type) * 1_000n;
      // Takes half the time of date_trunc or of a floating-point division.
      return sql`(epoch_us(${value}) - ${originSql(origin, (one) => sql.lit(one * microseconds))}) // ${sql.lit(width * microseconds)}`;
    }
    const start = originSql(origin, (one) => sql.lit(one));
    if (storage.kind === "integer") return sql`(cast(${value} as bigint) - ${start}) // ${sql.lit(width)}`;
    return sql`cast(floor((cast(${value} as double) - ${start}) / ${sql.lit(width)}) as bigint)`;
  },
  average: (value) => sql`avg(${value})`,
  // Its min_by passes over rows without the value.
  valueAt: (end, value, by) => (end === "least" ? sql`arg_min_null(${value}, ${by})` : sql`arg_max_null(${value}, ${by})`),
  sum: (value, { storage }) => (isHuge(storage) ? sql`sum(cast(${value} as bignum))` : sql`sum(${value})`),
  title: "DuckDB",
  estimates: false,
  shownTime: (value, column) => shown(value, column),
  eachOf: (numbers, otherwise, name, table) => {
    const found = sql`list_filter([${sql.join(numbers, sql`, `)}], lambda place: place is not null)`;
    return sql`lateral (select unnest(case when len(${found}) = 0 then [${sql.lit(otherwise)}] else ${found} end) as ${name}) as ${sql.id(table)}`;
  },
  floor: (value) => sql`try_cast(floor(cast(${value} as double)) as bigint)`,
  // Of integers it takes half the time, and is the same double. Of decimals it would be a rounded decimal.
  percentileValue: (value, { storage }) =>
    storage.kind === "integer" && storage.width === undefined ? value : sql`cast(${value} as double)`,
  percentile: (value, p, only) => sql`quantile_cont(${value}, ${sql.lit(p)})${only === undefined ? sql`` : sql` filter (where ${only})`}`,
  approximatePercentile: (value, p) => sql`approx_quantile(${value}, ${sql.lit(p)})`,
  approximateDistinct: (value) => sql`approx_count_distinct(${value})`,
  countsOfEach: (value) => sql`cast(to_json(histogram(${value})) as varchar)`,
  figuresPerScan: 250,
  textBytes: (value) => sql`strlen(${value})`,
  frequentTexts: (value, count) => sql`cast(to_json(approx_top_k(${value}, ${sql.lit(count)})) as varchar)`,
  unitStart: (unit, value, { type, storage }) => {
    const ms =
      storage.kind === "instant" ? sql`epoch_ms(${value})` : sql`floor(cast(${value} as double) * ${sql.lit(Number(unitMs(type)))})`;
    const isDated = sql`${ms} between ${sql.lit(firstDatedMs)} and ${sql.lit(lastDatedMs)}`;
    return sql`epoch_ms(date_trunc(${sql.lit(unit)}, case when ${isDated} then make_timestamp_ms(cast(${ms} as bigint)) end))`;
  },
  randomRows: (from, rows) => sql`(select * from ${from} using sample reservoir(${sql.lit(rows)} rows)) as sampled`,
  // JSON is built in the outer SELECT, for the rows of the page only: inside, it would be built for every row that is sorted.
  rows: (select) => sql`select ${rowJson(select.columns)} from (${pageSql(select)}) as page`,
  newest: ({ item, time, timed, newestTimes, first }) => ({
    where: sql<boolean>`${timed} and (${item}, ${time}) in (${newestTimes})`,
    // Not row_number(): DuckDB 1.5 rewrites `row_number() … = 1` into a plan that fails if the rows are sorted afterwards.
    keep: sql<boolean>`rank() over (partition by ${item}${orderBy(first)}) = 1`,
  }),
  materialized: sql` materialized`,
  cellJson: (value, cell) => {
    if (cell === "count") return sql<string>`cast(${value} as varchar)`;
    const number = cell === "number" ? finite(sql`cast(${value} as double)`) : shown(value, cell);
    return sql<string | null>`cast(to_json(${number}) as varchar)`;
  },
};

/** The rows as they are stored. */
export function pageSql({ late, ...select }: RowsSelect): RawBuilder<unknown> {
  if (late === undefined) return plainPageSql(select);
  const early = select.columns.filter(({ name }) => !late.has(name));
  const place = sql.id("fairway place");
  const page = withViews(plainPageSql({ ...select, columns: early }));
  const placed = sql`(select *, row_number() over () as ${place} from (${page}) as page) as placed`;
  const given = new Set([...early.map(({ name }) => name), "fairway place"]);
  // The rows of a join have no order.
  return sql`select ${sql.join(select.columns.map(named), sql`, `)} from ${late.over(placed, given)} order by ${place}`;
}

function plainPageSql({ columns, from, where, keep, order, offset, limit }: Omit<RowsSelect, "late">): RawBuilder<unknown> {
  const names = sql.join(columns.map(named), sql`, `);
  const rest = sql`${keep === undefined ? sql`` : sql` qualify ${keep}`}${orderBy(order)}`;
  const page = sql`${limit === null ? sql`` : sql` limit ${BigInt(limit)}`}${offset === 0 ? sql`` : sql` offset ${BigInt(offset)}`}`;
  return sql`select ${names} from ${from}${where}${rest}${page}`;
}

const orderBy = (keys: readonly RawBuilder<unknown>[]) => (keys.length === 0 ? sql`` : sql` order by ${sql.join(keys, sql`, `)}`);

/** A row as the text of one JSON object. */
function rowJson(columns: readonly SqlColumn[]): RawBuilder<string> {
  const members = columns.map((column) => sql`${sql.lit(column.name)}, ${shown(named(column), column)}`);
  return sql<string>`cast(json_object(${sql.join(members, sql`, `)}) as varchar)`;
}

/** Whether a column of whole days can be cast to dates: with a zone it would be those of the session's zone. */
export const isStoredDay = ({ day, storage }: SqlColumn): boolean => day === true && storage.kind === "instant" && !storage.zoned;

export const finite = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`case when isfinite(${value}) then ${value} end`;

/** A value as sent in JSON: times as numbers in their unit, integers beyond 2^53 as text, NaN and infinities as null. */
export function shown(value: RawBuilder<unknown>, { type, storage }: SqlColumn): RawBuilder<unknown> {
  if (type === "STRING") return storage.kind === "text" ? value : sql`cast(${value} as varchar)`;
  switch (storage.kind) {
    case "text":
    case "other":
    case "boolean":
      return value;
    case "integer":
      if (storage.narrow) return value;
      return storage.width === "uint128" ? largestInteger(value) : wideInteger(value);
    case "exact-decimal":
      return storage.narrow ? decimalJson(value) : exactOrText(value, decimalJson(value));
    case "floating": {
      // Single-precision values show their own digits, not those of the nearest double.
      const shownValue = storage.single ? sql`cast(cast(${value} as varchar) as double)` : value;
      return storage.finite ? shownValue : sql`case when isfinite(${value}) then ${shownValue} end`;
    }
    case "instant":
      if (storage.nanoseconds === true) return ofNanoseconds(value, unitMs(type) * 1_000_000n);
      return type === "TIMESTAMP_SECONDS" ? sql`${epochMs(value, "second")} // 1000` : epochMs(value, "millisecond");
    default:
      return storage satisfies never;
  }
}

/** Goes through text, because DuckDB converts a DECIMAL to JSON with floating-point arithmetic. */
const decimalJson = (value: RawBuilder<unknown>) => sql`cast(cast(${value} as varchar) as json)`;

/** The range of integer parts that every JSON reader represents exactly; numbers beyond it are sent as text. */
const exactRange = [sql`-9007199254740992`, sql`9007199254740992`] as const;

const exactOrText = (value: RawBuilder<unknown>, exact: RawBuilder<unknown>): RawBuilder<unknown> =>
  unlessOutside(value, exactRange, exact, sql`to_json(cast(${value} as varchar))`);

/** DuckDB cannot compare it with a number below zero. */
const largestInteger = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when ${value} > ${duckDbDialect.integer(2n ** 53n, "uint128")} then to_json(cast(${value} as varchar)) else to_json(cast(${value} as bigint)) end`;

const wideInteger = (value: RawBuilder<unknown>) => exactOrText(value, sql`to_json(try_cast(${value} as bigint))`);

/**
 * `inside`, or `outside` for values below or above the range; empty values are inside. Never BETWEEN, nor two comparisons with AND, which
 * DuckDB turns into one: planning a statement with one per column takes a time that grows with the square of the columns. Decision 0630.
 */
export const unlessOutside = (
  value: RawBuilder<unknown>,
  [low, high]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
  inside: RawBuilder<unknown>,
  outside: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`case when ${value} < ${low} then ${outside} when ${value} > ${high} then ${outside} else ${inside} end`;

/** Null of infinite times. Truncated to the unit first, because `epoch_ms` rounds times before 1970 toward zero. */
const epochMs = (value: RawBuilder<unknown>, unit: "second" | "millisecond") => sql`epoch_ms(date_trunc(${sql.lit(unit)}, ${value}))`;

/** A time of nanoseconds in a coarser unit, rounded down: DuckDB rounds them toward zero. Null of infinite times. */
const ofNanoseconds = (value: RawBuilder<unknown>, unit: bigint): RawBuilder<unknown> => {
  const count = sql`epoch_ns(${value})`;
  return sql`case when ${count} < 0 then (${count} + 1) // ${sql.lit(unit)} - 1 else ${count} // ${sql.lit(unit)} end`;
};
