import type { JoltStep } from "@fairway/contract/jolt";
import { Refusal } from "#http/refusal.ts";
import { runChain } from "./chain.ts";
import { JoltProblem } from "./values.ts";

/** What a chain makes of an input. Refuses naming the place in the chain that means nothing. */
export function checkedRun(steps: readonly JoltStep[], input: unknown): unknown {
  try {
    return runChain(steps, input);
  } catch (error) {
    if (!(error instanceof JoltProblem)) throw error;
    const path = (error.path === "" ? "joltSpec" : `joltSpec.${error.path}`).slice(0, 200);
    throw new Refusal("invalid-value", `'${path}': ${error.message}`, { path });
  }
}
