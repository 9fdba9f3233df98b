import { sql } from "kysely";
import type { LineParts, LocalPart } from "#query/sql/expressions/line-parts.ts";
import type { Sql } from "#query/sql/expressions/value-kinds.ts";

const infinity = sql`cast('infinity' as double)`;

const partFunctions: Readonly<Record<LocalPart, string>> = {
  year: "year",
  quarter: "quarter",
  month: "month",
  week: "week",
  day: "day",
  weekday: "isodow",
};

const time = (ms: Sql): Sql => sql`make_timestamp_ms(${ms})`;

/** How DuckDB computes what engines compute differently. */
export const duckDbParts: LineParts = {
  attempt: (value) => sql`try(${value})`,
  // Not by CASE, which would need the value twice. NaN equals NaN.
  bounded: (double) => sql`nullif(nullif(${double}, ${infinity}), -${infinity})`,
  finite: (double) => sql`nullif(nullif(nullif(${double}, ${infinity}), -${infinity}), cast('nan' as double))`,
  toDouble: (text) => sql`try_cast(${text} as double)`,
  toInteger: (value) => sql`try_cast(${value} as bigint)`,
  truncated: (double) => sql`trunc(${double})`,
  rounded: (double) => sql`round(${double})`,
  decimalText: (double, bind) => {
    const text = bind(sql`cast(${double} as varchar)`);
    const sign = sql`case when ${double} < 0 then '-' else '' end`;
    const digits = sql`replace(regexp_extract(${text}, '^-?([0-9.]+)e', 1), '.', '')`;
    const exponent = sql`cast(regexp_extract(${text}, 'e([+-][0-9]+)$', 1) as integer)`;
    // DuckDB has an exponent from 1e16 on and below 1e-4, JavaScript from 1e21 on and below 1e-6.
    return sql`case when not contains(${text}, 'e') then case when ${double} = 0 then '0' else regexp_replace(${text}, '\\.0$', '') end
      when abs(${double}) >= 1e21 then ${text}
      when abs(${double}) >= 1e0 then ${sign} || rpad(${digits}, ${exponent} + 1, '0')
      when abs(${double}) >= 1e-6 then ${sign} || '0.' || repeat('0', -${exponent} - 1) || ${digits}
      else regexp_replace(${text}, 'e-0', 'e-') end`;
  },
  // Skips nulls.
  extreme: (which, values) => sql`${sql.raw(which)}(${sql.join(values, sql`, `)})`,
  substring: (text, from, count) => sql`substring(${text}, ${from}, ${count})`,
  contains: (text, find) => sql`contains(${text}, ${find})`,
  startsWith: (text, start) => sql`starts_with(${text}, ${start})`,
  endsWith: (text, end) => sql`ends_with(${text}, ${end})`,
  trimmed: (text, blanks) => sql`trim(${text}, ${blanks})`,
  splitPart: (text, separator, number) => sql`string_split(${text}, ${separator})[${number}]`,
  padLeft: (text, length, fill) => sql`lpad(${text}, cast(${length} as integer), ${fill})`,
  matches: (text, pattern) => sql`regexp_matches(${text}, ${sql.lit(pattern)})`,
  extracted: (text, pattern, group) => sql`regexp_extract(${text}, ${sql.lit(pattern)}, ${sql.lit(group)})`,
  midnightOf: (text) => sql`epoch_ms(cast(try_cast(${text} as date) as timestamp))`,
  calendarPart: (part, localMs) => sql`${sql.raw(partFunctions[part])}(${time(localMs)})`,
  startOf: (unit, localMs) => sql`epoch_ms(cast(date_trunc(${sql.lit(unit)}, ${time(localMs)}) as timestamp))`,
  laterByMonths: (epochMs, months) => sql`epoch_ms(try(${time(epochMs)} + to_months(try_cast(${months} as integer))))`,
  isoText: (epochMs) => sql`strftime(${time(epochMs)}, '%Y-%m-%dT%H:%M:%S.%gZ')`,
};
