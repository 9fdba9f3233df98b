import type { Accepted, FunctionDescription, Parameter, Result, Takes } from "./function-description.ts";
import type { CalledName } from "./tree.ts";

type CalledDescription = FunctionDescription & { readonly name: CalledName };
type Group = FunctionDescription["group"];

const one = (name: string, ...takes: [Accepted, ...Accepted[]]): Parameter => ({ name, takes });
const written = (name: string, takes: Takes): Parameter => ({ name, takes });
const optional = (parameter: Parameter): Parameter => ({ ...parameter, optional: true });
const repeated = (parameter: Parameter): Parameter => ({ ...parameter, repeated: true });

const signatureOf = (name: string, parameters: readonly Parameter[]): string =>
  `${name}(${parameters.map((one) => `${one.name}${one.optional === true ? "?" : ""}${one.repeated === true ? ", …" : ""}`).join(", ")})`;

type Row = [name: CalledName, parameters: readonly Parameter[], result: Result, example: string, gives: string, description: string];

const group = (name: Group, rows: readonly Row[]): readonly CalledDescription[] =>
  rows.map(([called, parameters, result, example, gives, description]) => ({
    name: called,
    group: name,
    parameters,
    result,
    signature: signatureOf(called, parameters),
    example,
    gives,
    description,
  }));

const [x, text, time] = [one("x", "number"), one("text", "text"), one("time", "time")];
const zone = optional(written("zone", "zone"));
const [a, b, others] = [written("a", "same"), written("b", "same"), repeated(written("b", "same"))];
const ordered = [written("a", "orderable"), repeated(written("b", "orderable"))];
const search = (name: string) => [text, one(name, "text")];

/** Functions that are called by name, in the order of the documentation. */
export const calledTable: readonly CalledDescription[] = [
  ...group("Conditions", [
    [
      "if",
      [one("condition", "boolean"), written("then", "same"), optional(written("else", "same"))],
      "same",
      "if(20 > 15, 'late', 'on time')",
      "late",
      "The second value if the condition is true, otherwise the third, or none.",
    ],
    ["coalesce", [a, others], "same", "coalesce(null, 'unknown')", "unknown", "The first of the values that there is."],
    ["null_if", [a, b], "first", "null_if(-9999, -9999)", "no value", "The first value, but none if it equals the second."],
  ]),
  ...group("Numbers", [
    ["abs", [x], "arithmetic", "abs(-13)", "13", "The number without its sign."],
    ["sign", [x], "integer", "sign(-13)", "-1", "-1 below zero, 1 above, 0 for zero."],
    [
      "round",
      [x, optional(one("digits", "integer"))],
      "first",
      "round(-2.5)",
      "-3",
      "The nearest number with so many decimal places, halves away from zero. Negative digits round to tens and hundreds.",
    ],
    ["floor", [x], "arithmetic", "floor(-2.5)", "-3", "The next whole number below."],
    ["ceil", [x], "arithmetic", "ceil(-2.5)", "-2", "The next whole number above."],
    ["sqrt", [x], "decimal", "sqrt(9)", "3", "The square root."],
    ["ln", [x], "decimal", "ln(1)", "0", "The natural logarithm."],
    ["log10", [x], "decimal", "log10(1000)", "3", "The logarithm to base 10."],
    ["exp", [x], "decimal", "exp(0)", "1", "e to the power of x."],
    ["power", [x, one("exponent", "number")], "decimal", "power(2, 10)", "1024", "A number to the power of another."],
    ["least", ordered, "same", "least(3, null, 2)", "2", "The least of the values that there are."],
    ["greatest", ordered, "same", "greatest(3, null, 2)", "3", "The greatest of the values that there are."],
    [
      "bin",
      [x, one("width", "number")],
      "arithmetic",
      "bin(-1, 15)",
      "-15",
      "The multiple of the width at or below the number, which groups numbers into ranges.",
    ],
  ]),
  ...group("Texts", [
    ["length", [text], "integer", "length('日本')", "2", "How many characters the text has."],
    ["lower", [text], "text", "lower('ATL')", "atl", "The text in lower case."],
    ["upper", [text], "text", "upper('atl')", "ATL", "The text in upper case."],
    ["trim", [text], "text", "trim('  ATL ')", "ATL", "The text without blanks around it."],
    ["left", [text, one("count", "integer")], "text", "left('Atlanta', 3)", "Atl", "The first characters."],
    ["right", [text, one("count", "integer")], "text", "right('Atlanta', 3)", "nta", "The last characters."],
    [
      "part",
      [text, one("from", "integer"), one("count", "integer")],
      "text",
      "part('Atlanta', 2, 3)",
      "tla",
      "So many characters from a place on. The first place is 1.",
    ],
    [
      "replace",
      [text, one("find", "text"), one("with", "text")],
      "text",
      "replace('a-b-c', '-', '/')",
      "a/b/c",
      "The text with another in place of each occurrence.",
    ],
    ["contains", search("find"), "boolean", "contains('Atlanta', 'lan')", "true", "Whether the text occurs, in the same case."],
    ["starts_with", search("start"), "boolean", "starts_with('Atlanta', 'At')", "true", "Whether the text begins with another."],
    ["ends_with", search("end"), "boolean", "ends_with('Atlanta', 'ta')", "true", "Whether the text ends with another."],
    [
      "split_part",
      [text, one("separator", "text"), one("number", "integer")],
      "text",
      "split_part('KATL/ATL', '/', 2)",
      "ATL",
      "A part of a text with separators. The first part is 1.",
    ],
    [
      "pad_left",
      [text, one("length", "integer"), one("with", "text")],
      "text",
      "pad_left('7', 3, '0')",
      "007",
      "The text, filled at its left up to a length of at most 1,000 characters. Longer texts stay.",
    ],
    [
      "concat",
      [one("a", "text"), repeated(optional(one("b", "text")))],
      "text",
      "concat('a', null, 'b')",
      "ab",
      "All texts that there are, one after the other.",
    ],
  ]),
  ...group("Conversions", [
    ["number", [one("value", "text", "number")], "decimal", "number('12.5')", "12.5", "The decimal that a text holds."],
    [
      "integer",
      [one("value", "text", "number")],
      "integer",
      "integer(-2.7)",
      "-2",
      "The integer in a text or a number, without its fraction.",
    ],
    ["text", [written("value", "any")], "text", "text(12) || ' min'", "12 min", "A value as text."],
    [
      "time",
      [one("value", "text", "number")],
      "time",
      "time('2024-05-31 17:59')",
      "2024-05-31T17:59:00Z",
      "The time in an ISO text, in UTC if it names no offset, or in seconds since 1970.",
    ],
  ]),
  ...group("Times", [
    ["year", [time, zone], "integer", "year(time('2024-05-31'))", "2024", "The year."],
    ["quarter", [time, zone], "integer", "quarter(time('2024-05-31'))", "2", "The quarter, 1 to 4."],
    ["month", [time, zone], "integer", "month(time('2024-05-31'))", "5", "The month, 1 to 12."],
    ["week", [time, zone], "integer", "week(time('2024-12-30'))", "1", "The ISO week, 1 to 53."],
    ["day", [time, zone], "integer", "day(time('2024-05-31'))", "31", "The day of the month."],
    ["weekday", [time, zone], "integer", "weekday(time('2024-05-31'))", "5", "The day of the week, from 1 for Monday to 7."],
    ["hour", [time, zone], "integer", "hour(time('2024-05-31 17:59'), 'Europe/Berlin')", "19", "The hour, 0 to 23."],
    ["minute", [time, zone], "integer", "minute(time('2024-05-31 17:59'))", "59", "The minute."],
    ["second", [time, zone], "integer", "second(time('2024-05-31 17:59:30'))", "30", "The second, without its fraction."],
    [
      "start_of",
      [time, written("unit", "start unit"), zone],
      "time",
      "start_of(time('2024-05-31'), 'month')",
      "2024-05-01T00:00:00Z",
      "The start of the minute, hour, day, week, month, quarter or year.",
    ],
    [
      "add",
      [time, one("count", "integer"), written("unit", "add unit")],
      "time",
      "add(time('2024-01-31'), 1, 'month')",
      "2024-02-29T00:00:00Z",
      "The time so many seconds, minutes, hours, days, weeks, months, quarters or years later. Months stay within the month.",
    ],
    [
      "seconds_between",
      [one("from", "time"), one("to", "time")],
      "decimal",
      "seconds_between(time('2024-01-01'), time('2024-01-01 00:01:30'))",
      "90",
      "The seconds from a time to another.",
    ],
    [
      "days_between",
      [one("from", "time"), one("to", "time")],
      "decimal",
      "days_between(time('2024-01-01'), time('2024-01-02 12:00'))",
      "1.5",
      "The days of 24 hours from a time to another.",
    ],
    ["epoch", [time], "decimal", "epoch(time('1970-01-02'))", "86400", "The seconds since 1970."],
  ]),
  ...group("Places", [
    [
      "distance_km",
      [one("latitude", "number"), one("longitude", "number"), one("latitude", "number"), one("longitude", "number")],
      "decimal",
      "round(distance_km(33.64, -84.43, 41.98, -87.9), 0)",
      "976",
      "The kilometers between two places, on a sphere.",
    ],
  ]),
];
