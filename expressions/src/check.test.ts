import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import type { ExpressionColumn } from "./tree.ts";

const columns: readonly ExpressionColumn[] = [
  { name: "delay", type: "integer" },
  { name: "distance", type: "decimal" },
  { name: "origin", type: "STRING" },
  { name: "code", type: "integer" },
  { name: "date", type: "TIMESTAMP_MILLS" },
  { name: "landed", type: "TIMESTAMP_SECONDS" },
  { name: "born", type: "TIMESTAMP_MILLS", day: true },
  { name: "late", type: "BOOLEAN" },
  { name: "Airport Name", type: "STRING" },
  { name: "state", type: "STRING" },
  { name: "State", type: "STRING" },
  { name: "order", type: "integer" },
  { name: "end", type: "BOOLEAN" },
  { name: "case", type: "integer" },
  { name: "not", type: "BOOLEAN" },
  { name: "größe", type: "integer" },
  { name: "日付", type: "TIMESTAMP_MILLS" },
  { name: "a]b", type: "integer" },
  { name: 'q"q', type: "integer" },
  { name: "null", type: "integer" },
];

const typeOf = (text: string) => {
  const { result, errors } = check(text, columns);
  return result === undefined ? errors : `${result.type}${result.day ? ", day" : ""}`;
};
/** The marked part of the text and what is said of it. */
const said = (text: string) =>
  (check(text, columns).errors ?? []).map(({ from, to, message }) =>
    from === to ? `at ${from}: ${message}` : `${text.slice(from, to)}: ${message}`,
  );

describe("types", () => {
  it.each([
    ["if(delay > 15, 'late', 'on time')", "STRING"],
    [`"Airport Name" || ', ' || state`, "STRING"],
    ["delay", "integer"],
    ["delay + 1", "integer"],
    ["delay + 1.0", "decimal"],
    ["delay / 2", "decimal"],
    ["-delay % 7", "integer"],
    ["round(delay)", "integer"],
    ["round(distance, -2)", "decimal"],
    ["if(late, 1, 2.5)", "decimal"],
    ["coalesce(null, delay)", "integer"],
    ["null_if(delay, 0.5)", "integer"],
    ["least(delay, distance)", "decimal"],
    ["case when late then 1 end", "integer"],
    ["case when late then 'a' when end then null else 'b' end", "STRING"],
    ["delay is null", "BOOLEAN"],
    ["null is null", "BOOLEAN"],
    ["origin not in ('ATL', null)", "BOOLEAN"],
    ["delay between 1 and 2.5 and late", "BOOLEAN"],
    ["date", "TIMESTAMP_MILLS"],
    ["landed", "TIMESTAMP_MILLS"],
    ["born", "TIMESTAMP_MILLS, day"],
    ["start_of(born, 'month')", "TIMESTAMP_MILLS, day"],
    ["start_of(date, 'day', 'Europe/Berlin')", "TIMESTAMP_MILLS"],
    ["add(born, 1, 'week')", "TIMESTAMP_MILLS, day"],
    ["add(born, 1, 'hour')", "TIMESTAMP_MILLS"],
    ["coalesce(born, null)", "TIMESTAMP_MILLS, day"],
    ["greatest(born, date)", "TIMESTAMP_MILLS"],
    ["days_between(born, date)", "decimal"],
    ["HOUR(Date, 'UTC')", "integer"],
    ["(((delay)))", "integer"],
    ["1e5", "decimal"],
    [".5", "decimal"],
    ["9223372036854775807", "integer"],
    ["-9223372036854775808", "integer"],
    ["NULL IS NOT NULL", "BOOLEAN"],
  ])("%s is %s", (text, type) => {
    expect(typeOf(text)).toBe(type);
  });
});

describe("names", () => {
  it.each([
    ["DELAY", "delay"],
    ["[Airport Name]", "Airport Name"],
    ['"airport name"', "Airport Name"],
    ["State", "State"],
    ["[a]]b]", "a]b"],
    ['"q""q"', 'q"q'],
    ["order", "order"],
    ["end", "end"],
    ["case", "case"],
    ["größe", "größe"],
    ["GRO\u0308SSE".replace("SS", "ß"), "größe"],
    ["日付", "日付"],
    ['"null"', "null"],
  ])("%s is the column %s", (text, name) => {
    expect(check(text, columns).tree).toMatchObject({ kind: "column", name });
  });

  it("words are keywords only where they fit", () => {
    for (const text of [
      "case when end then end end",
      "case > 5",
      "order + case",
      "not not",
      "not = late",
      "not is null",
      "end and end",
      "not (late or end)",
    ])
      expect([text, said(text)]).toEqual([text, []]);
  });

  it("a name in another case has to fit one column alone", () => {
    expect(said("STATE")).toEqual(["STATE: 'STATE' may be 'state' or 'State': write it as it is."]);
  });
});

describe("errors", () => {
  it.each([
    ["if(dealy > 15, 1, 2)", "dealy: There is no column 'dealy'. Did you mean 'delay'?"],
    ['"nobody"', `"nobody": There is no column 'nobody'. Texts stand in single quotes: 'nobody'.`],
    ["round", "round: There is no column 'round'. The function is written round(x, digits?)."],
    ["datediff(date, date)", "datediff: There is no function 'datediff'; see days_between."],
    ["roudn(1)", "roudn: There is no function 'roudn'. Did you mean 'round'?"],
    ["quux(1)", "quux: There is no function 'quux'."],
    ["constructor(1)", "constructor: There is no function 'constructor'."],
    ["now()", "now: There is no function 'now': a row's value depends on the row alone."],
    ["round(1, 2, 3)", "round: round takes 1 or 2 values, not 3."],
    ["abs()", "abs: abs takes 1 value, not 0."],
    ["coalesce(delay)", "coalesce: coalesce takes at least 2 values, not 1."],
    ["delay || ' min'", "delay: '||' joins texts, and 'delay' is a number. Use text(delay)."],
    ["date - date", "date: '-' subtracts numbers, and 'date' is a time. Use days_between or seconds_between."],
    ["origin = code", "code: '=' compares values of one type: 'origin' is text and 'code' is a number. Use text(code) or number(origin)."],
    [
      "date > '2024-01-01'",
      "'2024-01-01': '>' compares values of one type: 'date' is a time and '2024-01-01' is text. Use time('2024-01-01').",
    ],
    ["coalesce(late, 1)", "1: coalesce takes values of one type: 'late' is true or false and '1' is a number."],
    ["if(delay, 1, 2)", "delay: if takes a condition as its first value, and 'delay' is a number. Compare it with a value."],
    ["case when delay then 1 end", "delay: 'when' takes a condition, and 'delay' is a number. Compare it with a value."],
    ["length(delay)", "delay: length takes text, and 'delay' is a number. Use text(delay)."],
    ["left(origin, distance)", "distance: left takes an integer as its second value, and 'distance' is a decimal. Use integer(distance)."],
    ["late < end", "late: '<' compares texts, numbers or times, and 'late' is true or false."],
    ["number(date)", "date: number takes text or a number, and 'date' is a time. Use epoch(date)."],
    ["null = null", "null = null: All values are null here: one of them needs a type."],
    ["null", "null: The formula is null in every row."],
    ["start_of(date, 'days')", "'days': There is no unit 'days'. Did you mean 'day'?"],
    ["start_of(date, origin)", "origin: The unit is written in quotes, such as 'month'."],
    ["hour(date, '+05:30')", "'+05:30': '+05:30' is not a time zone; name one such as America/New_York."],
    ["hour(born, 'UTC')", "'UTC': 'born' has whole days, which are the same in every zone."],
    ["9223372036854775808", "9223372036854775808: '9223372036854775808' is no integer of 64 bits. Write it as a decimal, with a point."],
    ["1e999", "1e999: '1e999' is too large."],
    ["delay +", "at 7: Something is missing after '+'."],
    ["(delay + ) * 2", "at 8: Something is missing after '+'."],
    ["round(delay,)", "at 12: Something is missing after ','."],
    ["late and", "at 8: Something is missing after 'and'."],
    ["if(", "at 3: Something is missing after '('."],
    ["'it''s", "'it''s: The text that begins here is never closed."],
    ["origin = 'a", "'a: The text that begins here is never closed."],
    ['"Airport', `"Airport: The name that begins here is never closed.`],
    ["2 * (delay + 1", "(: The parenthesis that opens here is never closed."],
    ["delay) + 1", "): No parenthesis is open here."],
    ["case when late then 1", "case: The case that begins here has no 'end'."],
    ["case delay when 1 then 2 end", "delay: A case begins with a condition: case when … then … end."],
    ["delay code", "code: An operator is missing between 'delay' and 'code'."],
    ["delay != 1", "!=: '!=' is written '<>'."],
    ["delay == 1", "==: '==' is written '='."],
    ["origin like 'A%'", "like: There is no 'like'; see contains, starts_with and ends_with."],
    ["cast(delay as text)", "as: There is no 'as'; see text, number, integer and time."],
    ["", "at 0: The formula is empty."],
    ["* 2", "*: A formula does not begin with '*'."],
    ["delay; drop", ";: A formula has no ';'."],
  ])("of %s: %s", (text, error) => {
    expect(said(text)[0]).toBe(error);
  });

  it("are all reported, in the order of the text", () => {
    expect(said("dealy + length(code, 1) + foo(orgin)").map((one) => one.split(":")[0])).toEqual(["dealy", "length", "foo", "orgin"]);
  });

  it("have positions in UTF-16 units", () => {
    expect(check("'😀' || dealy", columns).errors).toMatchObject([{ from: 8, to: 13 }]);
  });
});

describe("limits", () => {
  it("a formula has at most 2,000 characters", () => {
    expect(check(`'${"x".repeat(1_998)}'`, []).result).toBeDefined();
    expect(check(`'${"x".repeat(1_999)}'`, []).errors).toEqual([
      { message: "A formula has at most 2,000 characters; this one has 2,001.", from: 2_000, to: 2_001 },
    ]);
  });

  it("a formula has at most 200 values, columns and functions", () => {
    expect(said(`1${" + 1".repeat(99)}`)).toEqual([]);
    expect(said(`1${" + 1".repeat(100)}`).join(" ")).toContain("at most 200 values, columns and functions; this one has 201.");
  });

  it("functions are nested at most 30 deep; a chain of operators and parentheses are no nesting", () => {
    const nested = (depth: number) => `${"abs(".repeat(depth - 1)}1${")".repeat(depth - 1)}`;
    expect(said(nested(30))).toEqual([]);
    expect(said(nested(31)).join(" ")).toContain("Functions and operators may be nested 30 deep; this formula is 31 deep.");
    expect(said(`1${" + 2 - 3".repeat(40)}`)).toEqual([]);
    expect(said(`${"(".repeat(900)}1${")".repeat(900)}`)).toEqual([]);
  });
});
