import type { FlowChange, FlowChangeCounts, FlowChecks, FlowDrawing } from "@fairway/contract/flow-differences";
import { type TaskProgram, serveTasks } from "#threads/worker-side.ts";
import { checkFlow } from "./check-flow.ts";
import type { EnvironmentFacts } from "./check-report.ts";
import { type FlowDifferences, compareFlows } from "./compare-flows.ts";
import { describeChanges } from "./describe-change.ts";
import { drawComparison } from "./draw-flow.ts";
import { type ComponentFlow, FlowUnreadable } from "./flow-model.ts";
import { readFlow } from "./read-flow.ts";

/** `before` null: everything is added. */
export type FlowTask =
  | { readonly kind: "compare" | "draw"; readonly before: string | null; readonly after: string }
  | { readonly kind: "check"; readonly content: string; readonly environment: EnvironmentFacts | undefined };

export type FlowComparison =
  | {
      readonly outcome: "compared";
      /** Grouped by process group, from the outside in; at most `maxDescribed`. */
      readonly changes: readonly FlowChange[];
      /** Of all changes, listed or not. */
      readonly counts: FlowChangeCounts;
    }
  | { readonly outcome: "not-comparable"; readonly sentence: string };

export type FlowOutcome = FlowComparison | FlowDrawing | FlowChecks;

const perform: TaskProgram<FlowTask, FlowOutcome> = (task) => {
  switch (task.kind) {
    case "compare":
      return differencesOf(task, (differences): FlowComparison => ({ outcome: "compared", ...describeChanges(differences) }));
    case "draw":
      return differencesOf(task, (differences): FlowDrawing => ({ outcome: "drawn", groups: drawComparison(differences) }));
    case "check":
      return checkFlow(task.content, task.environment);
    default:
      return task satisfies never;
  }
};

type NotComparable = Extract<FlowComparison, { outcome: "not-comparable" }>;

function differencesOf<Outcome>(
  { before, after }: { before: string | null; after: string },
  use: (differences: FlowDifferences) => Outcome,
): Outcome | NotComparable {
  const newer = readComponents(after, "The newer content");
  if ("outcome" in newer) return newer;
  const older = before === null ? emptyLike(newer) : readComponents(before, "The older content");
  return "outcome" in older ? older : use(compareFlows(older, newer));
}

function readComponents(text: string, which: string): ComponentFlow | NotComparable {
  try {
    const flow = readFlow(text);
    if (flow.format !== "yaml") return flow;
    return { outcome: "not-comparable", sentence: `${which} is YAML, which is only shown as text.` };
  } catch (error) {
    if (!(error instanceof FlowUnreadable)) throw error;
    return { outcome: "not-comparable", sentence: `${which} cannot be compared. ${error.message}` };
  }
}

/** Without any component, but also without a difference of the flow itself. */
function emptyLike({ format, components }: ComponentFlow): ComponentFlow {
  const flow = components.get("flow");
  return { format, rootId: "", components: new Map(flow ? [[flow.id, flow]] : []) };
}

serveTasks(perform);
