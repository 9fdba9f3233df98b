import type { ColumnType } from "@fairway/contract/columns";

/** The types of values. Nothing converts by itself: each function names the types that it takes. */
export type ExpressionType = "text" | "number" | "boolean" | "time";

/** Integers have 64 bits; decimals are doubles. What leaves these bounds has no value. */
export type NumberKind = "integer" | "decimal";

/** A range of the text that was checked, in UTF-16 units. `to` is not part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type Expression = Literal | ColumnReference | Call;

interface TypedNode {
  /** Of a number: whether it is an integer or a decimal. Null for other types. */
  readonly numberKind: NumberKind | null;
  /** Of a time: whether it is a whole day (midnight in UTC), which is the same in every zone. */
  readonly day: boolean;
  readonly span: Span;
}

/**
 * A value that was written. A minus in front of a number is part of it. Only `null` has no type: it takes that of what it is compared
 * or chosen with.
 */
export type Literal = TypedNode & { readonly kind: "literal" } & (
    | { readonly type: "text"; readonly value: string }
    | { readonly type: "boolean"; readonly value: boolean }
    | { readonly type: "number"; readonly numberKind: "integer"; readonly value: bigint; readonly text: string }
    | { readonly type: "number"; readonly numberKind: "decimal"; readonly value: number; readonly text: string }
    | { readonly type: null; readonly value: null }
  );

/** The columns that a formula uses. */
export function columnsIn(expression: Expression): readonly string[] {
  if (expression.kind === "column") return [expression.name];
  return expression.kind === "call" ? [...new Set(expression.args.flatMap(columnsIn))] : [];
}

/** A column of the row. `name` is that of the dataset, also where the text has it in another case. */
export interface ColumnReference extends TypedNode {
  readonly kind: "column";
  readonly name: string;
  readonly type: ExpressionType;
  readonly columnType: ColumnType;
}

/**
 * An operator or a function, with the number of arguments that `functions.ts` allows for it. Where `numberKind` is "decimal", arguments
 * may be integers: `if`, `case`, `coalesce`, `least` and `greatest` answer them as decimals, and arithmetic counts in decimals.
 * Units and zones are arguments, too: text literals that the checker knows.
 */
export interface Call extends TypedNode {
  readonly kind: "call";
  readonly name: FunctionName;
  readonly args: readonly Expression[];
  readonly type: ExpressionType;
}

/**
 * The operators. `x not in (…)`, `x not between …` and `x is not null` are `not` of the others.
 *
 * - `negate`: one argument, a number that is no literal.
 * - `in`: the value, then the list.
 * - `between`: the value, the least and the greatest that it may be.
 * - `is null`: one argument.
 * - `case`: condition, result, condition, result …, and as a last, odd one the result otherwise. Without it that is null.
 *
 * All others have two arguments (`not` one); chains such as `a + b + c` are nested at the left.
 */
export const operatorNames = [
  "negate",
  "+",
  "-",
  "*",
  "/",
  "%",
  "||",
  "=",
  "<>",
  "<",
  "<=",
  ">",
  ">=",
  "and",
  "or",
  "not",
  "in",
  "between",
  "is null",
  "case",
] as const;
export type OperatorName = (typeof operatorNames)[number];

/** Functions that are called by name, with arguments in parentheses. */
export const calledNames = [
  "if",
  "coalesce",
  "null_if",
  "abs",
  "sign",
  "round",
  "floor",
  "ceil",
  "sqrt",
  "ln",
  "log10",
  "exp",
  "power",
  "least",
  "greatest",
  "bin",
  "length",
  "lower",
  "upper",
  "trim",
  "left",
  "right",
  "part",
  "replace",
  "contains",
  "starts_with",
  "ends_with",
  "split_part",
  "pad_left",
  "concat",
  "number",
  "integer",
  "text",
  "time",
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "weekday",
  "hour",
  "minute",
  "second",
  "start_of",
  "add",
  "seconds_between",
  "days_between",
  "epoch",
  "distance_km",
] as const;
export type CalledName = (typeof calledNames)[number];

export type FunctionName = OperatorName | CalledName;

/** A column that expressions may use: one of the dataset, one that was looked up, or one computed before. */
export interface ExpressionColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Its times are whole days. */
  readonly day?: boolean | undefined;
}

/** Why a text is no expression, and where. */
export interface ExpressionError extends Span {
  readonly message: string;
}

/** The column that an expression makes. Times are TIMESTAMP_MILLS. */
export interface ResultColumn {
  readonly type: Exclude<ColumnType, "TIMESTAMP_SECONDS">;
  readonly day: boolean;
}

/** The answer of `check(text, columns)` in `check.ts`. `errors` has at least one entry. */
export type Checked =
  | { readonly tree: Expression; readonly result: ResultColumn; readonly errors?: undefined }
  | { readonly tree?: undefined; readonly result?: undefined; readonly errors: readonly ExpressionError[] };
