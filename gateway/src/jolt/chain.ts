import type { JoltStep } from "@fairway/contract/jolt";
import { cardinality } from "./cardinality.ts";
import { defaults } from "./default.ts";
import { remove } from "./remove.ts";
import { shift } from "./shift.ts";
import { sort } from "./sort.ts";
import { JoltProblem, copyOf, requireModest } from "./values.ts";

const operations: Record<JoltStep["operation"], (spec: unknown, input: unknown) => unknown> = {
  shift,
  default: defaults,
  remove,
  sort: (_, input) => sort(input),
  cardinality,
};

/** What a chain makes of an input, null where nothing is left. Throws JoltProblem, whose path names the step. */
export function runChain(steps: readonly JoltStep[], input: unknown): unknown {
  return steps.reduce<unknown>((value, { operation, spec }, index) => {
    try {
      const output = operations[operation](spec, value) ?? null;
      requireModest(output);
      return output;
    } catch (error) {
      if (!(error instanceof JoltProblem)) throw error;
      throw new JoltProblem(error.message, [index, ...(error.path === "" ? [] : [error.path])].join("."));
    }
  }, copyOf(input));
}
