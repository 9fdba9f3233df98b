import { type RawBuilder, sql } from "kysely";
import { isMomentLike, isNumberLike } from "./csv-dialect.ts";

/** What the texts of a column stand for. */
export interface TextType {
  /** DuckDB's name of the type that they are read as. */
  readonly duckType: "VARCHAR" | "BOOLEAN" | "BIGINT" | "HUGEINT" | "DOUBLE" | "DATE" | "TIMESTAMP" | "TIMESTAMP WITH TIME ZONE";
  /** How days and times are written, for strptime; null for ISO 8601. */
  readonly format: string | null;
  /** Whether a comma sets off the fraction. */
  readonly hasDecimalComma: boolean;
}

export const plainText: TextType = { duckType: "VARCHAR", format: null, hasDecimalComma: false };

/** Texts that stand for no value. */
const missingMarkers = ["n/a", "na", "#n/a", "nan", "nil", "null", "none", "missing", "unknown", "-", "--", "?", ".", "k.a."];
/** A column is of a type if at most this share of its values is not: above, it is more likely to hold texts. */
const badShare = 0.1;
/** The same where every other value is one that stands for none. */
const missingShare = 0.5;

const dayFormats = ["%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%Y/%m/%d", "%Y.%m.%d", "%m-%d-%Y", "%d-%m-%Y", "%d.%m.%y", "%m/%d/%y", "%d/%m/%y"];
const clockFormats = ["%H:%M:%S", "%H:%M", "%H:%M:%S.%f", "%I:%M:%S %p", "%I:%M %p"];

/** What the first values of a column suggest looking for, as looking for everything takes several times as long. */
export interface TextHint {
  readonly hasNumbers: boolean;
  readonly hasMoments: boolean;
  /** Moments as the first of them are written. */
  readonly formats: readonly string[];
  readonly hasBooleans: boolean;
  readonly hasDecimalCommas: boolean;
}

export function hintOf(values: readonly string[], mayHaveDecimalCommas: boolean): TextHint {
  const texts = values.map((value) => value.trim()).filter((value) => value !== "");
  const most = (test: (text: string) => boolean) => texts.length > 0 && texts.filter(test).length >= texts.length * (1 - missingShare);
  const hasMoments = most(isMomentLike);
  const isIso = texts.some((text) => /^\d{4}-/.test(text));
  return {
    hasNumbers: texts.length === 0 || most(isNumberLike),
    hasMoments,
    formats: hasMoments && !isIso ? formatsLike(texts.find(isMomentLike) ?? "") : [],
    hasBooleans: most((text) => /^(true|false)$/i.test(text)),
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

/** Counts over all values of a column, as texts in an order that `typeByCounts` knows. */
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
    ...(hint.hasMoments
      ? [
          sql`count(try_cast(${value} as timestamptz))`,
          counted(sql`length(${value}) > 10 and try_cast(${value} as timestamptz) is not null`),
          counted(sql`regexp_matches(${value}, '\\d([zZ]| ?[+-]\\d\\d(:?\\d\\d)?)$') and length(${value}) > 10`),
          ...hint.formats.map((format) => sql`count(try_strptime(${value}, ${sql.lit(format)}))`),
        ]
      : []),
  ].map((count) => sql`cast(${count} as varchar)`);
}

/** What the values are, by the sums of their counts. */
export function typeByCounts(counts: readonly number[], hint: TextHint): TextType {
  const [filled = 0, longest = 0, missing = 0, ...others] = counts;
  const next = () => others.shift() ?? 0;
  const numbers = hint.hasNumbers ? { whole: next(), wide: next(), real: next(), coded: next() } : undefined;
  const booleans = hint.hasBooleans ? next() : 0;
  const isMost = (good: number) => good > 0 && filled - good <= filled * (filled - good <= missing ? missingShare : badShare);
  if (isMost(booleans)) return { ...plainText, duckType: "BOOLEAN" };
  if (hint.hasMoments) {
    const [iso, clocks, zoned] = [next(), next(), next()];
    const moment = momentType({ iso, clocks, zoned, formats: others }, hint.formats, isMost);
    if (moment !== undefined) return moment;
  }
  // 00123 is a code: as a number it would lose its zeros.
  if (numbers === undefined || numbers.coded > 0) return plainText;
  const { whole, wide, real } = numbers;
  if (whole === real && isMost(whole)) return longest > 38 ? plainText : { ...plainText, duckType: wide >= whole ? "BIGINT" : "HUGEINT" };
  return isMost(real) ? { ...plainText, duckType: "DOUBLE", hasDecimalComma: hint.hasDecimalCommas } : plainText;
}

function momentType(
  { iso, clocks, zoned, formats: counts }: { iso: number; clocks: number; zoned: number; formats: readonly number[] },
  formats: readonly string[],
  isMost: (good: number) => boolean,
): TextType | undefined {
  const best = Math.max(0, ...counts);
  if (isMost(iso) && iso >= best) {
    return { ...plainText, duckType: clocks === 0 ? "DATE" : zoned > 0 ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP" };
  }
  const format = formats[counts.indexOf(best)];
  if (format === undefined || !isMost(best)) return undefined;
  return { ...plainText, duckType: /%[HI]/.test(format) ? "TIMESTAMP" : "DATE", format };
}

const longestAt = 1;

/** Counts of several files as those of one. */
export const addCounts = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((count, index) => (index === longestAt ? Math.max(count, b[index] ?? 0) : count + (b[index] ?? 0)));

export const asDouble = (value: RawBuilder<unknown>, hasDecimalComma: boolean): RawBuilder<unknown> =>
  hasDecimalComma ? sql`try_cast(replace(${value}, ',', '.') as double)` : sql`try_cast(${value} as double)`;

/** A whole number, also where it is written with a fraction of zeros. DuckDB alone would round 1.5 to 2. */
export const asWhole = (value: RawBuilder<unknown>, duckType: "BIGINT" | "HUGEINT"): RawBuilder<unknown> =>
  sql`case when regexp_full_match(${value}, '\\s*[+-]?[0-9]+(\\.0*)?\\s*') then try_cast(${value} as ${sql.raw(duckType)}) end`;
