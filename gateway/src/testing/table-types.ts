import type { ColumnType } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";

/** A column of a type, and values of it. */
export interface TypeCase {
  readonly column: string;
  /** As the server names it. */
  readonly type: string;
  readonly proposed: ColumnType;
  /** Three, in ascending order. */
  readonly values: readonly TypeValue[];
}

export interface TypeValue {
  /** An expression. */
  readonly stored: string;
  /** In a column of the proposed type. */
  readonly shown: CellValue;
  /** In a column that is described as text. */
  readonly text: string;
}

/** Types of Trino and Presto, each with its extremes. `precise`: whether times have more digits than milliseconds. */
export const tableTypes = ({ precise }: { readonly precise: boolean }): readonly TypeCase[] => [
  ...sharedTypes,
  ...(precise ? [0, 3, 6, 9, 12].flatMap((digits) => timesOf(digits, `(${digits})`, "")) : timesOf(3, "", " ")),
];

const value = (stored: string, shown: CellValue, text = String(shown)): TypeValue => ({ stored, shown, text });
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const literal = (text: string, shown: CellValue = Number(text), asText = text): TypeValue => value(quoted(text), shown, asText);
/** Each text with the expression that it is made of; by default it is its own literal. */
const texts = (column: string, type: string, ...values: readonly (readonly [text: string, stored?: string])[]): TypeCase => ({
  column,
  type,
  proposed: "STRING",
  values: values.map(([text, stored = quoted(text)]) => value(stored, text)),
});

const largest = "9".repeat(38);
const uuid = "12151fd2-7586-11e9-8f9e-2a86e4085a59";

const sharedTypes: readonly TypeCase[] = [
  { column: "flag", type: "boolean", proposed: "BOOLEAN", values: [value("false", false), value("true", true), value("true", true)] },
  { column: "tiny", type: "tinyint", proposed: "integer", values: [literal("-128"), literal("0"), literal("127")] },
  { column: "narrow", type: "integer", proposed: "integer", values: [literal("-2147483648"), literal("0"), literal("2147483647")] },
  {
    column: "wide",
    type: "bigint",
    proposed: "integer",
    values: [
      literal("-9223372036854775808", "-9223372036854775808"),
      literal("9007199254740992"),
      literal("9007199254740993", "9007199254740993"),
    ],
  },
  {
    column: "whole",
    type: "decimal(38,0)",
    proposed: "integer",
    values: [literal(`-${largest}`, `-${largest}`), literal("1"), literal(largest, largest)],
  },
  {
    column: "fraction",
    type: "decimal(38,37)",
    proposed: "decimal",
    values: [literal(`-0.5${"0".repeat(36)}`), literal(`0.${"0".repeat(36)}1`), literal(`9.75${"0".repeat(35)}`)],
  },
  {
    column: "exact",
    type: "decimal(20,4)",
    proposed: "decimal",
    values: [literal("-9007199254740993.0001", "-9007199254740993.0001"), literal("0.5000"), literal("4503599627370495.5000")],
  },
  { column: "money", type: "decimal(4,2)", proposed: "decimal", values: [literal("-0.01"), literal("0.00"), literal("99.99")] },
  { column: "single", type: "real", proposed: "decimal", values: [literal("-5", -5, "-5.0"), literal("0.1"), literal("1.5")] },
  {
    column: "double",
    type: "double",
    proposed: "decimal",
    values: [literal("-0.001"), literal("0.30000000000000004"), literal("123456.75")],
  },
  ...(["real", "double"] as const).map((type): TypeCase => ({
    column: `no_${type}`,
    type,
    proposed: "decimal",
    values: ["-Infinity", "Infinity", "NaN"].map((text) => literal(text, null)),
  })),
  {
    column: "day",
    type: "date",
    proposed: "TIMESTAMP_SECONDS",
    values: [literal("0001-01-01", -62_135_596_800), literal("1969-12-31", -86_400), literal("9999-12-31", 253_402_214_400)],
  },
  texts("name", "varchar", [""], ["a\u0000b\r\n\u2028", "'a' || chr(0) || 'b' || chr(13) || chr(10) || chr(8232)"], [`é😀 "'\\`]),
  texts("short", "varchar(3)", [""], ["ab"], ["é😀"]),
  texts("fixed", "char(5)", [""], [" ab"], ["é😀"]),
  texts("bytes", "varbinary", ["", "x''"], ["00ff", "x'00ff'"], ["ff", "x'ff'"]),
  texts("code", "uuid", ["00000000-0000-0000-0000-000000000000"], [uuid], ["ffffffff-0000-4000-8000-000000000000"]),
  texts("address", "ipaddress", ["10.0.0.1"], ["2001:db8::1"], ["::1"]),
  texts(
    "days",
    "interval day to second",
    ["0 00:00:00.000", "interval '0' day"],
    ["1 00:00:00.000", "interval '1' day"],
    ["1 00:00:00.250", "interval '86400.25' second"],
  ),
  texts("years", "interval year to month", ["0-0", "interval '0' month"], ["0-11", "interval '11' month"], ["2-0", "interval '2' year"]),
  texts("list", "array(integer)", ["[1,2]", "array[1, 2]"], ["[]", "array[]"], ["[null,3]", "array[null, 3]"]),
  texts("codes", "array(uuid)", [`["${uuid}",null]`, `array[uuid '${uuid}', null]`], ["[]", "array[]"], ["[null]", "array[null]"]),
  texts(
    "by_name",
    "map(varchar,integer)",
    ['{"":null}', "map(array[''], array[null])"],
    ['{"k \\"":1}', `map(array['k "'], array[1])`],
    ["{}", "map()"],
  ),
  texts(
    "by_number",
    "map(double,varbinary)",
    ['{"-1.5":"00"}', "map(array[-1.5e0], array[x'00'])"],
    ['{"1.5":null}', "map(array[1.5e0], array[null])"],
    ["{}", "map()"],
  ),
  texts(
    "nested",
    'row(a integer, "b" array(row(c varchar, d varbinary)))',
    ['{"a":1,"b":[]}', "row(1, array[])"],
    ['{"a":1,"b":[{"c":"x","d":"ff"},null]}', "row(1, array[row('x', x'ff'), null])"],
    ['{"a":null,"b":null}', "row(null, null)"],
  ),
  texts(
    "document",
    "json",
    ['"é\\""', `json '"é\\""'`],
    ["null", "json 'null'"],
    ['{"b":[9007199254740993,null]}', `json '{"b":[9007199254740993,null]}'`],
  ),
  texts(
    "place",
    "geometry",
    ["POINT (-1.5 2)", "ST_Point(-1.5, 2)"],
    ["POINT (1 2)", "ST_Point(1, 2)"],
    ["POINT EMPTY", "ST_GeometryFromText('POINT EMPTY')"],
  ),
];

/** Times with so many digits of a second. `precision`: as types name it; `beforeOffset`: what texts of times with a zone have before it. */
function timesOf(digits: number, precision: string, beforeOffset: string): TypeCase[] {
  const withFraction = (text: string, fraction: string) => (digits === 0 ? text : `${text}.${fraction.slice(0, digits)}`);
  const proposed = digits === 0 ? "TIMESTAMP_SECONDS" : "TIMESTAMP_MILLS";
  const shown = (ms: number) => (digits === 0 ? Math.floor(ms / 1_000) : ms);
  const before = withFraction("1969-12-31 23:59:59", "999500000001");
  const later = withFraction("2020-01-01 10:00:05", "250999999999");
  const last = withFraction("9999-12-31 23:59:59", "999999999999");
  const laterMs = Date.parse("2020-01-01T10:00:05.250Z");
  const [times, zonedTimes] = [`timestamp${precision}`, `timestamp${precision} with time zone`];
  const timestamp = (text: string, ms: number) => value(`timestamp ${quoted(text)}`, shown(ms), text);
  const [clockStart, clockMiddle, clockEnd] = [
    ["00:00:00", "000000000001"],
    ["01:02:03", "123456789012"],
    ["23:59:59", "999999999999"],
  ].map(([text = "", fraction = ""]) => withFraction(text, fraction));
  const clock = (text = "", offset = "") =>
    [`${text}${offset === "" ? "" : `${beforeOffset}${offset}`}`, `time ${quoted(`${text}${offset}`)}`] as const;
  return [
    texts(`clock_${digits}`, `time${precision}`, clock(clockStart), clock(clockMiddle), clock(clockEnd)),
    texts(
      `zoned_clock_${digits}`,
      `time${precision} with time zone`,
      clock(clockStart, "-08:00"),
      clock(clockMiddle, "+05:30"),
      clock(clockEnd, "+01:00"),
    ),
    {
      column: `time_${digits}`,
      type: times,
      proposed,
      values: [timestamp(before, -1), timestamp(later, laterMs), timestamp(last, 253_402_300_799_999)],
    },
    {
      column: `zoned_${digits}`,
      type: zonedTimes,
      proposed,
      values: [
        timestamp(`${before} UTC`, -1),
        timestamp(`${later} +02:00`, laterMs - 7_200_000),
        timestamp(`${later} America/New_York`, laterMs + 5 * 3_600_000),
      ],
    },
  ];
}
