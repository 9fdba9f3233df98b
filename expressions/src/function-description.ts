import type { ExpressionType, FunctionName } from "./tree.ts";

/** `number` takes integers and decimals. */
export type Accepted = ExpressionType | "integer";

/**
 * The values that a parameter takes: those of certain types; values of one type, together with the other parameters that are `same`; or a
 * text that is written in the formula: a unit of `start_of`, a unit of `add`, or the name of a time zone.
 */
export type Takes = readonly [Accepted, ...Accepted[]] | "any" | "same" | "orderable" | "start unit" | "add unit" | "zone";

export interface Parameter {
  readonly name: string;
  readonly takes: Takes;
  readonly optional?: true;
  /** The last one of a function that takes any number of values. */
  readonly repeated?: true;
}

/**
 * The type of a result. `arithmetic`: an integer if all numbers are integers. `first`: that of the first value. `same`: that of the
 * values that are `same`; of numbers, a decimal if one of them is.
 */
export type Result = "text" | "boolean" | "time" | "integer" | "decimal" | "arithmetic" | "first" | "same";

export interface FunctionDescription {
  readonly name: FunctionName;
  readonly parameters: readonly Parameter[];
  readonly result: Result;
  /** How it is written, such as `bin(x, width)`. */
  readonly signature: string;
  /** A formula without columns, and what it gives. */
  readonly example: string;
  readonly gives: string;
  /** A sentence. */
  readonly description: string;
  readonly group: "Conditions" | "Numbers" | "Texts" | "Times" | "Places" | "Conversions";
  /** Of operators: what they do, as in "'+' adds numbers". */
  readonly does?: string;
}
