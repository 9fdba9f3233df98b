import { comparisons, nullable } from "./evaluate/conditions.ts";
import { numberFunctions } from "./evaluate/numbers.ts";
import { textFunctions } from "./evaluate/texts.ts";
import { timeFunctions } from "./evaluate/times.ts";
import type { Computed, Value } from "./evaluate/value.ts";
import type { Call, Expression, FunctionName } from "./tree.ts";

const withNulls: Readonly<Partial<Record<FunctionName, Computed>>> = { ...nullable, concat: textFunctions.concat };
const others = { ...comparisons, ...numberFunctions, ...textFunctions, ...timeFunctions };
const withoutNulls: Readonly<Partial<Record<FunctionName, Computed>>> = others;

/**
 * The value of a formula for one row. `valueOf` gives that of a column, as `readCell` in `cells.ts` reads it. Nothing fails: what has no
 * result is null. This is what SQL has to agree with on every engine.
 */
export function evaluate(tree: Expression, valueOf: (column: string) => Value): Value {
  if (tree.kind === "literal") return tree.value;
  if (tree.kind === "column") return valueOf(tree.name);
  return compute(
    tree,
    tree.args.map((arg) => evaluate(arg, valueOf)),
  );
}

function compute(call: Call, args: readonly Value[]): Value {
  const takingNulls = withNulls[call.name];
  if (takingNulls !== undefined) return takingNulls(args, call);
  if (args.includes(null)) return null;
  const computed = withoutNulls[call.name];
  if (computed === undefined) throw new Error(`${call.name} has no meaning.`);
  return computed(args, call);
}
