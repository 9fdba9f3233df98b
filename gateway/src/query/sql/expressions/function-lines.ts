import type { FunctionName } from "@fairway/expressions/tree";
import type { Bind, Sql, ValueKind } from "./value-kinds.ts";

/** An argument of a function. */
export interface Argument {
  readonly kind: ValueKind;
  readonly value: Sql;
  /** The same to be used more than once: computed on its own before, unless it is a column or a literal. */
  readonly once: Sql;
  /** The value of a literal; undefined for anything else. */
  readonly written: string | number | bigint | boolean | null | undefined;
  /** Of whole numbers, also as decimals: that no value has more bits, without the sign. Absent if that is not known. */
  readonly bits?: number | undefined;
  /** The integer that a decimal is made of. */
  readonly whole?: Sql;
}

/** The result of a function. */
export interface Answer {
  readonly kind: ValueKind;
  readonly bind: Bind;
  /** Whether every result is known to fit into 64 bits. */
  readonly fits: boolean;
  /** Of a call with a time, whether it is a whole day. */
  readonly ofDay: boolean;
}

/** The SQL of a function of values that are held as `values.ts` says. No value makes it fail. */
export type Line = (args: readonly Argument[], answer: Answer) => Sql;

/** One line for each function: an engine without one does not compile. */
export type FunctionLines = { readonly [Name in FunctionName]: Line };

/** Of a function with as many arguments as it needs, which the checker has made sure of. */
export function argument(args: readonly Argument[], index: number): Argument {
  const found = args[index];
  if (found === undefined) throw new Error("a function lacks an argument");
  return found;
}
