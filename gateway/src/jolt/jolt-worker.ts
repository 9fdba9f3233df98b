import type { JoltStep } from "@fairway/contract/jolt";
import { type TaskProgram, serveTasks } from "#threads/worker-side.ts";
import { runChain } from "./chain.ts";
import { JoltProblem } from "./values.ts";

/** A chain to run in a worker thread; `input` is JSON. */
export interface JoltTask {
  readonly steps: readonly JoltStep[];
  readonly input: string;
}

export type JoltOutcome = { readonly output: string } | { readonly problem: { readonly message: string; readonly path: string } };

const run: TaskProgram<JoltTask, JoltOutcome> = ({ steps, input }) => {
  try {
    return { output: JSON.stringify(runChain(steps, JSON.parse(input))) };
  } catch (error) {
    if (!(error instanceof JoltProblem)) throw error;
    return { problem: { message: error.message, path: error.path } };
  }
};

serveTasks(run);
