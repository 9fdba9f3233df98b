import { type RawBuilder, sql } from "kysely";
import { isTimestampLike, isNumberLike } from "./csv-dialect.ts";

/** The type detected for the texts of a column. */
export interface TextType {
  /** DuckDB's name of the type. */
  readonly duckType: "VARCHAR" | "BOOLEAN" | "BIGINT" | "HUGEINT" | "DOUBLE" | "DATE" | "TIMESTAMP" | "TIMESTAMP WITH TIME ZONE";
  /** The strptime format of dates and times; null for ISO 8601. */
  readonly format: string | null;
  /** Whether the decimal separator is a comma. */
  readonly hasDecimalComma: boolean;
}

export const plainText: TextType = { duckType: "VARCHAR", format: null, hasDecimalComma: false };

/** Texts that mean "no value". */
const missingMarkers = ["n/a", "na", "#n/a", "nan", "nil", "null", "none", "missing", "unknown", "-", "--", "?", ".", "k.a."];
/** The share of invalid values up to which a column is still detected as a type; above, it is more likely text. */
const badShare = 0.1;
/** The same if all invalid values are missing markers. */
const missingShare = 0.5;

const dayFormats = ["%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%Y/%m/%d", "%Y.%m.%d", "%m-%d-%Y", "%d-%m-%Y", "%d.%m.%y", "%m/%d/%y", "%d/%m/%y"];
const clockFormats = ["%H:%M:%S", "%H:%M", "%H:%M:%S.%f", "%I:%M:%S %p", "%I:%M %p"];

/** The types to look for, as suggested by the first values of a column: testing for all types takes several times as long. */
export interface TextHint {
  readonly hasNumbers: boolean;
  readonly hasTimestamps: boolean;
  /** Possible strptime formats, from the first timestamp. */
  readonly formats: readonly string[];
  readonly hasBooleans: boolean;
  readonly hasDecimalCommas: boolean;
}

export function hintOf(values: readonly string[], mayHaveDecimalCommas: boolean): TextHint {
  const texts = values.map((value) => value.trim()).filter((value) => value !== "");
  const mostAre = (test: (text: string) => boolean) => texts.length > 0 && texts.filter(test).length >= texts.length * (1 - missingShare);
  const hasTimestamps = mostAre(isTimestampLike);
  const isIso = texts.some((text) => /^\d{4}-/.test(text));
  return {
    hasNumbers: texts.length === 0 || mostAre(isNumberLike),
    hasTimestamps,
    formats: hasTimestamps && !isIso ? formatsLike(texts.find(isTimestampLike) ?? "") : [],
    hasBooleans: mostAre((text) => /^(true|false)$/i.test(text)),
    hasDecimalCommas: mayHaveDecimalCommas && texts.some((text) => /^[+-]?\d+,\d+$/.test(text)),
  };
}

function formatsLike(sample: string): string[] {
  const separator = /[./-]/.exec(sample)?.[0] ?? "/";
  const days = dayFormats.filter((format) => format.includes(separator) && format.startsWith("%Y") === /^\d{4}/.test(sample));
  const clock = sample.split(/[T ]/).length > 1;
  const between = sample.includes("T") ? "T" : " ";
  return clock ? days.flatMap((day) => clockFormats.map((time) => `${day}${between}${time}`)) : days;
}

const wholeNumber = String.raw`\s*[+-]?[0-9]+\s*`;
const leadingZero = String.raw`\s*[+-]?0[0-9]+\s*`;

/** Aggregates over all values of a column, as texts in the order that `typeByCounts` expects. */
export function countsOf(value: RawBuilder<unknown>, hint: TextHint): RawBuilder<unknown>[] {
  const counted = (test: RawBuilder<unknown>) => sql`count(*) filter (where ${test})`;
  return [
    sql`count(${value})`,
    sql`max(length(${value}))`,
    counted(sql`lower(trim(${value})) in (${sql.join(missingMarkers.map((marker) => sql.lit(marker)))})`),
    ...(hint.hasNumbers
      ? [
          counted(sql`regexp_full_match(${value}, ${sql.lit(wholeNumber)})`),
          sql`count(try_cast(${value} as bigint))`,
          sql`count(${asDouble(value, hint.hasDecimalCommas)})`,
          counted(sql`regexp_full_match(${value}, ${sql.lit(leadingZero)})`),
        ]
      : []),
    ...(hint.hasBooleans ? [counted(sql`lower(trim(${value})) in ('true', 'false')`)] : []),
    ...(hint.hasTimestamps
      ? [
          sql`count(try_cast(${value} as timestamptz))`,
          counted(sql`length(${value}) > 10 and try_cast(${value} as timestamptz) is not null`),
          counted(sql`regexp_matches(${value}, '\\d([zZ]| ?[+-]\\d\\d(:?\\d\\d)?)$') and length(${value}) > 10`),
          ...hint.formats.map((format) => sql`count(try_strptime(${value}, ${sql.lit(format)}))`),
        ]
      : []),
  ].map((count) => sql`cast(${count} as varchar)`);
}

/** Detects the type from the counts of `countsOf`. */
export function typeByCounts(counts: readonly number[], hint: TextHint): TextType {
  const [filled = 0, longest = 0, missing = 0, ...others] = counts;
  const next = () => others.shift() ?? 0;
  const numbers = hint.hasNumbers ? { whole: next(), wide: next(), real: next(), coded: next() } : undefined;
  const booleans = hint.hasBooleans ? next() : 0;
  const isDominant = (good: number) => good > 0 && filled - good <= filled * (filled - good <= missing ? missingShare : badShare);
  if (isDominant(booleans)) return { ...plainText, duckType: "BOOLEAN" };
  if (hint.hasTimestamps) {
    const [iso, clocks, zoned] = [next(), next(), next()];
    const timestamp = timestampType({ iso, clocks, zoned, formats: others }, hint.formats, isDominant);
    if (timestamp !== undefined) return timestamp;
  }
  // Values such as 00123 are codes: as numbers they would lose their zeros.
  if (numbers === undefined || numbers.coded > 0) return plainText;
  const { whole, wide, real } = numbers;
  if (whole === real && isDominant(whole))
    return longest > 38 ? plainText : { ...plainText, duckType: wide >= whole ? "BIGINT" : "HUGEINT" };
  return isDominant(real) ? { ...plainText, duckType: "DOUBLE", hasDecimalComma: hint.hasDecimalCommas } : plainText;
}

function timestampType(
  { iso, clocks, zoned, formats: counts }: { iso: number; clocks: number; zoned: number; formats: readonly number[] },
  formats: readonly string[],
  isDominant: (good: number) => boolean,
): TextType | undefined {
  const best = Math.max(0, ...counts);
  if (isDominant(iso) && iso >= best) {
    return { ...plainText, duckType: clocks === 0 ? "DATE" : zoned > 0 ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP" };
  }
  const format = formats[counts.indexOf(best)];
  if (format === undefined || !isDominant(best)) return undefined;
  return { ...plainText, duckType: /%[HI]/.test(format) ? "TIMESTAMP" : "DATE", format };
}

const longestIndex = 1;

/** Combines the counts of two files. */
export const addCounts = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((count, index) => (index === longestIndex ? Math.max(count, b[index] ?? 0) : count + (b[index] ?? 0)));

export const asDouble = (value: RawBuilder<unknown>, hasDecimalComma: boolean): RawBuilder<unknown> =>
  hasDecimalComma ? sql`try_cast(replace(${value}, ',', '.') as double)` : sql`try_cast(${value} as double)`;

/** An integer, possibly written with a fraction of zeros. DuckDB's own cast would round 1.5 to 2. */
export const asInteger = (value: RawBuilder<unknown>, duckType: "BIGINT" | "HUGEINT"): RawBuilder<unknown> =>
  sql`case when regexp_full_match(${value}, '\\s*[+-]?[0-9]+(\\.0*)?\\s*') then try_cast(${value} as ${sql.raw(duckType)}) end`;
