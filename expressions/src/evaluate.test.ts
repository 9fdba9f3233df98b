import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCell, writeCell } from "./cells.ts";
import { check } from "./check.ts";
import { evaluate } from "./evaluate.ts";
import { numberText } from "./evaluate/texts.ts";
import { timeText } from "./evaluate/times.ts";
import type { Value } from "./evaluate/value.ts";
import { anyFormula, formulaColumns } from "./testing/random-formulas.ts";

type Row = Readonly<Record<string, Value>>;

const columns = [
  ...formulaColumns,
  { name: "nothing", type: "integer" },
  { name: "big", type: "integer" },
  { name: "least64", type: "integer" },
  { name: "huge", type: "decimal" },
  { name: "no", type: "STRING" },
  { name: "unknown", type: "BOOLEAN" },
  { name: "never", type: "TIMESTAMP_MILLS" },
] as const;

const row: Row = {
  n: 7n,
  order: 0n,
  x: 2.5,
  größe: -1.5,
  s: "Atlanta 😀",
  "Airport Name": "O'Hare",
  t: Date.UTC(2024, 1, 29, 17, 59, 30, 250),
  seen: Date.UTC(2024, 10, 3, 5, 30),
  born: Date.UTC(2024, 0, 31),
  b: true,
  end: false,
  nothing: null,
  big: 2n ** 63n - 1n,
  least64: -(2n ** 63n),
  huge: 1e308,
  no: null,
  unknown: null,
  never: null,
};

/** The value as a text; "null" for none. */
function valueOf(text: string): string {
  const { tree, errors } = check(text, columns);
  if (tree === undefined) return errors.map(({ message }) => message).join(" ");
  const value = evaluate(tree, (name) => row[name] ?? null);
  if (value === null) return "null";
  if (tree.type === "time") return timeText(Number(value), tree.day) ?? "outside";
  return typeof value === "number" ? numberText(value) : String(value);
}

const gives = (cases: readonly (readonly [formula: string, value: string])[]) =>
  it.each(cases)("%s is %s", (formula, value) => {
    expect(valueOf(formula)).toBe(value);
  });

describe("no value", () => {
  gives([
    ["n + nothing", "null"],
    ["no || 'a'", "null"],
    ["length(no)", "null"],
    ["hour(never, 'UTC')", "null"],
    ["nothing = nothing", "null"],
    ["not unknown", "null"],
    ["unknown and false", "false"],
    ["unknown and true", "null"],
    ["unknown or true", "true"],
    ["unknown or false", "null"],
    ["if(unknown, 'a', 'b')", "b"],
    ["if(unknown, 'a')", "null"],
    ["case when unknown then 1 when b then 2 end", "2"],
    ["case when unknown then 1 end", "null"],
    ["n in (nothing, 7)", "true"],
    ["n in (nothing, 8)", "null"],
    ["n not in (nothing, 8)", "null"],
    ["n in (1, 2)", "false"],
    ["nothing in (1, 2)", "null"],
    ["n between 8 and nothing", "false"],
    ["n between 7 and nothing", "null"],
    ["coalesce(nothing, null, 3)", "3"],
    ["concat(no, 'a', no)", "a"],
    ["concat(no, no)", ""],
    ["least(nothing, 3, 2)", "2"],
    ["greatest(nothing, nothing)", "null"],
    ["null_if(n, nothing)", "7"],
    ["null_if(nothing, n)", "null"],
    ["null_if(n, 7.0)", "null"],
    ["nothing is null", "true"],
    ["n is not null", "true"],
  ]);
});

describe("numbers", () => {
  gives([
    ["7 / 2", "3.5"],
    ["n / 0", "null"],
    ["n % 0", "null"],
    ["x % 0.0", "null"],
    ["-7 % 3", "-1"],
    ["7 % -3", "1"],
    ["-7.5 % 2", "-1.5"],
    ["big + 1", "null"],
    ["big + 1.0", "9223372036854776000"],
    ["-(least64)", "null"],
    ["abs(least64)", "null"],
    ["least64 - 1", "null"],
    ["big * 2", "null"],
    ["huge * 10", "null"],
    ["-huge * 10", "null"],
    ["0.1 + 0.2", "0.30000000000000004"],
    ["round(2.5)", "3"],
    ["round(-2.5)", "-3"],
    ["round(0.49999999999999994)", "0"],
    ["round(2.675, 2)", "2.68"],
    ["round(1.005, 2)", "1"],
    ["round(-1.25, 1)", "-1.3"],
    ["round(1250, -2)", "1300"],
    ["round(-1250, -2)", "-1300"],
    ["round(1234.5, -2)", "1200"],
    ["round(big, -1)", "null"],
    ["round(x, 400)", "2.5"],
    ["round(huge, 5)", "1e+308"],
    ["floor(-2.5)", "-3"],
    ["ceil(-2.5)", "-2"],
    ["sign(-0.0)", "0"],
    ["sqrt(-1)", "null"],
    ["ln(0)", "null"],
    ["ln(-1)", "null"],
    ["log10(0.001)", "-3"],
    ["exp(1000)", "null"],
    ["exp(-1000)", "0"],
    ["power(0, -1)", "null"],
    ["power(-8, 1.0 / 3)", "null"],
    ["power(0, 0)", "1"],
    ["bin(-1, 15)", "-15"],
    ["bin(30, 15)", "30"],
    ["bin(29, 15)", "15"],
    ["bin(-0.5, 0.25)", "-0.5"],
    ["bin(2.6, 0.5)", "2.5"],
    ["bin(7, 0)", "null"],
    ["bin(7, -1)", "null"],
    ["bin(least64, 10)", "null"],
    ["distance_km(0, 0, 0, 180)", "20015.114442035923"],
    ["distance_km(91, 0, 0, 0)", "null"],
    ["round(distance_km(0, 359, 0, -1), 6)", "0"],
    ["distance_km(0, 361, 0, 0)", "null"],
    ["1 = 1.0", "true"],
    ["9007199254740993 = 9007199254740992", "false"],
    ["9007199254740993 = 9007199254740992.0", "true"],
    ["-0.0 = 0", "true"],
    ["if(b, 1, 2.5)", "1"],
  ]);
});

describe("texts", () => {
  gives([
    ["length(s)", "9"],
    ["left(s, 0)", ""],
    ["left(s, -2)", ""],
    ["left(s, 99)", "Atlanta 😀"],
    ["right(s, 1)", "😀"],
    ["right(s, 0)", ""],
    ["part(s, 9, 1)", "😀"],
    ["part(s, 1, 3)", "Atl"],
    ["part(s, 0, 3)", "At"],
    ["part(s, -5, 3)", ""],
    ["part(s, 3, 0)", ""],
    ["part(s, 3, -1)", ""],
    ["part(s, 99, 2)", ""],
    ["part(s, 2, big)", "tlanta 😀"],
    ["upper('straße')", "STRASSE"],
    ["lower('ATL')", "atl"],
    ["trim('\t a b\u00a0 ')", "a b"],
    ["replace('aaa', 'aa', 'b')", "ba"],
    ["replace('abc', '', 'x')", "abc"],
    ["replace('abc', 'b', '')", "ac"],
    ["contains(s, '')", "true"],
    ["contains(s, 'atl')", "false"],
    ["starts_with(s, 'Atl')", "true"],
    ["ends_with(s, '😀')", "true"],
    ["split_part('a/b/c', '/', 3)", "c"],
    ["split_part('a/b/c', '/', 4)", "null"],
    ["split_part('a/b/c', '/', 0)", "null"],
    ["split_part('a/b/c', '', 1)", "a/b/c"],
    ["split_part('a//c', '/', 2)", ""],
    ["pad_left('7', 3, '0')", "007"],
    ["pad_left('7', 4, 'ab')", "aba7"],
    ["pad_left('12345', 3, '0')", "12345"],
    ["pad_left('7', 3, '')", "7"],
    ["pad_left('7', 1000000000, 'x')", "null"],
    ["length(replace(replace(replace(pad_left('', 1000, 'a'), 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaa'), 'a', 'b'))", "100000"],
    ["replace(replace(replace(pad_left('', 1000, 'a'), 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaa'), 'a', 'bb')", "null"],
    ["'\uffff' < '😀'", "true"],
    ["'Z' < 'a'", "true"],
    ["'a' < 'a '", "true"],
    ["'it''s'", "it's"],
  ]);
});

describe("conversions", () => {
  gives([
    ["number('12.50')", "12.5"],
    ["number(' 12')", "null"],
    ["number('1_000')", "null"],
    ["number('0x10')", "null"],
    ["number('1e400')", "null"],
    ["number('Infinity')", "null"],
    ["number('')", "null"],
    ["number('.5e1')", "5"],
    ["integer('9007199254740993')", "9007199254740993"],
    ["integer('9223372036854775808')", "null"],
    ["integer('+12')", "12"],
    ["integer('-12.9')", "-12"],
    ["integer(2.9)", "2"],
    ["integer(1e300)", "null"],
    ["integer('1e3')", "1000"],
    ["text(12)", "12"],
    ["text(12.0)", "12"],
    ["text(0.1)", "0.1"],
    ["text(b)", "true"],
    ["text(t)", "2024-02-29T17:59:30.250Z"],
    ["text(seen)", "2024-11-03T05:30:00Z"],
    ["text(born)", "2024-01-31"],
    ["time('2024-02-29')", "2024-02-29T00:00:00Z"],
    ["time('2023-02-29')", "null"],
    ["time('2024-02-29 24:00')", "null"],
    ["time('2024-02-29T23:59:59.1239')", "2024-02-29T23:59:59.123Z"],
    ["time('2024-02-29T01:00+02:00')", "2024-02-28T23:00:00Z"],
    ["time('2024-02-29T01:00:00-0530')", "2024-02-29T06:30:00Z"],
    ["time('2024-02-29 1:00')", "null"],
    ["time('0000-01-01')", "null"],
    ["time(86400)", "1970-01-02T00:00:00Z"],
    ["time(0.0015)", "1970-01-01T00:00:00.002Z"],
    ["time(1e15)", "null"],
    ["time(text(t)) = t", "true"],
  ]);
});

describe("times", () => {
  gives([
    ["week(time('2021-01-03'))", "53"],
    ["week(time('2021-01-04'))", "1"],
    ["week(time('2024-12-30'))", "1"],
    ["weekday(time('2024-06-02'))", "7"],
    ["quarter(t)", "1"],
    ["second(t)", "30"],
    ["second(time('1969-12-31 23:59:59.5'))", "59"],
    ["hour(t, 'Asia/Kolkata')", "23"],
    ["minute(t, 'Asia/Kolkata')", "29"],
    ["day(t, 'Pacific/Kiritimati')", "1"],
    // The clock in New York goes back at 06:00 UTC, and the hour from 01:00 is there twice.
    ["hour(time('2024-11-03 05:30'), 'America/New_York')", "1"],
    ["hour(time('2024-11-03 06:30'), 'America/New_York')", "1"],
    ["start_of(time('2024-11-03 05:30'), 'hour', 'America/New_York')", "2024-11-03T05:00:00Z"],
    ["start_of(time('2024-11-03 06:30'), 'hour', 'America/New_York')", "2024-11-03T06:00:00Z"],
    ["start_of(time('2024-11-03 20:00'), 'day', 'America/New_York')", "2024-11-03T04:00:00Z"],
    ["start_of(time('2024-03-10 20:00'), 'day', 'America/New_York')", "2024-03-10T05:00:00Z"],
    // Midnight is skipped: the day begins at 01:00.
    ["start_of(time('2018-11-04 12:00'), 'day', 'America/Sao_Paulo')", "2018-11-04T03:00:00Z"],
    // Midnight is there twice: the first counts.
    ["start_of(time('2024-10-27 12:00'), 'day', 'Atlantic/Azores')", "2024-10-27T00:00:00Z"],
    // Half an hour is taken back at 15:00 UTC, in the middle of the hour that began at 14:30.
    ["start_of(time('2024-04-06 15:10'), 'hour', 'Australia/Lord_Howe')", "2024-04-06T15:00:00Z"],
    ["start_of(time('2024-05-31 17:59'), 'hour', 'Asia/Kolkata')", "2024-05-31T17:30:00Z"],
    ["start_of(time('2024-06-02'), 'week')", "2024-05-27T00:00:00Z"],
    ["start_of(time('2024-05-31'), 'quarter')", "2024-04-01T00:00:00Z"],
    ["start_of(born, 'year')", "2024-01-01"],
    ["start_of(time('1969-12-31 23:59:59'), 'minute')", "1969-12-31T23:59:00Z"],
    ["start_of(time('0001-01-01 03:00'), 'day', 'America/New_York')", "null"],
    ["add(born, 1, 'month')", "2024-02-29"],
    ["add(born, -2, 'month')", "2023-11-30"],
    ["add(time('2024-02-29 12:00'), 1, 'year')", "2025-02-28T12:00:00Z"],
    ["add(time('2024-02-29 12:00'), 1, 'quarter')", "2024-05-29T12:00:00Z"],
    ["add(t, 90, 'second')", "2024-02-29T18:01:00.250Z"],
    ["add(t, big, 'year')", "null"],
    ["add(t, least64, 'second')", "null"],
    ["add(t, 8000, 'year')", "null"],
    ["add(time('9999-12-31 23:59:59'), 1, 'second')", "null"],
    ["seconds_between(time('2024-01-02'), time('2024-01-01'))", "-86400"],
    ["days_between(time('2024-03-10', 'x') , t)", "time takes 1 value, not 2."],
    ["days_between(time('2024-03-09 12:00'), time('2024-03-10 00:00'))", "0.5"],
    ["epoch(t)", "1709229570.25"],
  ]);
});

describe("any formula", () => {
  const cells = fc.record({
    n: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    order: fc.option(fc.bigInt({ min: -100n, max: 100n })),
    x: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    größe: fc.option(fc.double({ min: -90, max: 90, noNaN: true })),
    s: fc.option(fc.string({ unit: "grapheme" })),
    "Airport Name": fc.option(fc.string()),
    t: fc.option(fc.integer({ min: Date.UTC(1700, 0, 1), max: Date.UTC(2200, 0, 1) })),
    seen: fc.option(fc.integer({ min: 0, max: 2_000_000_000 }).map((seconds) => seconds * 1_000)),
    born: fc.option(fc.integer({ min: -700_000, max: 100_000 }).map((days) => days * 86_400_000)),
    b: fc.option(fc.boolean()),
    end: fc.option(fc.boolean()),
  });

  it("has a value of its type, or none, and never fails", () => {
    const tests = { integer: "bigint", decimal: "number", STRING: "string", BOOLEAN: "boolean", TIMESTAMP_MILLS: "number" };
    fc.assert(
      fc.property(anyFormula, cells, (text, values: Row) => {
        const { tree, result } = check(text, formulaColumns);
        if (tree === undefined) return;
        const value = evaluate(tree, (name) => values[name] ?? null);
        if (value === null) return;
        expect(typeof value, text).toBe(tests[result.type]);
        const isInRange =
          typeof value === "bigint" ? BigInt.asIntN(64, value) === value : typeof value !== "number" || Number.isFinite(value);
        expect(isInRange, text).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("cells of answers", () => {
  it.each([
    ["integer", 12, 12n, 12],
    ["integer", "9007199254740993", 9_007_199_254_740_993n, "9007199254740993"],
    ["integer", "12345678901234567890", null, null],
    ["decimal", 1.5, 1.5, 1.5],
    ["decimal", "1e999", null, null],
    ["STRING", "", "", ""],
    ["BOOLEAN", false, false, false],
    ["TIMESTAMP_SECONDS", 60, 60_000, 60_000],
    ["TIMESTAMP_MILLS", 60_000, 60_000, 60_000],
    ["TIMESTAMP_MILLS", null, null, null],
  ] as const)("a column of type %s holds %s", (type, cell, value, written) => {
    expect(readCell(type, cell)).toBe(value);
    expect(writeCell(readCell(type, cell))).toBe(written);
  });
});
