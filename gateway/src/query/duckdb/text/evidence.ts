import { type RawBuilder, sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "../query-runner.ts";

/** Values of one column that differ only in their digits. */
export interface ShapeGroup {
  /** The text with every digit as 9; empty for texts that can only be texts. */
  readonly shape: string;
  readonly count: number;
  /** The least and the greatest of them as texts. */
  readonly least: string;
  readonly greatest: string;
  /** How many begin or end with blanks, which the texts above are without. */
  readonly padded: number;
}

/** The filled values of each column, by shape. */
export type Evidence = ReadonlyMap<string, readonly ShapeGroup[]>;

/** Texts that mean "no value" in numbers, times and booleans. */
export const defaultMissingWords = "n/a na #n/a nan nil null none missing unknown - -- ? . k.a. \\n".split(" ");

const months =
  "jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)?";
/**
 * Words whose letters are no reason to take a text for a text: each of them belongs to a form of numbers, times or booleans. A form of
 * times with other letters (14h30) needs them here as well as in time-forms.ts.
 */
const words = [
  ...months.split(" "),
  "(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?",
  ..."[ap]\\.?m utc gmt [etz] true false yes no ja nein y n n/a na nan nil null none missing unknown k\\.a".split(" "),
  // Positions: POINT Z (13.4 52.5 34).
  ..."point zm? m srid empty type coordinates".split(" "),
];
const candidate = `(?i)(?:[^\\p{L}]|${words.join("|")})*`;
/** Longer texts are texts. */
const maxCharacters = 90;

/** Counts the filled values of columns by their shape: one pass over all values, however many columns there are. */
export async function readEvidence(
  from: RawBuilder<unknown>,
  names: readonly string[],
  missingWords: readonly string[],
  connection: QueryConnection,
): Promise<Evidence> {
  const found = new Map<string, ShapeGroup[]>(names.map((name) => [name, []]));
  if (names.length === 0) return found;
  const known = sql.join(missingWords.map((word) => sql.lit(word.toLowerCase())));
  const shapeOf = (value: RawBuilder<unknown>) => sql`translate(${value}, '012345678', '999999999')`;
  const isKnown = missingWords.length === 0 ? sql`` : sql` or lower(value) in (${known})`;
  // Most values are plain: these are grouped by what their shape follows from, since the shape of each value takes most of the time.
  const rows = await connection.rows(
    compileRaw(sql`
      select key, coalesce(shape, ${shapeOf(sql`least`)}) as whole_shape, cast(sum(count) as varchar), min(least), max(greatest), cast(sum(padded) as varchar)
      from (
        select key, plain, shape, count(*) as count, min(left(value, 100)) as least, max(left(value, 100)) as greatest, sum(padded) as padded
        from (
          select key, plain, value, padded,
            case when plain is not null then null
              when length(value) <= ${sql.lit(maxCharacters)} and (regexp_full_match(value, ${sql.lit(candidate)})${isKnown}) then ${shapeOf(sql`value`)}
              else '' end as shape
          from (
            select key, plain, value, cast(strlen(whole) > strlen(value) as integer) as padded from (
              select key, plain, value as whole,
                case when plain is not null then value
                  when regexp_matches(value, ${sql.lit(padded)}) then trim(value, ${sql.lit(blanksAround)}) else value end as value
              from (select key, value, ${plainClass} as plain from ${valuesOf(from, names)}) as classified) as trimmed
            where value <> '') as filled) as shaped
        group by key, plain, shape) as grouped
      group by key, whole_shape`),
  );
  for (const [key, shape, count, least, greatest, padded] of rows) {
    const name = names[Number(key)];
    if (name === undefined) continue;
    found
      .get(name)
      ?.push({ shape: String(shape), count: Number(count), least: String(least), greatest: String(greatest), padded: Number(padded) });
  }
  for (const groups of found.values()) groups.sort((a, b) => b.count - a.count || (a.shape < b.shape ? -1 : 1));
  return found;
}

const blanksAround = " \t\r\n\u00a0";
const padded = `^[${blanksAround}]|[${blanksAround}]$`;

/** Plain numbers and times, whose shapes follow from their length and the positions of their marks. Null for all other texts. */
const plainClass = sql`case
  when regexp_full_match(value, '-?[0-9]{1,30}(?:[.,][0-9]{1,30})?')
    then strlen(value) + 100 * instr(value, '.') + 10000 * instr(value, ',') + 1000000 * cast(starts_with(value, '-') as integer)
  when regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}:[0-9]{2})?')
    then 2000000 + strlen(value) + 100 * instr(value, 'T') end`;

/** Every value as one row, with the position of its column. */
export const valuesOf = (from: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown> =>
  sql`(unpivot (select ${sql.join(names.map((name, index) => sql`${sql.id(name)} as ${sql.id(String(index))}`))} from ${from}) on columns(*) into name key value value)`;

/** Evidence that dates give of the order of day and month. */
export interface OrderCount {
  /** Dates whose first part can be no month, or whose second part can be none. */
  readonly firstAbove12: number;
  readonly secondAbove12: number;
}

/** For columns with dates whose days and months could be swapped. */
export async function readOrders(
  from: RawBuilder<unknown>,
  names: readonly string[],
  connection: QueryConnection,
): Promise<ReadonlyMap<string, OrderCount>> {
  if (names.length === 0) return new Map();
  const part = (index: number) =>
    sql`try_cast(regexp_extract(value, ${sql.lit("^[\\s\u00a0]*([0-9]{1,2})[./-]([0-9]{1,2})[./-](?:[0-9]{4}|[0-9]{2})(?:[^0-9]|$)")}, ${sql.lit(index)}) as tinyint)`;
  const rows = await connection.rows(
    compileRaw(sql`
      select key, cast(sum(cast(coalesce(${part(1)}, 0) > 12 as integer)) as varchar), cast(sum(cast(coalesce(${part(2)}, 0) > 12 as integer)) as varchar)
      from ${valuesOf(from, names)} group by key`),
  );
  return new Map(
    rows.flatMap(([key, first, second]) => {
      const name = names[Number(key)];
      return name === undefined ? [] : [[name, { firstAbove12: Number(first), secondAbove12: Number(second) }] as const];
    }),
  );
}

/** The number of significant digits of the longest number in each of these columns. */
export async function readSignificance(
  from: RawBuilder<unknown>,
  names: readonly string[],
  connection: QueryConnection,
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const digits = sql`length(ltrim(regexp_replace(regexp_extract(value, '^[^a-zA-Z]*'), '[^0-9]', '', 'g'), '0'))`;
  const rows = await connection.rows(
    compileRaw(sql`select key, cast(max(${digits}) as varchar) from ${valuesOf(from, names)} group by key`),
  );
  return new Map(
    rows.flatMap(([key, most]) => (names[Number(key)] === undefined ? [] : [[names[Number(key)] ?? "", Number(most)] as const])),
  );
}
