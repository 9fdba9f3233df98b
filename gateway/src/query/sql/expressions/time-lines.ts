import { sql } from "kysely";
import { datedMs } from "../breakdown/calendar.ts";
import { searchTree } from "../breakdown/pieces.ts";
import { type ZoneOffset, zoneOffsets } from "../zone-offsets.ts";
import { type Argument, type FunctionLines, type Line, argument } from "./function-lines.ts";
import type { LineParts, LocalPart } from "./line-parts.ts";
import { type Bind, type Sql, noValue } from "./value-kinds.ts";

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000];
/** The first Monday of 1970. */
const firstMondayMs = 4 * dayMs;

const units: Readonly<Record<string, number>> = { second: secondMs, minute: minuteMs, hour: hourMs, day: dayMs, week: 7 * dayMs };
const months: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
/** More of any unit leaves the years 1 to 9999. */
const mostUnits = 1_000_000_000_000;

const hours = "([01][0-9]|2[0-3])";
const sixty = "[0-5][0-9]";
const isoPattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]${hours}:${sixty}(:${sixty}([.,][0-9]{1,9})?)?(Z|[+-]${hours}(:?${sixty})?)?)?$`;
const offsetPattern = "[0-9]:[0-9.,:]+([+-])([0-9][0-9]):?([0-9][0-9])?$";

/** Times within the years 1 to 9999. */
const dated = (ms: Sql, bind: Bind): Sql => {
  const made = bind(ms);
  return sql`case when ${made} >= ${sql.lit(datedMs.from)} and ${made} < ${sql.lit(datedMs.before)} then ${made} end`;
};

const rest = (value: Sql, width: number): Sql => sql`((${value} % ${sql.lit(width)} + ${sql.lit(width)}) % ${sql.lit(width)})`;

const zoneOf = (zone: Argument | undefined): readonly ZoneOffset[] =>
  typeof zone?.written === "string" ? zoneOffsets(zone.written) : [{ fromMs: -Infinity, offsetMs: 0 }];

/** By halving, as in `offsetSql`. Leaves are literals only: a zone has hundreds, and servers compile all of them. */
const among = (
  ms: Sql,
  offsets: readonly ZoneOffset[],
  before: (offset: ZoneOffset, previous: ZoneOffset | undefined) => number,
  leaf: (offset: ZoneOffset) => number,
): Sql =>
  searchTree(
    offsets.map((offset, index) => ({ offset, bound: before(offset, offsets[index - 1]) })),
    ({ bound }) => sql`${ms} < ${sql.lit(bound)}`,
    ({ offset }) => sql`${sql.lit(leaf(offset))}`,
  );

/** The first moment of an offset; of the first one long before all others. */
const beginning = ({ fromMs }: ZoneOffset): number => Math.max(fromMs, -8.64e15);

const offsetOf = (ms: Sql, offsets: readonly ZoneOffset[]): Sql => among(ms, offsets, beginning, ({ offsetMs }) => offsetMs);

/** Not before the offset began. */
function later(value: Sql, begin: Sql, bind: Bind): Sql {
  const [known, from] = [bind(value), bind(begin)];
  return sql`case when ${known} < ${from} then ${from} else ${known} end`;
}

/** When the clocks of a zone first show a local time, or the next one that they show. */
function firstMoment(local: Sql, offsets: readonly ZoneOffset[], bind: Bind): Sql {
  if (offsets.length === 1) return sql`(${local} - ${sql.lit(offsets[0]?.offsetMs ?? 0)})`;
  const end = (offset: ZoneOffset, previous: ZoneOffset | undefined) => beginning(offset) + (previous?.offsetMs ?? 0);
  const shown = among(local, offsets, end, ({ offsetMs }) => offsetMs);
  return later(sql`(${local} - ${shown})`, among(local, offsets, end, beginning), bind);
}

/** Lines of times, which are milliseconds since 1970. Local times are milliseconds as if clocks showed UTC. */
export function timeLines(parts: LineParts) {
  const localOf = ([time, zone]: readonly Argument[], { bind }: { readonly bind: Bind }): Sql => {
    if (time === undefined) return noValue("time");
    const offsets = zoneOf(zone);
    return offsets.length === 1
      ? sql`(${time.value} + ${sql.lit(offsets[0]?.offsetMs ?? 0)})`
      : bind(sql`(${time.once} + ${offsetOf(time.once, offsets)})`);
  };
  const part =
    (name: LocalPart): Line =>
    (args, answer) =>
      sql`cast(${parts.calendarPart(name, localOf(args, answer))} as bigint)`;
  const clock =
    (withinMs: number, unitMs: number): Line =>
    (args, answer) => {
      const local = rest(localOf(args, answer), withinMs);
      return sql`cast(floor(cast(${local} as double) / ${sql.lit(unitMs)}e0) as bigint)`;
    };
  const between =
    (unitMs: number): Line =>
    (args) =>
      sql`(cast(${argument(args, 1).value} - ${argument(args, 0).value} as double) / ${sql.lit(unitMs)}e0)`;
  return {
    time: (args, { bind }) => {
      const arg = argument(args, 0);
      if (arg.kind !== "text") {
        const seconds = arg.kind === "integer" ? sql`cast(${arg.value} as double)` : arg.value;
        return dated(parts.toInteger(sql`floor(${seconds} * 1e3 + 5e-1)`), bind);
      }
      const text = bind(sql`case when ${parts.matches(arg.once, isoPattern)} then ${arg.once} end`);
      const number = (digits: Sql) => sql`coalesce(${parts.toInteger(sql`nullif(${digits}, '')`)}, 0)`;
      const at = (from: number, count: number) => number(parts.substring(text, sql.lit(from) as Sql, sql.lit(count) as Sql));
      const seconds = number(
        sql`case when ${parts.substring(text, sql`17`, sql`1`)} = ':' then ${parts.substring(text, sql`18`, sql`2`)} end`,
      );
      const fraction = sql`coalesce(${parts.extracted(text, "[.,]([0-9]+)", 1)}, '')`;
      const ms = number(parts.substring(sql`(${fraction} || '000')`, sql`1`, sql`3`));
      const sign = sql`case when ${parts.extracted(text, offsetPattern, 1)} = '-' then -1 else 1 end`;
      const offset = sql`${sign} * (${number(parts.extracted(text, offsetPattern, 2))} * ${sql.lit(hourMs)} + ${number(parts.extracted(text, offsetPattern, 3))} * ${sql.lit(minuteMs)})`;
      const day = parts.midnightOf(parts.substring(text, sql`1`, sql`10`));
      return dated(
        sql`(${day} + ${at(12, 2)} * ${sql.lit(hourMs)} + ${at(15, 2)} * ${sql.lit(minuteMs)} + ${seconds} * ${sql.lit(secondMs)} + ${ms} - ${offset})`,
        bind,
      );
    },
    year: part("year"),
    quarter: part("quarter"),
    month: part("month"),
    week: part("week"),
    day: part("day"),
    weekday: part("weekday"),
    hour: clock(dayMs, hourMs),
    minute: clock(hourMs, minuteMs),
    second: clock(minuteMs, secondMs),
    start_of: ([time, written, zone], { bind }) => {
      if (time === undefined || typeof written?.written !== "string") return noValue("time");
      const { once } = time;
      const unit = written.written;
      const offsets = zoneOf(zone);
      if (unit === "minute" || unit === "hour") {
        const width = unit === "minute" ? minuteMs : hourMs;
        const start = sql`(${once} - ${rest(sql`(${once} + ${offsetOf(once, offsets)})`, width)})`;
        return dated(offsets.length === 1 ? start : later(start, among(once, offsets, beginning, beginning), bind), bind);
      }
      const local = bind(sql`(${once} + ${offsetOf(once, offsets)})`);
      const start =
        unit === "day"
          ? sql`(${local} - ${rest(local, dayMs)})`
          : unit === "week"
            ? sql`(${local} - ${rest(sql`(${local} - ${sql.lit(firstMondayMs)})`, 7 * dayMs)})`
            : parts.startOf(unit === "month" ? "month" : unit === "quarter" ? "quarter" : "year", local);
      return dated(firstMoment(bind(start), offsets, bind), bind);
    },
    add: ([time, count, written], { bind }) => {
      if (time === undefined || count === undefined || typeof written?.written !== "string") return noValue("time");
      const isFew = sql`${count.once} between ${sql.lit(-mostUnits)} and ${sql.lit(mostUnits)}`;
      const few = bind(sql`case when ${isFew} then ${count.once} end`);
      const unitMs = units[written.written];
      const moved =
        unitMs === undefined
          ? parts.laterByMonths(time.once, sql`(${few} * ${sql.lit(months[written.written] ?? 1)})`)
          : parts.attempt(sql`(${time.once} + ${few} * ${sql.lit(unitMs)})`);
      return dated(moved, bind);
    },
    seconds_between: between(secondMs),
    days_between: between(dayMs),
    epoch: (args) => sql`(cast(${argument(args, 0).value} as double) / 1e3)`,
  } satisfies Partial<FunctionLines>;
}
