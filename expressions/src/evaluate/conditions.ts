import { compare, type Computed, decimalOrNull, type Value } from "./value.ts";

const compared =
  (holds: (order: number) => boolean): Computed =>
  ([a, b]) =>
    holds(compare(a, b));

export const comparisons = {
  "=": compared((order) => order === 0),
  "<>": compared((order) => order !== 0),
  "<": compared((order) => order < 0),
  "<=": compared((order) => order <= 0),
  ">": compared((order) => order > 0),
  ">=": compared((order) => order >= 0),
  not: ([a]) => a !== true,
} satisfies Readonly<Record<string, Computed>>;

/** True if one is, null if one is unknown, otherwise false. */
const any = (conditions: readonly Value[]): Value => (conditions.includes(true) ? true : conditions.includes(null) ? null : false);
const all = (conditions: readonly Value[]): Value => (conditions.includes(false) ? false : conditions.includes(null) ? null : true);
const orNull = (a: Value | undefined, b: Value | undefined, holds: (order: number) => boolean): Value =>
  a === null || b === null ? null : holds(compare(a, b));

/** A value that was chosen, as a decimal where one of the others is. */
const chosen =
  (choose: Computed): Computed =>
  (args, call) => {
    const value = choose(args, call);
    return call.numberKind === "decimal" && typeof value === "bigint" ? decimalOrNull(Number(value)) : value;
  };

const extreme = (isBetter: (order: number) => boolean): Computed =>
  chosen((args) => {
    const values = args.filter((one) => one !== null);
    return values.length === 0 ? null : values.reduce((best, one) => (isBetter(compare(one, best)) ? one : best));
  });

const firstTrue: Computed = (args) => {
  for (let at = 0; at + 1 < args.length; at += 2) if (args[at] === true) return args[at + 1] ?? null;
  return args.length % 2 === 1 ? (args.at(-1) ?? null) : null;
};

/** Functions that are called with nulls as well: all others have no value as soon as one of theirs is missing. */
export const nullable = {
  and: all,
  or: any,
  in: ([value, ...list]) => any(list.map((one) => orNull(value, one, (order) => order === 0))),
  between: ([value, least, most]) => all([orNull(value, least, (order) => order >= 0), orNull(value, most, (order) => order <= 0)]),
  "is null": ([value]) => value === null,
  case: chosen(firstTrue),
  if: chosen(firstTrue),
  coalesce: chosen((args) => args.find((one) => one !== null) ?? null),
  null_if: ([a = null, b]) => (orNull(a, b, (order) => order === 0) === true ? null : a),
  least: extreme((order) => order < 0),
  greatest: extreme((order) => order > 0),
} satisfies Readonly<Record<string, Computed>>;
