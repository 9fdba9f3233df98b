import type { JoltStep } from "@fairway/contract/jolt";
import { cardinality } from "./cardinality.ts";
import { defaults } from "./default.ts";
import { remove } from "./remove.ts";
import { shift } from "./shift.ts";
import { sort } from "./sort.ts";
import { JoltProblem, copyOf, requireBounded } from "./values.ts";

const operations: Record<JoltStep["operation"], (spec: unknown, input: unknown) => unknown> = {
  shift,
  default: defaults,
  remove,
  sort: (_, input) => sort(input),
  cardinality,
};

/** The output of a chain, or null if nothing is left. Throws JoltProblem, whose path starts with the step's index. */
export function runChain(steps: readonly JoltStep[], input: unknown): unknown {
  return steps.reduce<unknown>((value, { operation, spec }, index) => {
    try {
      const output = operations[operation](spec, value) ?? null;
      requireBounded(output);
      return output;
    } catch (error) {
      if (!(error instanceof JoltProblem)) throw error;
      throw new JoltProblem(error.message, [index, ...(error.path === "" ? [] : [error.path])].join("."));
    }
  }, copyOf(input));
}
