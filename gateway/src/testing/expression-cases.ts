import type { ColumnType } from "@fairway/contract/columns";
import { type Cell, readCell, writeCell } from "@fairway/expressions/cells";
import { check } from "@fairway/expressions/check";
import { evaluate } from "@fairway/expressions/evaluate";
import { type FunctionName, calledNames, operatorNames } from "@fairway/expressions/tree";
import { plainColumnOf } from "#query/derived-columns.ts";
import type { DerivedStep, QueryableDataset } from "#query/engine.ts";

/** Columns that formulas are tried on. */
export const triedColumns = [
  { name: "n", type: "integer" },
  { name: "m", type: "integer" },
  { name: "x", type: "decimal" },
  { name: "y", type: "decimal" },
  { name: "s", type: "STRING" },
  { name: "u", type: "STRING" },
  { name: "b", type: "BOOLEAN" },
  { name: "c", type: "BOOLEAN" },
  { name: "t", type: "TIMESTAMP_MILLS" },
  { name: "v", type: "TIMESTAMP_SECONDS" },
  { name: "d", type: "TIMESTAMP_SECONDS", day: true },
] as const satisfies readonly { name: string; type: ColumnType; day?: true }[];

const least = "-9223372036854775808";
const most = "9223372036854775807";
/** Whole numbers, decimals, texts and times at the edges of what functions take. */
export const triedValues = {
  integers: ["0", "1", "-1", "2", "-7", "3", "1000000", "9007199254740993", "-4503599627370497", most, least, null],
  decimals: ["0", "1", "-1", "0.5", "-2.5", "2.675", "1e-7", "123456789.125", "1e15", "1e16", "1.5e300", "-1e308", "1e-300", "1e21", null],
  texts: [
    "",
    " ",
    "ATL",
    "atl",
    "  ATL \t",
    "12",
    "-12.50",
    "1e5",
    "+7",
    ".5",
    "1.",
    "1e400",
    "12 ",
    "abc,def,,ghi",
    "größe",
    "日本 😀",
    "a_b%c",
    "2024-05-31",
    "2024-02-30",
    "2024-05-31 17:59",
    "2024-05-31T17:59:30.1234Z",
    "2024-05-31T23:59:59,5+05:30",
    "0000-12-31",
    "99999999999999999999",
    "é́",
    null,
  ],
  booleans: [true, false, null],
  times: [
    0,
    -1,
    951_827_696_789,
    1_711_846_799_999,
    1_711_846_800_000,
    1_729_990_800_000,
    1_709_164_800_000,
    -62_135_596_800_000,
    253_402_300_799_999,
    -5_000_000_000_000,
    null,
  ],
} as const;

const zones = ["'Europe/Berlin'", "'America/New_York'", "'Australia/Lord_Howe'", "'Asia/Kathmandu'"];

/** Formulas of each function. */
export const triedFormulas: Readonly<Record<FunctionName, readonly string[]>> = {
  negate: ["-n", "-x", "-(n + 1)"],
  "+": ["n + m", "n + x", "x + y", "n + 1", "x + 0.1"],
  "-": ["n - m", "x - y", "n - x", "1 - n"],
  "*": ["n * m", "x * y", "n * 0.5"],
  "/": ["n / m", "x / y", "n / 0", "1 / x", "n / 3"],
  "%": ["n % m", "x % y", "n % -1", "x % 2", "n % 0"],
  "||": ["s || u", "s || ', ' || u || '!'", "s || null"],
  "=": ["n = m", "n = x", "s = u", "t = v", "b = c", "n = null", "x = 0.5"],
  "<>": ["n <> m", "s <> 'ATL'", "b <> true"],
  "<": ["n < m", "s < u", "n < x", "t < v"],
  "<=": ["n <= 2", "x <= n", "s <= u"],
  ">": ["n > m", "s > 'a'", "x > y", "t > time('2000-01-01')"],
  ">=": ["n >= x", "d >= t"],
  and: ["b and c", "n > 0 and x > 0", "b and null"],
  or: ["b or c", "n > 0 or x > 0", "null or b"],
  not: ["not b", "not (n > 0)"],
  in: ["n in (1, 2, null)", "s in ('ATL', '')", "x in (0.5, n)", "n in (0.5, 1)", "s not in ('ATL')", "t in (v, d)"],
  between: ["n between 0 and m", "x between -1 and n", "s between 'A' and 'b'", "n not between 0.5 and 3", "t between d and v"],
  "is null": ["n is null", "s is not null", "(x / 0) is null"],
  case: [
    "case when n > 0 then 'p' when n < 0 then 'm' end",
    "case when b then n when c then x else 7 end",
    "case when b then t else d end",
  ],
  if: ["if(b, n, m)", "if(n > 0, 'late', 'on time')", "if(b, n, 0.5)", "if(s is null, null, s)", "if(b, x)"],
  coalesce: ["coalesce(n, m, 0)", "coalesce(s, 'none')", "coalesce(n, x)", "coalesce(t, d)", "coalesce(null, b)"],
  null_if: ["null_if(n, m)", "null_if(s, 'ATL')", "null_if(n, 0.5)", "null_if(x, n)", "null_if(n, null)"],
  abs: ["abs(n)", "abs(x)"],
  sign: ["sign(n)", "sign(x)"],
  round: [
    "round(n)",
    "round(x)",
    "round(x, 2)",
    "round(x, -2)",
    "round(n, -1)",
    "round(n, 3)",
    "round(x, n)",
    "round(n, m)",
    "round(x, 20)",
    "round(n, -15)",
  ],
  floor: ["floor(x)", "floor(n)"],
  ceil: ["ceil(x)", "ceil(n)"],
  sqrt: ["sqrt(x)", "sqrt(n)", "sqrt(sqrt(x))"],
  ln: ["ln(x)", "ln(n)", "ln(ln(x))"],
  log10: ["log10(x)"],
  exp: ["exp(x)", "exp(n)"],
  power: ["power(x, 2)", "power(n, 0.5)", "power(x, y)", "power(n, m)"],
  least: ["least(n, m)", "least(x, n, 3)", "least(s, u)", "least(n, null)", "least(t, v, d)"],
  greatest: ["greatest(n, m)", "greatest(x, n)", "greatest(s, u, 'M')", "greatest(null, x)"],
  bin: ["bin(n, 15)", "bin(x, 0.25)", "bin(n, m)", "bin(x, y)", "bin(n, -5)", "bin(n, 0)"],
  length: ["length(s)", "length(s || u)"],
  lower: ["lower(u)"],
  // Engines differ in letters that have no capital of one character.
  upper: ["upper(replace(u, 'ß', 's'))"],
  trim: ["trim(s)", "'[' || trim(s) || ']'"],
  left: ["left(s, 2)", "left(s, n)", "left(s, 0)", "left(s, -1)"],
  right: ["right(s, 2)", "right(s, n)", "right(s, 0)"],
  part: ["part(s, 2, 3)", "part(s, n, m)", "part(s, -1, 4)", "part(s, 0, 2)", "part(s, 1, 0)", "part(s, 3, -1)"],
  replace: ["replace(s, 'A', 'xy')", "replace(s, '', 'x')", "replace(s, u, '')", "replace(s, ',', u)", "replace(s, 'A', null)"],
  contains: ["contains(s, 'T')", "contains(s, u)", "contains(s, '')", "contains(s, '%')"],
  starts_with: ["starts_with(s, 'AT')", "starts_with(s, u)", "starts_with(s, '')"],
  ends_with: ["ends_with(s, 'TL')", "ends_with(s, u)", "ends_with(s, '')"],
  split_part: [
    "split_part(s, ',', 2)",
    "split_part(s, ',', 9)",
    "split_part(s, '', 1)",
    "split_part(s, ',', n)",
    "split_part(s, u, 1)",
    "split_part(s, ',', 0)",
  ],
  pad_left: [
    "pad_left(s, 6, '0')",
    "pad_left(s, 4, 'ab')",
    "pad_left(s, n, u)",
    "pad_left(s, 6, '')",
    "pad_left(s, 1001, 'x')",
    "pad_left(s, -1, 'x')",
  ],
  concat: ["concat(s, u)", "concat(s, null, '-', u)", "concat(s)"],
  number: ["number(s)", "number(n)", "number(x)"],
  integer: ["integer(s)", "integer(x)", "integer(n)"],
  text: ["text(n)", "text(x)", "text(y)", "text(b)", "text(t)", "text(d)", "text(s)", "text(n / 3)", "text(x * 1000)"],
  time: ["time(s)", "time(n)", "time(x)"],
  year: ["year(t)", "year(d)", ...zones.map((zone) => `year(t, ${zone})`)],
  quarter: ["quarter(t)", ...zones.map((zone) => `quarter(t, ${zone})`)],
  month: ["month(t)", ...zones.map((zone) => `month(t, ${zone})`)],
  week: ["week(t)", ...zones.map((zone) => `week(t, ${zone})`)],
  day: ["day(t)", ...zones.map((zone) => `day(t, ${zone})`)],
  weekday: ["weekday(t)", ...zones.map((zone) => `weekday(t, ${zone})`)],
  hour: ["hour(t)", "hour(d)", ...zones.map((zone) => `hour(t, ${zone})`)],
  minute: ["minute(t)", ...zones.map((zone) => `minute(t, ${zone})`)],
  second: ["second(t)", "second(v)", "second(t, 'Europe/Berlin')"],
  start_of: ["minute", "hour", "day", "week", "month", "quarter", "year"].flatMap((unit) =>
    ["", ...zones.map((zone) => `, ${zone}`)].map((zone) => `start_of(t, '${unit}'${zone})`),
  ),
  add: ["second", "minute", "hour", "day", "week", "month", "quarter", "year"].flatMap((unit) =>
    ["t, 1", "t, -13", "t, n", "d, 2"].map((args) => `add(${args}, '${unit}')`),
  ),
  seconds_between: ["seconds_between(t, v)", "seconds_between(d, t)"],
  days_between: ["days_between(t, v)", "days_between(d, t)"],
  epoch: ["epoch(t)", "epoch(d)"],
  distance_km: [
    "distance_km(33.64, -84.43, 41.98, -87.9)",
    "distance_km(x, y, 0, 0)",
    "distance_km(n, m, 10, 20)",
    "distance_km(0, 0, 0, 180)",
  ],
};

export const everyFormula = [...operatorNames, ...calledNames].flatMap((name) => triedFormulas[name]);

export type TriedRow = Readonly<Record<(typeof triedColumns)[number]["name"], string | number | boolean | null>>;

/** Rows whose columns run through their values at different speeds, so that pairs of them meet. */
export function triedRows(count: number): TriedRow[] {
  const { integers, decimals, texts, booleans, times } = triedValues;
  const at = <T>(values: readonly T[], index: number): T | null => values[index % values.length] ?? null;
  return Array.from({ length: count }, (_, index): TriedRow => ({
    n: at(integers, index),
    m: at(integers, Math.floor(index / 5) + 3 * index),
    x: at(decimals, index),
    y: at(decimals, 7 * index + Math.floor(index / 11)),
    s: at(texts, index),
    u: at(texts, 5 * index + Math.floor(index / 7)),
    b: at(booleans, index),
    c: at(booleans, Math.floor(index / 3)),
    t: at(times, index),
    v: secondsOf(at(times, 3 * index)),
    d: dayOf(at(times, 5 * index + 2)),
  }));
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1_000));
const dayOf = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 86_400_000) * 86_400);

/** The steps that compute formulas as columns `0`, `1`, … */
export function stepsOf(formulas: readonly string[]): DerivedStep[] {
  return formulas.map((formula, index) => {
    const { tree, result, errors } = check(formula, triedColumns);
    if (errors !== undefined) throw new Error(`${formula}: ${errors[0]?.message}`);
    const column = plainColumnOf({ name: `f${index}`, type: result.type, ...(result.day ? { day: true } : {}) });
    return { kind: "computed", column, expression: tree };
  });
}

/** Where the answers of an engine differ from those of the evaluator, in sentences. */
export function differencesOf(
  formulas: readonly string[],
  steps: readonly DerivedStep[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string[] {
  return rows.flatMap((row) =>
    steps.flatMap((step, index) => {
      if (step.kind !== "computed") return [];
      const types = new Map<string, ColumnType>(triedColumns.map(({ name, type }) => [name, type]));
      const expected = writeCell(evaluate(step.expression, (name) => readCell(types.get(name) ?? "STRING", row[name] as Cell)));
      const found = row[step.column.name] as Cell;
      if (isClose(found, expected)) return [];
      return [`${formulas[index]} of ${JSON.stringify(inputsOf(row))}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
    }),
  );
}

const inputsOf = (row: Readonly<Record<string, unknown>>) => Object.fromEntries(triedColumns.map(({ name }) => [name, row[name]]));

/** Functions such as `exp` may differ in their last digits. */
function isClose(found: Cell, expected: Cell): boolean {
  // Whole numbers beyond 2^53 are texts.
  if (typeof found !== "number" || typeof expected !== "number")
    return found === expected || (found !== null && `${found}` === `${expected}`);
  return found === expected || Math.abs(found - expected) <= 1e-12 * Math.max(Math.abs(found), Math.abs(expected));
}

export const derivedDataset = (dataset: QueryableDataset, steps: readonly DerivedStep[]): QueryableDataset => ({
  ...dataset,
  derived: steps,
  columns: [
    ...dataset.columns,
    ...steps.flatMap((step) => (step.kind === "computed" ? [step.column] : step.columns.map(({ column }) => column))),
  ],
});
