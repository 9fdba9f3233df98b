import { type ColumnType, isDay } from "@fairway/contract/columns";
import type { CoverageUnit } from "@fairway/contract/dataset-profiles";
import type { CalendarPart } from "@fairway/contract/filters";
import type { RawBuilder } from "kysely";
import type { OrderKey, QueryableDataset } from "#query/engine.ts";
import type { FunctionLines } from "./expressions/function-lines.ts";

/** Integers that 64 bits with a sign do not hold. */
export type WideInteger = "uint64" | "int128" | "uint128";

/** How a source stores a column, as far as it affects comparing and showing values. */
export type Storage =
  | { readonly kind: "text" }
  /** Shown and compared as the text that the dialect makes of it: enumerations, UUIDs, times of day, structures. */
  | { readonly kind: "other"; readonly sourceType?: string }
  | { readonly kind: "boolean" }
  /** `narrow`: every value is within ±2^53, so it can be sent as a JSON number. */
  | {
      readonly kind: "integer";
      readonly narrow: boolean;
      /** Without it: at most 64 bits with a sign. */
      readonly width?: WideInteger;
      /** Stored as a decimal of at most this many digits. */
      readonly digits?: number;
    }
  /** `narrow`: as for integers. `scale` of the digits are the fraction. */
  | { readonly kind: "exact-decimal"; readonly narrow: boolean; readonly digits: number; readonly scale: number }
  /** `finite`: the column is known to hold no NaN and no infinity, which saves a test per row. */
  | { readonly kind: "floating"; readonly single: boolean; readonly finite: boolean }
  /** `days`: every value is midnight. `nanoseconds`: 64 bits of them, which hold the years 1678 to 2261. */
  | { readonly kind: "instant"; readonly zoned: boolean; readonly days?: true; readonly nanoseconds?: true };

export interface SqlColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly storage: Storage;
  /** Its times are whole days, which files hold as dates. */
  readonly day?: true;
}

/** A column as a dataset describes it, and as its source stores it. */
export const describedColumn = (column: QueryableDataset["columns"][number], storage: Storage): SqlColumn => ({
  name: column.name,
  type: column.type,
  storage,
  ...(isDay(column) ? { day: true } : {}),
});

/** A table's derived columns, for statements that make them of rows that were selected before. */
export interface DerivedView {
  /** Whether some of these are derived. */
  readonly has: (name: string) => boolean;
  /** The rows of a subquery with their derived columns. It has the columns `given`. */
  readonly over: (rows: RawBuilder<unknown>, given: ReadonlySet<string>) => RawBuilder<unknown>;
}

/** A dataset as its source actually stores it: what the compiler needs besides the query. */
export interface SqlTable {
  readonly from: RawBuilder<unknown>;
  readonly columns: ReadonlyMap<string, SqlColumn>;
  readonly orderBy: readonly OrderKey[];
  /** The order in which rows are stored, if it is known and preserved by reading; null otherwise. */
  readonly storedOrder: readonly OrderKey[] | null;
  /** The same rows with what breaks ties of any order. */
  readonly numbered: {
    readonly from: RawBuilder<unknown>;
    /** The last sort keys; empty if the source has nothing to break ties with. */
    readonly position: readonly RawBuilder<unknown>[];
    /** Whether `position` is the position in file order, which is cheap to sort by and breaks every tie. */
    readonly isFileOrder: boolean;
  };
  /** Absent without derived columns. */
  readonly derived?: DerivedView;
}

/** A SELECT of rows. */
export interface RowsSelect {
  /** The columns that the result shows. */
  readonly columns: readonly SqlColumn[];
  readonly from: RawBuilder<unknown>;
  /** ` where …` or nothing. */
  readonly where: RawBuilder<unknown>;
  /** Condition of the rows to keep; holds window functions over all of them. */
  readonly keep?: RawBuilder<boolean>;
  /** Sort keys; empty if any order will do. */
  readonly order: readonly RawBuilder<unknown>[];
  readonly offset: number;
  /** Null: every row. */
  readonly limit: number | null;
  /** Columns that are made of the rows of the page only. */
  readonly late?: { readonly has: (name: string) => boolean; readonly over: DerivedView["over"] };
}

/** Each item's newest row. */
export interface NewestRows {
  readonly item: RawBuilder<unknown>;
  readonly time: RawBuilder<unknown>;
  /** Rows that have an item and a time. */
  readonly timed: RawBuilder<boolean>;
  /** A SELECT of each item and its newest time. */
  readonly newestTimes: RawBuilder<unknown>;
  /** Sort keys for rows of the same time. */
  readonly first: readonly RawBuilder<unknown>[];
}

/** An edge: its southern end, its northern latitude, and its slope in degrees east per degree north. */
export interface Edge {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly slope: number;
}

/** A moment in the unit of a column, or an expression that chooses one for each row and gets each of them as the engine counts it. */
export type Origin = bigint | ((literal: (origin: bigint) => RawBuilder<unknown>) => RawBuilder<unknown>);

export const originSql = (origin: Origin, literal: (origin: bigint) => RawBuilder<unknown>): RawBuilder<unknown> =>
  typeof origin === "bigint" ? literal(origin) : origin(literal);

/** Differences between SQL engines. */
export interface SqlDialect {
  /** An instant as the engine compares it with a stored one: values at or after it, or before it. */
  instant(epochMs: bigint, storage: Storage & { readonly kind: "instant" }): RawBuilder<unknown>;
  /** A whole number to compare a column of this width with, which can hold it. */
  integer(value: bigint, width?: WideInteger): RawBuilder<unknown>;
  /** A number of rows, such as a limit. */
  rowCount(rows: number): RawBuilder<unknown>;
  /** A floating-point parameter of the column's width: 0.1 must equal a stored single-precision 0.1. */
  floating(value: number, single: boolean): RawBuilder<unknown>;
  asDouble(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A decimal with the given number of digits, `scale` of which are the fraction. */
  exactDecimal(text: string, digits: number, scale: number): RawBuilder<unknown>;
  /** The number of edges of the row's band that pass west of it at its latitude. An edge includes its southern end, but not its northern one. */
  edgesCrossed(
    bands: readonly (readonly Edge[])[],
    band: RawBuilder<unknown>,
    lat: RawBuilder<unknown>,
    lng: RawBuilder<unknown>,
  ): RawBuilder<unknown>;
  isFinite(value: RawBuilder<unknown>): RawBuilder<boolean>;
  /** Whether an instant exists and is finite. */
  isInstant(value: RawBuilder<unknown>): RawBuilder<boolean>;
  asText(value: RawBuilder<unknown>, storage?: Storage): RawBuilder<unknown>;
  /** The texts of the rows that `only` keeps, in order and with commas between them; null without any. */
  joinedTexts(text: RawBuilder<unknown>, order: RawBuilder<unknown>, only: RawBuilder<boolean>): RawBuilder<unknown>;
  /** The first characters of a text. */
  leading(text: RawBuilder<unknown>, characters: number): RawBuilder<unknown>;
  /** Whether `rows` makes the columns that are `late`. */
  readonly derivesAfterPage: boolean;
  /** The functions of computed columns. */
  readonly functions: FunctionLines;
  /** A time of milliseconds since 1970, as the engine shows and compares it. */
  timeOfMs(ms: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Whether these have a zone. */
  readonly computedTimesAreZoned: boolean;
  /** A text without outer spaces in lower case. */
  looseText(text: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A whole number of 64 bits; null beyond. */
  bigint(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A number as the double that it is shown as: of single precision, the one with its own digits. */
  shownDouble(value: RawBuilder<unknown>, storage: Storage): RawBuilder<unknown>;
  /** Whether a text contains another, ignoring case. */
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<boolean>;
  /** Whether a text starts with another, ignoring case. */
  startsWith(text: RawBuilder<unknown>, part: string): RawBuilder<boolean>;
  /** A number or instant as a double; instants in the column's unit. */
  magnitude(value: RawBuilder<unknown>, column: SqlColumn): RawBuilder<unknown>;
  /** The number of whole widths between the origin and a time, both in the column's unit. Never called for times before the origin. */
  step(value: RawBuilder<unknown>, column: SqlColumn, origin: Origin, width: bigint): RawBuilder<unknown>;
  /** Rows as the engine's reader takes them, in order. */
  rows(select: RowsSelect): RawBuilder<unknown>;
  /** Selects the newest row of each item: a condition of the WHERE clause, and what to keep of the rest. */
  newest(rows: NewestRows): { readonly where: RawBuilder<boolean>; readonly keep: RawBuilder<boolean> };
  /** Follows the `as` of a common table expression that is computed once; null if the engine computes it for each use. */
  readonly materialized: RawBuilder<unknown> | null;
  /** The JSON text of an aggregate over this column. */
  cellJson(value: RawBuilder<unknown>, cell: "count" | "number" | SqlColumn): RawBuilder<string | null>;
  /** An average that does not overflow and skips empty values only. */
  average(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The value, perhaps none, in the row of a group where another one is least, or greatest. */
  valueAt(end: "least" | "greatest", value: RawBuilder<unknown>, by: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A sum that does not overflow. */
  sum(value: RawBuilder<unknown>, column: SqlColumn): RawBuilder<unknown>;
  /** `DuckDB`, `Trino` or `Presto`. */
  readonly title: string;
  /** Whether distinct counts and percentiles are estimated unless exact ones are asked for. */
  readonly estimates: boolean;
  /** An instant as a whole number of its column's unit, rounded down; null if it is infinite. */
  shownTime(value: RawBuilder<unknown>, column: SqlColumn): RawBuilder<unknown>;
  /** A time as whole milliseconds since 1970, rounded down; null if it is infinite or beyond the range of times. */
  epochMs(value: RawBuilder<unknown>, column: SqlColumn): RawBuilder<unknown>;
  /** A part of a local time in milliseconds since 1970; days and weeks as in ISO 8601. */
  calendarPart(part: CalendarPart, localMs: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * A further table of FROM that repeats each row for each of the numbers that are not null, or once for `otherwise`. `name` is that of
   * its column.
   */
  eachOf(numbers: readonly RawBuilder<unknown>[], otherwise: number, name: RawBuilder<unknown>, table: string): RawBuilder<unknown>;
  /** A whole number rounded down from a number of any type; null beyond 64 bits. */
  floor(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A number as `percentile` takes it: a double, unless the engine interpolates between other numbers as between doubles. */
  percentileValue(value: RawBuilder<unknown>, column: SqlColumn): RawBuilder<unknown>;
  /** The percentile of such values, interpolated between ranks. `only`: the rows that count. Default: all. */
  percentile(value: RawBuilder<unknown>, p: number, only?: RawBuilder<unknown>): RawBuilder<unknown>;
  approximatePercentile(value: RawBuilder<unknown>, p: number): RawBuilder<unknown>;
  /** An estimate that takes constant memory. */
  approximateDistinct(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A JSON object of how many rows have each of few whole numbers; null without any. */
  countsOfEach(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The most columns whose figures one statement computes, if their table is short. */
  readonly figuresPerScan: number;
  textBytes(value: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A JSON array of texts that are probably frequent, in constant memory. */
  frequentTexts(value: RawBuilder<unknown>, count: number): RawBuilder<unknown>;
  /** Epoch milliseconds at which the calendar unit (UTC) of a time begins; null beyond the years 1 to 9999. */
  unitStart(unit: CoverageUnit, value: RawBuilder<unknown>, column: SqlColumn): RawBuilder<unknown>;
  /** This many random rows of a table expression. */
  randomRows(from: RawBuilder<unknown>, rows: number): RawBuilder<unknown>;
}
