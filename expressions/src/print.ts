import { findCalled } from "./functions.ts";
import type { Call, Expression, Literal } from "./tree.ts";

/** How tightly an operator holds its values together. */
const levels = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, sign: 7, value: 8 } as const;

const operators: Readonly<Record<string, number>> = {
  or: levels.or,
  and: levels.and,
  "=": levels.comparison,
  "<>": levels.comparison,
  "<": levels.comparison,
  "<=": levels.comparison,
  ">": levels.comparison,
  ">=": levels.comparison,
  "+": levels.sum,
  "-": levels.sum,
  "||": levels.sum,
  "*": levels.product,
  "/": levels.product,
  "%": levels.product,
};

const keywords = new Set("and or not in between is null true false case when then else end".split(" "));

/** The text of a tree: checked again, it gives an equal tree, whatever the columns are called. */
export const print = (tree: Expression): string => printed(tree).text;

interface Printed {
  readonly text: string;
  readonly level: number;
}

/** A name as formulas contain it: in quotes unless it reads as a name by itself. */
export const printName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name) && !keywords.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`;

function within(tree: Expression, level: number): string {
  const inner = printed(tree);
  return inner.level < level ? `(${inner.text})` : inner.text;
}

function printed(tree: Expression): Printed {
  if (tree.kind === "column") return { text: printName(tree.name), level: levels.value };
  return tree.kind === "literal" ? literal(tree) : call(tree);
}

function literal(tree: Literal): Printed {
  if (tree.type === "text") return { text: `'${tree.value.replaceAll("'", "''")}'`, level: levels.value };
  if (tree.type !== "number") return { text: String(tree.value), level: levels.value };
  return { text: tree.text, level: tree.text.startsWith("-") ? levels.sign : levels.value };
}

function call({ name, args }: Call): Printed {
  const [first, second, third] = args;
  if (findCalled(name) !== undefined) return { text: `${name}(${list(args)})`, level: levels.value };
  const level = operators[name];
  if (first === undefined) throw new Error(`${name} has no values.`);
  if (level !== undefined && second !== undefined) return { text: `${within(first, level)} ${name} ${within(second, level + 1)}`, level };
  if (name === "negate") return { text: `-${within(first, levels.sign)}`, level: levels.sign };
  if (name === "case") return { text: caseText(args), level: levels.value };
  if (name === "not") return negation(first);
  return { text: test(name, "", first, [second, third], args), level: levels.comparison };
}

const list = (args: readonly Expression[]): string => args.map((one) => within(one, 0)).join(", ");

/** `x not in (…)` reads better than `not x in (…)`; both give the same tree. */
function negation(inner: Expression): Printed {
  const [first, second, third] = inner.kind === "call" ? inner.args : [];
  if (inner.kind === "call" && first !== undefined && ["in", "between", "is null"].includes(inner.name))
    return { text: test(inner.name, "not ", first, [second, third], inner.args), level: levels.comparison };
  return { text: `not ${within(inner, levels.not)}`, level: levels.not };
}

function test(
  name: string,
  not: string,
  first: Expression,
  ends: readonly (Expression | undefined)[],
  args: readonly Expression[],
): string {
  const subject = within(first, levels.comparison);
  if (name === "in") return `${subject} ${not}in (${list(args.slice(1))})`;
  if (name === "is null") return `${subject} is ${not}null`;
  const range = ends.filter((end) => end !== undefined).map((end) => within(end, levels.sum));
  return `${subject} ${not}between ${range.join(" and ")}`;
}

function caseText(args: readonly Expression[]): string {
  const parts: string[] = [];
  for (let at = 0; at + 1 < args.length; at += 2) {
    const [condition, result] = args.slice(at, at + 2);
    if (condition !== undefined && result !== undefined) parts.push(`when ${within(condition, 0)} then ${within(result, 0)}`);
  }
  const otherwise = args.length % 2 === 1 ? args.at(-1) : undefined;
  return ["case", ...parts, ...(otherwise === undefined ? [] : [`else ${within(otherwise, 0)}`]), "end"].join(" ");
}
