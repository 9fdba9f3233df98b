import { type RawBuilder, sql } from "kysely";
import { type Argument, type FunctionLines, type Line, argument } from "./function-lines.ts";
import type { LineParts } from "./line-parts.ts";
import { type Bind, type Sql, noValue } from "./value-kinds.ts";

/** Compares as decimals if one of two numbers is one. */
function pair(one: Argument, operator: RawBuilder<unknown>, other: Argument, isOnce = false): Sql {
  const isMixed = one.kind !== other.kind;
  const side = ({ kind, value, once }: Argument, named: boolean) => {
    const shown = named ? once : value;
    return isMixed && kind === "integer" ? sql`cast(${shown} as double)` : shown;
  };
  return sql`(${side(one, isOnce)} ${operator} ${side(other, false)})`;
}

const compared =
  (operator: RawBuilder<unknown>): Line =>
  (args) =>
    pair(argument(args, 0), operator, argument(args, 1));

const joinedBy =
  (word: RawBuilder<unknown>): Line =>
  (args) =>
    sql`(${argument(args, 0).value} ${word} ${argument(args, 1).value})`;

const isMixed = (args: readonly Argument[]): boolean => new Set(args.map(({ kind }) => kind)).size > 1;

const listed = (args: readonly Argument[]): Sql =>
  sql.join(
    args.map(({ value }) => value),
    sql`, `,
  );

/** Lines of conditions and choices. */
export function conditionLines({ extreme }: Pick<LineParts, "extreme">) {
  const extremeOf = (which: "least" | "greatest", args: readonly Argument[], bind: Bind): Sql =>
    args.length === 1
      ? argument(args, 0).value
      : extreme(
          which,
          args.map(({ once }) => once),
          bind,
        );
  return {
    "=": compared(sql`=`),
    "<>": compared(sql`<>`),
    "<": compared(sql`<`),
    "<=": compared(sql`<=`),
    ">": compared(sql`>`),
    ">=": compared(sql`>=`),
    and: joinedBy(sql`and`),
    or: joinedBy(sql`or`),
    not: (args) => sql`(not ${argument(args, 0).value})`,
    in: (args) => {
      // Trino forgets a null in a list for some integers.
      const [one, others] = [argument(args, 0), args.slice(1).filter(({ written }) => written !== null)];
      if (others.length < args.length - 1) {
        const found = others.length === 0 ? [] : [sql`${one.once} in (${listed(others)})`];
        const some = isMixed([one, ...others]) ? others.map((other) => pair(one, sql`=`, other, true)) : found;
        return sql`(${sql.join([...some, sql`cast(null as boolean)`], sql` or `)})`;
      }
      if (!isMixed(args)) return sql`(${one.value} in (${listed(others)}))`;
      return sql`(${sql.join(
        others.map((other) => pair(one, sql`=`, other, true)),
        sql` or `,
      )})`;
    },
    between: (args) => {
      const [one, least, most] = [argument(args, 0), argument(args, 1), argument(args, 2)];
      // Not BETWEEN, which is unknown in Presto where one end is null and the other excludes the value.
      return sql`(${pair(one, sql`>=`, least, true)} and ${pair(one, sql`<=`, most, true)})`;
    },
    "is null": (args) => sql`(${argument(args, 0).value} is null)`,
    case: (args, { kind }) => {
      const hasElse = args.length % 2 === 1;
      const branches = Array.from({ length: Math.floor(args.length / 2) }, (_, index) => {
        const [condition, result] = [argument(args, 2 * index), argument(args, 2 * index + 1)];
        return sql`when ${condition.value} then ${result.value}`;
      });
      return sql`case ${sql.join(branches, sql` `)} else ${hasElse ? argument(args, args.length - 1).value : noValue(kind)} end`;
    },
    if: (args, { kind }) =>
      sql`case when ${argument(args, 0).value} then ${argument(args, 1).value} else ${args[2]?.value ?? noValue(kind)} end`,
    coalesce: (args) => sql`coalesce(${listed(args)})`,
    null_if: (args, { kind }) => {
      const [one, other] = [argument(args, 0), argument(args, 1)];
      return sql`case when ${pair(one, sql`=`, other, true)} then ${noValue(kind)} else ${one.once} end`;
    },
    least: (args, { bind }) => extremeOf("least", args, bind),
    greatest: (args, { bind }) => extremeOf("greatest", args, bind),
  } satisfies Partial<FunctionLines>;
}
