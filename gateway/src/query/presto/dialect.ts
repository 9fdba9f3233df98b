import type { CalendarPart } from "@fairway/contract/filters";
import { type RawBuilder, sql } from "kysely";
import { functionLines } from "#query/sql/expressions/lines.ts";
import { unitMs } from "#query/sql/instants.ts";
import { comparable, named } from "#query/sql/operators.ts";
import { type RowsSelect, type SqlColumn, type SqlDialect, type Storage, originSql } from "#query/sql/table.ts";
import { withViews } from "#query/sql/view-source.ts";
import type { ServerKind } from "./client/statements.ts";
import { parseType } from "./column-types.ts";
import { prestoParts, timeOfMs } from "./expression-parts.ts";
import { textOf } from "./text-values.ts";

type Value = RawBuilder<unknown>;

/** The years 1 to 9999. */
const [firstDatedMs, lastDatedMs] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];
/** The last moment that both servers and JavaScript know. */
const lastMs = 8_640_000_000_000_000n;
const dayMs = 86_400_000n;

/** The SQL dialect of Trino and Presto. A result's rows hold the values of `rows`, which `row-text.ts` reads. */
export const prestoDialect = (kind: ServerKind): SqlDialect => (kind === "presto" ? oldDialect : newDialect);

const partFunctions: Readonly<Record<CalendarPart, string>> = {
  minuteOfHour: "minute",
  hourOfDay: "hour",
  dayOfWeek: "day_of_week",
  dayOfMonth: "day",
  weekOfYear: "week",
  monthOfYear: "month",
  quarterOfYear: "quarter",
};

const shared: Omit<SqlDialect, "rows" | "title" | "derivesAfterPage"> = {
  // Literals instead of functions of numbers, so that the servers can skip partitions and row groups.
  instant: (epochMs, { zoned, days }) => {
    if (days === true) return sql`date ${sql.lit(timestampText(nextMidnight(epochMs)).slice(0, -" 00:00:00.000".length))}`;
    return sql`timestamp ${sql.lit(`${timestampText(epochMs)}${zoned ? " UTC" : ""}`)}`;
  },
  integer: (value) => sql`${value}`,
  // Presto takes no parameter here.
  rowCount: (rows) => sql`${sql.lit(rows)}`,
  floating: (value, single) => (single ? sql`cast(${value} as real)` : sql`${value}`),
  asDouble: (value) => sql`cast(${value} as double)`,
  exactDecimal: (text, digits, scale) => sql`cast(${text} as decimal(${sql.lit(digits)}, ${sql.lit(scale)}))`,
  edgesCrossed: (bands, band, lat, lng) => {
    const edges = sql`cast(json_parse(${JSON.stringify(bands)}) as array(array(row(south double, north double, west double, slope double))))`;
    // Rows outside the rings' boxes may be tested, too, and an index below 1 would be an error.
    const inBand = sql`element_at(${edges}, case when ${band} >= 0 then 1 + ${band} end)`;
    const edge = sql.id("fairway edge");
    const isCrossed = sql`${lat} >= ${edge}.south and ${lat} < ${edge}.north and ${lng} >= ${edge}.slope * (${lat} - ${edge}.south) + ${edge}.west`;
    return sql`cardinality(filter(${inBand}, ${edge} -> ${isCrossed}))`;
  },
  isFinite: (value) => sql<boolean>`is_finite(${value})`,
  isInstant: (value) => sql<boolean>`${value} is not null`,
  joinedTexts: (text, order, only) => sql`array_join(array_agg(${text} order by ${order}) filter (where ${only}), ',')`,
  asText: (value, storage) => (storage === undefined ? sql`cast(${value} as varchar)` : storedText(value, storage)),
  functions: functionLines(prestoParts),
  timeOfMs,
  computedTimesAreZoned: true,
  looseText: (text) => sql`lower(trim(${text}))`,
  bigint: (value) => sql`try_cast(${value} as bigint)`,
  shownDouble: (value, storage) =>
    storage.kind === "floating" && storage.single ? sql`cast(cast(${value} as varchar) as double)` : sql`cast(${value} as double)`,
  leading: (text, characters) => sql`substr(${text}, 1, ${sql.lit(characters)})`,
  contains: (text, part) => sql<boolean>`strpos(lower(${text}), lower(${part})) > 0`,
  startsWith: (text, part) => sql<boolean>`substr(lower(${text}), 1, length(lower(${part}))) = lower(${part})`,
  magnitude: (value, column) => sql`cast(${column.storage.kind === "instant" ? epoch(value, column) : value} as double)`,
  step: (value, { type, storage }, origin, width) => {
    if (storage.kind === "instant") {
      const unit = unitMs(type);
      return sql`(${epochMs(value, storage)} - ${originSql(origin, (one) => sql.lit(one * unit))}) / ${sql.lit(width * unit)}`;
    }
    const start = originSql(origin, (one) => sql.lit(one));
    if (storage.kind === "integer") return sql`(cast(${value} as bigint) - ${start}) / ${sql.lit(width)}`;
    return sql`try_cast(floor((cast(${value} as double) - ${start}) / ${sql.lit(width)}) as bigint)`;
  },
  newest: ({ item, time, timed, first }) => ({
    where: timed,
    // Both servers keep only the first row of each item while they read.
    keep: sql<boolean>`row_number() over (partition by ${item} order by ${sql.join([sql`${time} desc`, ...first], sql`, `)}) = 1`,
  }),
  materialized: null,
  cellJson: (value, cell) => {
    if (cell === "count") return sql<string>`cast(${value} as varchar)`;
    return cell === "number" ? floatingJson(sql`cast(${value} as double)`) : columnJson(value, cell);
  },
  average: (value) => sql`avg(cast(${value} as double))`,
  valueAt: (end, value, by) => (end === "least" ? sql`min_by(${value}, ${by})` : sql`max_by(${value}, ${by})`),
  sum: (value, { storage }) => {
    if (storage.kind === "floating") return sql`sum(cast(${value} as double))`;
    if (storage.kind === "integer" && storage.narrow && storage.digits === undefined) return sql`sum(${value})`;
    const scale = storage.kind === "exact-decimal" ? storage.scale : 0;
    return sql`sum(cast(${value} as decimal(38, ${sql.lit(scale)})))`;
  },
  estimates: true,
  shownTime: (value, column) => epoch(value, column),
  epochMs: (value, { type, storage }) => {
    if (storage.kind === "instant") return epochMs(value, storage);
    const ms = sql`floor(cast(${value} as double) * ${sql.lit(Number(unitMs(type)))})`;
    return sql`case when ${ms} between ${sql.lit(-Number(lastMs))} and ${sql.lit(Number(lastMs))} then cast(${ms} as bigint) end`;
  },
  // Not date_add, which takes 32 bits: 25 days of milliseconds. Sessions are in UTC, and know the times of fewer years than columns hold.
  calendarPart: (part, localMs) => sql`${sql.raw(partFunctions[part])}(try(from_unixtime(cast(${localMs} as double) / 1e3)))`,
  eachOf: (numbers, otherwise, name, table) => {
    const place = sql.id("fairway number");
    const found = sql`filter(array[${sql.join(numbers, sql`, `)}], ${place} -> ${place} is not null)`;
    return sql`unnest(case when cardinality(${found}) = 0 then array[${sql.lit(otherwise)}] else ${found} end) as ${sql.id(table)} (${name})`;
  },
  floor: (value) => sql`try_cast(floor(cast(${value} as double)) as bigint)`,
  percentileValue: (value) => sql`cast(${value} as double)`,
  percentile: (value, p, only) => {
    // Arrays instead of windows: these need one statement for each percentile and each set of totals.
    const counted = only === undefined ? sql`${value} is not null` : sql`${value} is not null and ${only}`;
    // The parameter of a function, as Trino sorts anew wherever the expression stands.
    const sorted = sql.id("fairway sorted");
    const rank = sql`${sql.lit(p)} * (cardinality(${sorted}) - 1)`;
    const at = (index: Value) => sql`element_at(${sorted}, cast(${index} as integer) + 1)`;
    const low = at(sql`floor(${rank})`);
    const found = sql`${low} + (${rank} - floor(${rank})) * (${at(sql`ceil(${rank})`)} - ${low})`;
    return sql`element_at(transform(array[array_sort(array_agg(${value}) filter (where ${counted}))], ${sorted} -> ${found}), 1)`;
  },
  approximatePercentile: (value, p) => sql`approx_percentile(${value}, ${sql.lit(p)})`,
  approximateDistinct: (value) => sql`approx_distinct(${value})`,
  countsOfEach: (value) => sql`json_format(cast(histogram(${value}) as json))`,
  // Its server compiles every expression of a statement.
  figuresPerScan: 30,
  textBytes: (value) => sql`length(to_utf8(${value}))`,
  frequentTexts: (value, count) =>
    sql`json_format(cast(map_keys(approx_most_frequent(${sql.lit(count)}, ${value}, ${sql.lit(count * 10)})) as json))`,
  unitStart: (unit, value, { type, storage }) => {
    const ms =
      storage.kind === "instant" ? epochMs(value, storage) : sql`floor(cast(${value} as double) * ${sql.lit(Number(unitMs(type)))})`;
    const isDated = sql`${ms} between ${sql.lit(firstDatedMs)} and ${sql.lit(lastDatedMs)}`;
    const time = sql`case when ${isDated} then from_unixtime(cast(${ms} as double) / 1e3) end`;
    const years = unit === "decade" ? 10 : unit === "century" ? 100 : undefined;
    const start =
      years === undefined
        ? sql`date_trunc(${sql.lit(unit)}, ${time})`
        : sql`date_add('year', -(year(${time}) % ${sql.lit(years)}), date_trunc('year', ${time}))`;
    return sql`cast(round(to_unixtime(${start}) * 1e3) as bigint)`;
  },
  randomRows: (from, rows) => sql`(select * from ${from} order by random() limit ${sql.lit(rows)}) as sampled`,
};

// It looks for the rows of a page before it joins by itself.
const newDialect: SqlDialect = { ...shared, title: "Trino", derivesAfterPage: false, rows: (select) => plainRows(select) };
const oldDialect: SqlDialect = {
  ...shared,
  title: "Presto",
  derivesAfterPage: true,
  rows: ({ late, ...select }) => {
    if (late !== undefined && select.limit !== null) return lateRows(select, select.limit, late);
    return select.offset > 0 ? numberedRows(select) : plainRows(select);
  },
};

/** The sort is outermost, because the order of a subquery's rows means nothing. */
function plainRows({ order, offset, limit, ...select }: RowsSelect): Value {
  const skipped = offset === 0 ? sql`` : sql` offset ${sql.lit(offset)}`;
  return sql`select ${valuesOf(select.columns)} from ${keptRows(select)}${orderBy(order)}${skipped}${limit === null ? sql`` : sql` limit ${sql.lit(limit)}`}`;
}

/** Presto has OFFSET only where an administrator allows it. */
function numberedRows({ order, offset, limit, ...select }: RowsSelect): Value {
  return sql`select ${valuesOf(select.columns)} from ${placedRows(select, order)} where ${pageOf(offset, limit)} order by ${place}`;
}

/** Makes the late columns of the rows of the page, which are numbered so that they keep their order. */
function lateRows({ columns, order, offset, ...select }: RowsSelect, limit: number, late: NonNullable<RowsSelect["late"]>): Value {
  const isOrdered = order.length > 0 || offset > 0;
  const early = columns.filter(({ name }) => !late.has(name));
  const names = [...early.map(named), ...(isOrdered ? [place] : early.length === 0 ? [sql`1 as one`] : [])];
  const rows = isOrdered
    ? sql`${placedRows(select, order, early)} where ${pageOf(offset, limit)}`
    : sql`${keptRows(select)} limit ${sql.lit(limit)}`;
  const page = withViews(sql`select ${sql.join(names, sql`, `)} from ${rows}`);
  const given = new Set([...early.map(({ name }) => name), ...(isOrdered ? [placeName] : [])]);
  return sql`select ${valuesOf(columns)} from ${late.over(sql`(${page}) as page`, given)}${orderBy(isOrdered ? [place] : [])}`;
}

const placeName = "fairway place";
const place = sql.id(placeName);

/** All columns by default. */
function placedRows(select: Pick<RowsSelect, "from" | "where" | "keep">, order: readonly Value[], columns?: readonly SqlColumn[]): Value {
  const names = columns?.map(named) ?? [sql`*`];
  const numbered = sql`row_number() over (${orderBy(order)}) as ${place}`;
  return sql`(select ${sql.join([...names, numbered], sql`, `)} from ${keptRows(select)}) as placed`;
}

const pageOf = (offset: number, limit: number | null): Value =>
  limit === null ? sql`${place} > ${sql.lit(offset)}` : sql`${place} between ${sql.lit(offset + 1)} and ${sql.lit(offset + limit)}`;

function keptRows({ from, where, keep }: Pick<RowsSelect, "from" | "where" | "keep">): Value {
  if (keep === undefined) return sql`${from}${where}`;
  const kept = sql.id("fairway kept");
  return sql`(select *, ${keep} as ${kept} from ${from}${where}) as kept where ${kept}`;
}

const orderBy = (keys: readonly Value[]): Value => (keys.length === 0 ? sql`` : sql` order by ${sql.join(keys, sql`, `)}`);

/** The values that the server sends of each column, without names: a name would hide the column that it stands for from ORDER BY. */
const valuesOf = (columns: readonly SqlColumn[]): Value => sql`${sql.join(columns.map(sentValue), sql`, `)}`;

/** Instants as epoch milliseconds, wide integers as text, everything else as the servers send it. */
function sentValue(column: SqlColumn): Value {
  const value = named(column);
  const { type, storage } = column;
  if (type === "STRING") return comparable(column, newDialect);
  if (storage.kind === "instant") return epochMs(value, storage);
  return storage.kind === "integer" && !storage.narrow && storage.digits === undefined ? sql`cast(${value} as varchar)` : value;
}

function storedText(value: Value, storage: Storage): Value {
  if (storage.kind === "other") return textOf(value, parseType(storage.sourceType ?? ""));
  return storage.kind === "floating" ? textOf(value, parseType("double")) : sql`cast(${value} as varchar)`;
}

/** Epoch milliseconds, rounded down. */
function epochMs(value: Value, { zoned, days }: Storage & { readonly kind: "instant" }): Value {
  const start = sql.lit(`1970-01-01 00:00:00.000${zoned ? " UTC" : ""}`);
  return sql`date_diff('millisecond', timestamp ${start}, ${days === true ? sql`cast(${value} as timestamp)` : value})`;
}

/** An instant in the column's unit. */
function epoch(value: Value, { type, storage }: SqlColumn): Value {
  if (storage.kind !== "instant") return value;
  const ms = epochMs(value, storage);
  return type === "TIMESTAMP_SECONDS" ? sql`cast(floor(${ms} / 1e3) as bigint)` : ms;
}

const textJson = (value: Value) => sql<string>`json_format(cast(${value} as json))`;
const floatingJson = (value: Value) => sql<string | null>`case when is_finite(${value}) then json_format(cast(${value} as json)) end`;

function columnJson(value: Value, column: SqlColumn): RawBuilder<string | null> {
  const { type, storage } = column;
  const text = sql<string>`cast(${value} as varchar)`;
  if (type === "STRING") return textJson(value);
  switch (storage.kind) {
    case "text":
    case "other":
    case "boolean":
      return textJson(value);
    case "integer":
    case "exact-decimal":
      return storage.narrow
        ? text
        : sql<string>`case when ${value} between -9007199254740992 and 9007199254740992 then ${text} else '"' || ${text} || '"' end`;
    case "floating":
      return floatingJson(value);
    case "instant":
      return sql<string>`cast(${epoch(value, column)} as varchar)`;
    default:
      return storage satisfies never;
  }
}

/** At the moment, or after it. */
const nextMidnight = (ms: bigint): bigint => (ms / dayMs + (ms > 0n && ms % dayMs !== 0n ? 1n : 0n)) * dayMs;

/** `2001-02-03 04:05:06.789`. */
function timestampText(ms: bigint): string {
  const bounded = ms > lastMs ? lastMs : ms < -lastMs ? -lastMs : ms;
  return new Date(Number(bounded)).toISOString().replace("T", " ").slice(0, -1);
}
