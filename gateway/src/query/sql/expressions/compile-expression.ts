import type { Call, Expression, Literal } from "@fairway/expressions/tree";
import { sql } from "kysely";
import type { SqlDialect } from "../table.ts";
import type { Argument } from "./function-lines.ts";
import { type Bind, type Sql, type ValueKind, noValue } from "./value-kinds.ts";
import { kindOf } from "./values.ts";

interface Context {
  readonly dialect: SqlDialect;
  readonly columnValue: (name: string) => Sql;
  /** Of a column of integers that are known to have few bits. */
  readonly columnBits: (name: string) => number | undefined;
  readonly bind: Bind;
}

/** The SQL of a checked expression. Built from the tree: names are quoted, and literals are parameters. */
export function compileExpression(expression: Expression, context: Context): Sql {
  return valueOf(expression, kindOf(expression) ?? "text", context).value;
}

/** `wanted`: the type of a literal without one, and whether an integer is needed as a decimal. */
function valueOf(expression: Expression, wanted: ValueKind, context: Context): Argument {
  const kind = kindOf(expression) ?? wanted;
  const found = plainValue(expression, kind, context);
  if (kind !== "integer" || wanted !== "decimal") return found;
  const { dialect } = context;
  if (expression.kind === "literal")
    return { ...found, kind: "decimal", whole: found.value, ...sameTwice(sql`${dialect.asDouble(found.value)}`) };
  return {
    kind: "decimal",
    value: dialect.asDouble(found.value),
    get once() {
      return dialect.asDouble(found.once);
    },
    written: found.written,
    whole: found.value,
  };
}

const sameTwice = (value: Sql) => ({ value, once: value });

function plainValue(expression: Expression, kind: ValueKind, context: Context): Argument {
  switch (expression.kind) {
    case "literal":
      return {
        kind,
        ...sameTwice(literalSql(expression, kind, context.dialect)),
        written: expression.value,
        ...(typeof expression.value === "bigint" ? { bits: bitsOf(expression.value) } : {}),
      };
    case "column":
      return lazily(kind, context.columnValue(expression.name), context, context.columnBits(expression.name));
    case "call": {
      const { value, bits } = callSql(expression, kind, context);
      return lazily(kind, value, context, bits);
    }
    default:
      return expression satisfies never;
  }
}

function lazily(kind: ValueKind, value: Sql, { bind }: Context, bits: number | undefined): Argument {
  let once: Sql | undefined;
  return {
    kind,
    value,
    get once() {
      return (once ??= bind(value));
    },
    written: undefined,
    bits,
  };
}

function literalSql(literal: Literal, kind: ValueKind, dialect: SqlDialect): Sql {
  if (literal.value === null) return noValue(kind);
  if (typeof literal.value === "bigint") return dialect.integer(literal.value);
  return typeof literal.value === "number" ? dialect.floating(literal.value, false) : sql`${literal.value}`;
}

const bitsOf = (value: bigint): number => (value < 0n ? -value : value).toString(2).length;

/** The most bits of the results of operators on whole numbers. */
function bitsOfCall(name: Call["name"], [one, other]: readonly Argument[]): number | undefined {
  if (one?.bits === undefined || (name !== "negate" && other?.bits === undefined)) return undefined;
  const [a, b] = [one.bits, other?.bits ?? 0];
  if (name === "+" || name === "-") return Math.max(a, b) + 1;
  if (name === "*") return a + b;
  return name === "negate" ? a : undefined;
}

/** Of 64-bit integers, without the sign. */
const mostBits = 62;

function callSql(call: Call, kind: ValueKind, context: Context): { readonly value: Sql; readonly bits: number | undefined } {
  const { name } = call;
  const args = name === "||" ? chained(call) : call.args;
  const wanted = wantedKinds(name, args, kind);
  const values = args.map((arg, index) => valueOf(arg, wanted[index] ?? kind, context));
  const bits = kind === "integer" ? bitsOfCall(name, values) : undefined;
  const fits = bits !== undefined && bits <= mostBits;
  const value = context.dialect.functions[name](values, { kind, bind: context.bind, fits, ofDay: args[0]?.day === true });
  return { value, bits: fits ? bits : undefined };
}

/** The texts that are joined one after another. */
const chained = ({ args }: Call): readonly Expression[] =>
  args.flatMap((arg) => (arg.kind === "call" && arg.name === "||" ? chained(arg) : [arg]));

type Kinds = (args: readonly Expression[], kind: ValueKind) => readonly ValueKind[];

const each =
  (kind: ValueKind): Kinds =>
  (args) =>
    args.map(() => kind);
const ofResult: Kinds = (args, kind) => args.map(() => kind);
const places =
  (...kinds: readonly ValueKind[]): Kinds =>
  (args) =>
    args.map((arg, index) => kindOf(arg) ?? kinds[index] ?? "text");

/** The types that functions need of their arguments, for which integers are turned into decimals. */
const neededKinds: Partial<Record<Call["name"], Kinds>> = {
  if: (_, kind) => ["boolean", kind, kind],
  case: (args, kind) => args.map((_, index) => (index % 2 === 0 && index < args.length - 1 ? "boolean" : kind)),
  coalesce: ofResult,
  least: ofResult,
  greatest: ofResult,
  "+": ofResult,
  "-": ofResult,
  "*": ofResult,
  "%": ofResult,
  bin: ofResult,
  "/": each("decimal"),
  power: each("decimal"),
  sqrt: each("decimal"),
  ln: each("decimal"),
  log10: each("decimal"),
  exp: each("decimal"),
  distance_km: each("decimal"),
  and: each("boolean"),
  or: each("boolean"),
  not: each("boolean"),
  part: places("text", "integer", "integer"),
  left: places("text", "integer"),
  right: places("text", "integer"),
  split_part: places("text", "text", "integer"),
  pad_left: places("text", "integer", "text"),
  round: (args, kind) => places(kind, "integer")(args, kind),
  add: places("time", "integer", "text"),
  number: places("decimal"),
  integer: places("integer"),
};

/** Values that are compared are of one type; a null may be alone. */
const wantedKinds: (name: Call["name"], ...rest: Parameters<Kinds>) => readonly ValueKind[] = (name, args, kind) =>
  neededKinds[name]?.(args, kind) ?? args.map((arg) => kindOf(arg) ?? commonKind(args) ?? ownKind(name));

/** Of arguments that are compared. */
function commonKind(args: readonly Expression[]): ValueKind | undefined {
  const kinds = args.flatMap((arg) => kindOf(arg) ?? []);
  const [first] = kinds;
  return first === "integer" && kinds.includes("decimal") ? "decimal" : first;
}

const numberFunctions: ReadonlySet<string> = new Set<Call["name"]>(["negate", "abs", "sign", "floor", "ceil"]);
const timeFunctions: ReadonlySet<string> = new Set<Call["name"]>([
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
  "seconds_between",
  "days_between",
  "epoch",
]);

/** Of a null where nothing else tells the type. */
const ownKind = (name: Call["name"]): ValueKind => (numberFunctions.has(name) ? "integer" : timeFunctions.has(name) ? "time" : "text");
