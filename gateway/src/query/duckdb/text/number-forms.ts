import type { DecimalMark } from "@fairway/contract/readings";
import { type RawBuilder, sql } from "kysely";

/** How the numbers of a column are written. */
export interface NumberForm {
  readonly mark: DecimalMark;
  /** The sign that every number carries, such as % or $; null without one. */
  readonly unit: string | null;
  /** Numbers that a double does not hold are kept as decimals. */
  readonly exact: { readonly digits: number; readonly scale: number } | null;
}

export const plainNumbers: NumberForm = { mark: ".", unit: null, exact: null };

/** Signs of percentages and currencies that a column of numbers may carry. */
export const units = ["%", "$", "€", "£", "¥"];

// The same texts are patterns of the engine (RE2) and of JavaScript with the flag `u`.
/** Blanks of all kinds: within a class of characters. */
const blanks = " \\t\u00a0\u2007\u2009\u202f";
export const blank = `[${blanks}\\r\\n\\f\\v]*`;
const minus = "[+\u2212-]";

const thousandsMarks = (mark: DecimalMark): string[] => [mark === "." ? "," : "\\.", "['\u2019]", `[${blanks}]`];
const escaped = (mark: DecimalMark): string => (mark === "." ? "\\." : mark);

/** Whole numbers with marks between groups of three, or without. */
const whole = (mark: DecimalMark): string =>
  `(?:[0-9]+|${thousandsMarks(mark)
    .map((one) => `[1-9][0-9]{0,2}(?:${one}[0-9]{3})+`)
    .join("|")})`;

/** A positive number without a sign or a unit. Exponents are limited so that no value is infinite. */
function positive(mark: DecimalMark, fraction: string, hasExponent: boolean): string {
  const point = escaped(mark);
  const plain = `(?:${whole(mark)}(?:${point}[0-9]${fraction})?|${point}[0-9]+)`;
  if (!hasExponent) return plain;
  const exponent = (most: string) => `[eE][+-]?0*(?:[0-9]{1,2}|${most})`;
  const small = `(?:[0-9](?:${point}[0-9]*)?|${point}[0-9]+)${exponent("[12][0-9]{2}|30[0-7]")}`;
  const large = `[0-9]{2,17}(?:${point}[0-9]*)?${exponent("1[0-9]{2}|2[0-8][0-9]")}`;
  return `(?:${small}|${large}|${plain})`;
}

const withSigns = (number: string, unit: string | null): string => {
  if (unit === null) return `^${blank}(${minus}?${number}|\\(${number}\\))${blank}$`;
  const sign = `\\x{${(unit.codePointAt(0) ?? 0).toString(16)}}`;
  return `^${blank}(${minus}?${sign}${blank}${minus}?${number}|${minus}?${number}${blank}${sign}|\\(${sign}${blank}${number}\\)|\\(${number}${blank}${sign}\\))${blank}$`;
};

export const decimalPattern = ({ mark, unit, exact }: NumberForm): string =>
  withSigns(positive(mark, exact === null ? "*" : `{0,${exact.scale}}`, exact === null), unit);

/** A whole number, possibly written with a fraction of zeros. The engine's own cast would round 1.5 to 2. */
export const integerPattern = ({ mark, unit }: NumberForm): string => withSigns(`${whole(mark)}(?:${escaped(mark)}0*)?`, unit);

/** The number that a text holds, in the engine's own way of writing; empty if it holds none. */
function numberText(value: RawBuilder<unknown>, pattern: string, { mark, unit }: NumberForm, usual: string): RawBuilder<unknown> {
  const dropped = `${mark === "." ? "," : "."}'\u2019 \t\u00a0\u2007\u2009\u202f)${unit ?? ""}`;
  const written = (text: RawBuilder<unknown>) =>
    sql`translate(regexp_extract(${text}, ${sql.lit(pattern)}, 1), ${sql.lit(`(\u2212${mark}${dropped}`)}, '--.')`;
  if (unit !== null) return written(value);
  // Rewriting takes most of the time, and most numbers need none. A CASE for each column would make plans of wide tables quadratic.
  const text = sql.id("text");
  return sql`list_transform([${value}], lambda text: case when regexp_full_match(${text}, ${sql.lit(usual)}) then ${text} else ${written(text)} end)[1]`;
}

const usualInteger = "-?[0-9]{1,30}";
/** A fraction that does not fit an exact decimal is unreadable, where the engine would round it. */
const usualDecimal = ({ mark, exact }: NumberForm): string => {
  const digits = Math.min(30, exact?.scale ?? 30);
  return mark === "." && digits > 0 ? `${usualInteger}(?:\\.[0-9]{1,${digits}})?` : usualInteger;
};

/** Texts that are no numbers become null. */
export function asDecimal(value: RawBuilder<unknown>, form: NumberForm): RawBuilder<unknown> {
  const text = numberText(value, decimalPattern(form), form, usualDecimal(form));
  return form.exact === null
    ? sql`try_cast(${text} as double)`
    : sql`try_cast(${text} as decimal(${sql.lit(form.exact.digits)}, ${sql.lit(form.exact.scale)}))`;
}

export const asInteger = (value: RawBuilder<unknown>, form: NumberForm, duckType: "BIGINT" | "HUGEINT"): RawBuilder<unknown> =>
  sql`try_cast(${numberText(value, integerPattern(form), form, usualInteger)} as ${sql.raw(duckType)})`;

/** Properties of a number that the shape of its text, with all digits as 9, shows. */
export interface NumberShape {
  readonly unit: string | null;
  readonly sign: "+" | "-" | "";
  /** Whether it stands in parentheses, which is taken for a minus. */
  readonly isBracketed: boolean;
  /** The number alone: digits, marks and exponent. */
  readonly core: string;
  readonly hasExponent: boolean;
  /** Decimal marks that make it a number. */
  readonly marks: readonly DecimalMark[];
  /** Whether it is a whole number with this decimal mark. */
  readonly isWhole: (mark: DecimalMark) => boolean;
  /** Digits before and after the decimal mark, without exponent. */
  readonly digits: (mark: DecimalMark) => { readonly whole: number; readonly fraction: number };
}

const shapePatterns = Object.fromEntries(
  ([".", ","] as const).map((mark) => [
    mark,
    {
      number: new RegExp(`^(?:${positive(mark, "*", false)})(?:[eE][+-]?[0-9]+)?$`, "u"),
      whole: new RegExp(`^${whole(mark)}$`, "u"),
    },
  ]),
) as Record<DecimalMark, { number: RegExp; whole: RegExp }>;

const framed = new RegExp(
  `^(\\()?(${minus})?[${blanks}]*([${units.join("")}])?[${blanks}]*(${minus})?([0-9.,'\u2019${blanks}]*[0-9.,](?:[eE][+-]?[0-9]+)?)[${blanks}]*([${units.join("")}])?(\\))?$`,
  "u",
);

/** No number is as long as this. The pattern of numbers with signs takes too long on long runs of blanks. */
const maxCharacters = 100;

/** Undefined if it is no number. */
export function numberShape(shape: string): NumberShape | undefined {
  if (shape.length > maxCharacters) return undefined;
  const [found, open, first, before, second, core = "", after, close] = framed.exec(shape) ?? [];
  if (found === undefined || (open === undefined) !== (close === undefined)) return undefined;
  if ((before !== undefined && after !== undefined) || (first !== undefined && second !== undefined)) return undefined;
  const sign = first ?? second ?? (open === undefined ? "" : "-");
  const marks = ([".", ","] as const).filter((mark) => shapePatterns[mark].number.test(core));
  if (marks.length === 0) return undefined;
  const [mantissa = ""] = core.split(/[eE]/u);
  return {
    unit: before ?? after ?? null,
    sign: sign === "+" ? "+" : sign === "" ? "" : "-",
    isBracketed: open !== undefined,
    core,
    hasExponent: mantissa !== core,
    marks,
    isWhole: (mark) => shapePatterns[mark].whole.test(core),
    digits: (mark) => {
      const [wholePart = "", fraction = ""] = mantissa.split(mark);
      const count = (text: string) => text.replaceAll(/[^0-9]/gu, "").length;
      return { whole: count(wholePart), fraction: count(fraction) };
    },
  };
}

/** The value of a number that is written with this mark. */
export const numberOf = (text: string, { mark, unit }: NumberForm): number => {
  const plain = text.replaceAll(/[\s\u00a0\u2007\u2009\u202f'\u2019)]/gu, "").replace(unit ?? "", "");
  const signed = plain.replace(/^\(/u, "-").replaceAll("\u2212", "-");
  return Number(mark === "." ? signed.replaceAll(",", "") : signed.replaceAll(".", "").replace(",", "."));
};
