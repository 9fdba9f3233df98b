import { NifiFailed, type NifiFailureReason } from "./failure.ts";
import { plainText } from "./plain-text.ts";

export type DeployStepName = "sign-in" | "check" | "stop" | "replace" | "enable-services" | "start" | "put-back" | "remove-new";

export interface DeployStep {
  readonly name: DeployStepName;
  /** First `running`, then one of the others. */
  readonly state: "running" | "done" | "skipped" | "failed";
  /** Result or error, in sentences; empty while running. */
  readonly detail: string;
  /** Undefined while running. */
  readonly durationMs: number | undefined;
}

export const deployStepLabels: Readonly<Record<DeployStepName, string>> = {
  "sign-in": "Sign in to NiFi",
  check: "Check the environment",
  stop: "Stop the running version",
  replace: "Replace the flow",
  "enable-services": "Enable controller services",
  start: "Start the processors",
  "put-back": "Restore the previous version",
  "remove-new": "Remove what was created",
};

/**
 * - `unchanged`: nothing was touched
 * - `put-back`: what ran before runs again, or the new group of a first deployment is removed
 * - `changed`: NiFi is in the state that the message describes
 * - `unknown`: NiFi does not answer any more
 */
export type StateLeft = "unchanged" | "put-back" | "changed" | "unknown";

/** A deployment failed. The message says why, and what is in NiFi now. */
export class DeployFailed extends NifiFailed {
  override readonly name = "DeployFailed";
  readonly step: DeployStepName;
  readonly left: StateLeft;
  /** The `previous` of the next deployment; undefined = none. */
  readonly processGroupId: string | undefined;
  readonly steps: readonly DeployStep[];
  /** An error of the portal itself. */
  readonly unexpected: unknown;

  constructor(
    failure: { readonly reason: NifiFailureReason; readonly message: string; readonly status?: number | undefined },
    state: Pick<DeployFailed, "step" | "left" | "processGroupId" | "steps"> & { readonly unexpected?: unknown },
  ) {
    super(failure.reason, failure.message, failure.status);
    this.step = state.step;
    this.left = state.left;
    this.processGroupId = state.processGroupId;
    this.steps = state.steps;
    this.unexpected = state.unexpected;
  }
}

/** The result of a step that had nothing to do. */
export class Skipped {
  readonly detail: string;
  constructor(detail: string) {
    this.detail = detail;
  }
}

/** Runs the steps of one deployment and reports each change of them. */
export class StepLog {
  readonly #steps: DeployStep[] = [];
  readonly #onStep: (step: DeployStep) => void;
  #current: DeployStepName = "sign-in";

  constructor(onStep: ((step: DeployStep) => void) | undefined) {
    this.#onStep = onStep ?? (() => undefined);
  }

  /** The step that is running or ended last. */
  get current(): DeployStepName {
    return this.#current;
  }

  get steps(): readonly DeployStep[] {
    return [...this.#steps];
  }

  async run(name: DeployStepName, work: () => Promise<string | Skipped>): Promise<void> {
    this.#current = name;
    const startedMs = performance.now();
    const at = this.#steps.length;
    const report = (state: DeployStep["state"], detail: string): void => {
      const durationMs = state === "running" ? undefined : Math.round(performance.now() - startedMs);
      const step = { name, state, detail: plainText(detail), durationMs };
      this.#steps[at] = step;
      this.#onStep(step);
    };
    report("running", "");
    try {
      const result = await work();
      if (result instanceof Skipped) report("skipped", result.detail);
      else report("done", result);
    } catch (error) {
      report("failed", error instanceof NifiFailed ? error.message : "The portal failed.");
      throw error;
    }
  }
}
