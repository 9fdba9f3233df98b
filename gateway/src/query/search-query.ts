import type { CalendarPart } from "@fairway/contract/filters";
import type { Ring } from "@fairway/contract/areas";
import type { ColumnType, Operator } from "@fairway/contract/columns";

export interface OrderKey {
  readonly column: string;
  readonly direction: "asc" | "desc";
}

/** A validated comparison: the value is parsed and the operator allowed for the column. */
export interface ComparisonCondition {
  readonly column: string;
  readonly type: ColumnType;
  readonly operator: Operator;
  /**
   * Integers as bigint, decimals as number, timestamps as epoch milliseconds (bigint) whatever the column's unit. Null, with `=` and
   * `<>` only: the rows without a value, or with one.
   */
  readonly value: string | boolean | bigint | number | null;
  /** Compares whole days: every time of a day in UTC equals the day. */
  readonly day?: true;
  /** The original text of a decimal sent as text, which may have more digits than a number can hold. */
  readonly digits?: string;
}

/** A value of a list or a range, as a comparison has it. */
export interface Operand extends Pick<ComparisonCondition, "digits"> {
  readonly value: string | boolean | bigint | number;
}

/** Rows whose value equals one of the values. */
export interface ListCondition extends Pick<ComparisonCondition, "column" | "type" | "day"> {
  readonly operator: "in" | "not in";
  readonly values: readonly Operand[];
  /** Whether rows without a value are among them. */
  readonly empty: boolean;
}

/** Rows whose value is between two values or equals one of them. */
export interface RangeCondition extends Pick<ComparisonCondition, "column" | "type" | "day"> {
  readonly operator: "between" | "not between";
  readonly low: Operand;
  readonly high: Operand;
}

/** Rows whose text contains another or starts with it, ignoring case as the engine does. */
export interface TextCondition extends Pick<ComparisonCondition, "column" | "type"> {
  readonly operator: "contains" | "not contains" | "starts with" | "not starts with";
  readonly value: string;
}

/** Rows whose time has one of these numbers as its part in a zone. */
export interface CalendarCondition extends Pick<ComparisonCondition, "column" | "type"> {
  readonly operator: "when" | "not when";
  readonly part: CalendarPart;
  readonly zone: string;
  readonly numbers: readonly number[];
}

export type PlainCondition = ComparisonCondition | ListCondition | RangeCondition | TextCondition | CalendarCondition;

/** Rows that satisfy every condition of at least one list. */
export interface AlternativesCondition {
  readonly operator: "any";
  readonly lists: readonly (readonly PlainCondition[])[];
}

/**
 * Rows within a box of degrees. South and west edges belong to it, a north edge does so at the pole. Longitudes go around the Earth: 180
 * is -180, and those of 180 to 360 are those of 360 less, so that boxes side by side share no row. `east` is at least `west` and at most
 * 360 more.
 */
export interface BoxCondition {
  readonly operator: "within";
  readonly latitude: string;
  readonly longitude: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** A condition on the rows of a search. Of the operators other than comparisons, those with `not` keep rows without a value. */
export type Condition = PlainCondition | AlternativesCondition | BoxCondition;

/** A search whose names and values have been validated against the dataset. All conditions are AND-ed. */
export interface SearchQuery {
  /** Inclusive at both ends. Without a bound, `startMs` is -Infinity or `endMs` Infinity, but not both. */
  readonly timeRange: { readonly column: string; readonly type: ColumnType; readonly startMs: number; readonly endMs: number } | null;
  /**
   * Rows within any of the rings, by the even-odd rule. Rows on a south or west edge are inside, rows on a north or east
   * edge are not, except on the edges of the world (the poles, the antimeridian as 180 or -180), where all rows a ring
   * reaches are inside. Rings are valid and do not cross themselves. Rows without a position never match. Longitudes of 180 to 360
   * are those of 360 less. `out-of-range`: the rows whose coordinates are no place on Earth, which no ring has.
   */
  readonly area: { readonly latitude: string; readonly longitude: string; readonly rings: readonly Ring[] | "out-of-range" } | null;
  readonly conditions: readonly Condition[];
  readonly sort: readonly OrderKey[];
  readonly offset: number;
  readonly limit: number;
}
