import { sql } from "kysely";
import type { LineParts, LocalPart } from "#query/sql/expressions/line-parts.ts";
import type { Bind, Sql } from "#query/sql/expressions/value-kinds.ts";

const partFunctions: Readonly<Record<LocalPart, string>> = {
  year: "year",
  quarter: "quarter",
  month: "month",
  week: "week",
  day: "day",
  weekday: "day_of_week",
};

/** Sessions are in UTC. Null for times that the server does not know. */
export const timeOfMs = (ms: Sql): Sql => sql`try(from_unixtime(cast(${ms} as double) / 1e3))`;
const msOf = (time: Sql): Sql => sql`try(cast(round(to_unixtime(${time}) * 1e3) as bigint))`;

/** At the end of the text only: `$` would be before a last line break, too. */
const pattern = (text: string) => sql.lit(text.replace(/\$$/, String.raw`\z`));

function finite(double: Sql, bind: Bind): Sql {
  const value = bind(double);
  return sql`case when is_finite(${value}) then ${value} end`;
}

/** How Trino and Presto compute what engines compute differently. */
export const prestoParts: LineParts = {
  attempt: (value) => sql`try(${value})`,
  bounded: finite,
  finite,
  toDouble: (text) => sql`try_cast(${text} as double)`,
  toInteger: (value) => sql`try_cast(${value} as bigint)`,
  truncated: (double) => sql`truncate(${double})`,
  rounded: (double, bind) => {
    const value = bind(double);
    // Presto rounds by way of 64 bits. Beyond 2^52 all doubles are whole.
    return sql`case when abs(${value}) < 4503599627370496e0 then round(${value}) else ${value} end`;
  },
  decimalText: (double, bind) => {
    const text = bind(sql`json_format(cast(${double} as json))`);
    const sign = sql`case when ${double} < 0 then '-' else '' end`;
    const first = sql`regexp_extract(${text}, '^-?([0-9])\\.', 1)`;
    const fraction = sql`regexp_extract(${text}, '\\.([0-9]+)E', 1)`;
    const rest = sql`case when ${fraction} = '0' then '' else ${fraction} end`;
    const digits = bind(sql`(${first} || ${rest})`);
    const exponent = bind(sql`cast(regexp_extract(${text}, 'E(-?[0-9]+)$', 1) as integer)`);
    const short = sql`${first} || case when ${fraction} = '0' then '' else '.' || ${fraction} end`;
    // The servers have an exponent from 1e7 on and below 1e-3, JavaScript from 1e21 on and below 1e-6.
    return sql`case when ${text} is null then null
      when strpos(${text}, 'E') = 0 then case when ${double} = 0 then '0' else regexp_replace(${text}, '\\.0$', '') end
      when ${exponent} >= 21 then ${sign} || ${short} || 'e+' || cast(${exponent} as varchar)
      when ${exponent} >= length(${digits}) - 1 then ${sign} || rpad(${digits}, ${exponent} + 1, '0')
      when ${exponent} >= 0 then ${sign} || substr(${digits}, 1, ${exponent} + 1) || '.' || substr(${digits}, ${exponent} + 2)
      when ${exponent} >= -6 then ${sign} || '0.' || rpad('', -${exponent} - 1, '0') || ${digits}
      else ${sign} || ${short} || 'e' || cast(${exponent} as varchar) end`;
  },
  // Null if one of the values is.
  extreme: (which, [first, ...others], bind) =>
    others.reduce<Sql>(
      (best, value) => {
        const known = bind(best);
        return sql`coalesce(${sql.raw(which)}(${known}, ${value}), ${known}, ${value})`;
      },
      first ?? sql`null`,
    ),
  substring: (text, from, count) => sql`substr(${text}, ${from}, ${count})`,
  contains: (text, find) => sql`(strpos(${text}, ${find}) > 0)`,
  startsWith: (text, start) => sql`(substr(${text}, 1, length(${start})) = ${start})`,
  endsWith: (text, end) => sql`(length(${text}) >= length(${end}) and (length(${end}) = 0 or substr(${text}, -length(${end})) = ${end}))`,
  trimmed: (text, blanks) => sql`regexp_replace(${text}, ${sql.lit(String.raw`\A[${blanks}]+|[${blanks}]+\z`)}, '')`,
  splitPart: (text, separator, number) => sql`split_part(${text}, ${separator}, ${number})`,
  padLeft: (text, length, fill) => sql`lpad(${text}, ${length}, ${fill})`,
  matches: (text, one) => sql`regexp_like(${text}, ${pattern(one)})`,
  extracted: (text, one, group) => sql`regexp_extract(${text}, ${pattern(one)}, ${sql.lit(group)})`,
  midnightOf: (text) => sql`date_diff('millisecond', timestamp '1970-01-01 00:00:00.000', cast(try_cast(${text} as date) as timestamp))`,
  calendarPart: (part, localMs) => sql`${sql.raw(partFunctions[part])}(${timeOfMs(localMs)})`,
  startOf: (unit, localMs) => msOf(sql`date_trunc(${sql.lit(unit)}, ${timeOfMs(localMs)})`),
  laterByMonths: (epochMs, months) => msOf(sql`try(date_add('month', ${months}, ${timeOfMs(epochMs)}))`),
  isoText: (epochMs) => sql`format_datetime(${timeOfMs(epochMs)}, 'yyyy-MM-dd''T''HH:mm:ss.SSS''Z''')`,
};
