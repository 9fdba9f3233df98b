import { TreeBuilder } from "./build-tree.ts";
import { parser } from "./grammar/parser.ts";
import { expressionLimits } from "./limits.ts";
import { depthOf } from "./nesting.ts";
import { syntaxError } from "./syntax-errors.ts";
import type { Checked, Expression, ExpressionColumn, ExpressionError, ResultColumn } from "./tree.ts";

/**
 * Reads a formula over the columns of a row. Names and types are checked: what is answered as a tree has only functions that there are,
 * with values of the types that they take. Otherwise all that is wrong, in the order of the text; of mistakes in its form, the first.
 */
export function check(text: string, columns: readonly ExpressionColumn[]): Checked {
  const errors = new Errors();
  const { characters, nodes, depth } = expressionLimits;
  if (text.length > characters) {
    const message = `A formula has at most ${number(characters)} characters; this one has ${number(text.length)}.`;
    return { errors: [{ message, from: characters, to: text.length }] };
  }
  const parsed = parser.parse(text);
  const mistake = syntaxError(text, parsed);
  if (mistake !== undefined) return { errors: [mistake] };
  const builder = new TreeBuilder(text, columns, errors);
  const tree = builder.build(parsed);
  const whole = { from: 0, to: text.length };
  if (builder.nodes > nodes)
    errors.add(whole, `A formula has at most ${nodes} values, columns and functions; this one has ${builder.nodes}.`);
  if (tree !== undefined && depthOf(tree) > depth)
    errors.add(whole, `Functions and operators may be nested ${depth} deep; this formula is ${depthOf(tree)} deep.`);
  const result = tree && resultOf(tree);
  if (tree !== undefined && result === undefined) errors.add(tree.span, "The formula is null in every row.");
  if (tree === undefined || result === undefined || errors.found.length > 0) return { errors: errors.inOrder() };
  return { tree, result };
}

class Errors {
  readonly found: ExpressionError[] = [];

  add({ from, to }: { readonly from: number; readonly to: number }, message: string): undefined {
    this.found.push({ message, from, to });
  }

  inOrder(): readonly ExpressionError[] {
    return this.found.toSorted((a, b) => a.from - b.from || a.to - b.to);
  }
}

const number = (count: number): string => count.toLocaleString("en-US");

const resultTypes = { text: "STRING", boolean: "BOOLEAN", time: "TIMESTAMP_MILLS" } as const;

function resultOf({ type, numberKind, day }: Expression): ResultColumn | undefined {
  if (type === null) return undefined;
  return { type: type === "number" ? (numberKind ?? "decimal") : resultTypes[type], day };
}
