import type { Bind, Sql } from "./value-kinds.ts";

/** In what engines differ, for lines that are otherwise the same. */
export interface LineParts {
  /** The value; null where computing it fails. Each row that fails costs as much as a hundred others. */
  readonly attempt: (value: Sql) => Sql;
  /** A double; null if it is infinite. */
  readonly bounded: (double: Sql, bind: Bind) => Sql;
  /** A double; null if it is infinite or no number. */
  readonly finite: (double: Sql, bind: Bind) => Sql;
  /** Null of text that is no number. */
  readonly toDouble: (text: Sql) => Sql;
  /** The integer of a double or a text, which has no fraction; null beyond 64 bits. */
  readonly toInteger: (value: Sql) => Sql;
  /** Without its fraction. */
  readonly truncated: (double: Sql) => Sql;
  /** The nearest whole number, halves away from zero. */
  readonly rounded: (double: Sql, bind: Bind) => Sql;
  /** A decimal in the fewest digits, as JavaScript writes it. */
  readonly decimalText: (double: Sql, bind: Bind) => Sql;
  /** The values of one type that are there, of which some may be null. */
  readonly extreme: (which: "least" | "greatest", values: readonly Sql[], bind: Bind) => Sql;
  /** From the first character on, which is 1. `count` is 0 to 2^31. */
  readonly substring: (text: Sql, from: Sql, count: Sql) => Sql;
  readonly contains: (text: Sql, find: Sql) => Sql;
  readonly startsWith: (text: Sql, start: Sql) => Sql;
  readonly endsWith: (text: Sql, end: Sql) => Sql;
  readonly trimmed: (text: Sql, blanks: string) => Sql;
  /** The parts between separators that are not empty; null of a number beyond them. `number` is at least 1. */
  readonly splitPart: (text: Sql, separator: Sql, number: Sql) => Sql;
  /** `length` is below 2^31 and above that of the text, and `fill` is not empty. */
  readonly padLeft: (text: Sql, length: Sql, fill: Sql) => Sql;
  /** Whether a text matches a pattern with anchors. */
  readonly matches: (text: Sql, pattern: string) => Sql;
  /** A group of a pattern; null or empty where it does not match. */
  readonly extracted: (text: Sql, pattern: string, group: number) => Sql;
  /** Midnight of a day `YYYY-MM-DD` in milliseconds; null if there is no such day. */
  readonly midnightOf: (text: Sql) => Sql;
  readonly calendarPart: (part: LocalPart, localMs: Sql) => Sql;
  /** In milliseconds, as the argument. */
  readonly startOf: (unit: "month" | "quarter" | "year", localMs: Sql) => Sql;
  /** `months` has 64 bits. Null far outside the calendar. */
  readonly laterByMonths: (epochMs: Sql, months: Sql) => Sql;
  /** `2024-05-31T17:59:30.000Z` of a time within the years 1 to 9999. */
  readonly isoText: (epochMs: Sql) => Sql;
}

export type LocalPart = "year" | "quarter" | "month" | "week" | "day" | "weekday";
