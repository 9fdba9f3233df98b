import type { Expression } from "./tree.ts";

/** Operators of one level: a chain of them is not nested, although the tree holds it as pairs. */
const chains: readonly (readonly string[])[] = [["and"], ["or"], ["+", "-", "||"], ["*", "/", "%"]];

const isChained = (name: string, first: Expression | undefined): boolean =>
  first?.kind === "call" && chains.some((operators) => operators.includes(name) && operators.includes(first.name));

/** How deep functions and operators are nested; a column or a value alone is 1. */
export function depthOf(tree: Expression): number {
  if (tree.kind !== "call") return 1;
  const depths = tree.args.map((one, index) => depthOf(one) + (index === 0 && isChained(tree.name, one) ? 0 : 1));
  return Math.max(1, ...depths);
}
