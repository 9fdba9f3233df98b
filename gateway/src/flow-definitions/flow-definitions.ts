import type { FlowChecks, FlowDrawing } from "@fairway/contract/flow-differences";
import { Refusal } from "#http/refusal.ts";
import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { TaskWorkers, WorkerEnded, workerProgram } from "#threads/task-workers.ts";
import type { EnvironmentFacts } from "./check-report.ts";
import type { FlowComparison, FlowOutcome, FlowTask } from "./flow-worker.ts";

const defaults = { timeoutMs: 20_000, memoryMb: 512 };

/**
 * Components of flows, computed in worker threads: a file of 5 MB takes longer than anyone else should wait. Throws a Refusal if too many
 * flows are being read, or if one takes too long or needs too much memory. Decision 0431.
 */
export class FlowDefinitions {
  readonly #workers: TaskWorkers<FlowTask, FlowOutcome>;
  readonly #timeoutMs: number;

  constructor({ timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number } = defaults) {
    this.#timeoutMs = timeoutMs;
    const limits = { workers: 2, perOwner: 1, queue: 64, queuePerOwner: 8, waitMs: 30_000, memoryMb };
    this.#workers = new TaskWorkers(workerProgram(import.meta.url, "./flow-worker"), limits);
  }

  /** Numbers of running and waiting tasks, and of all that were started. */
  get metrics(): TaskWorkers<FlowTask, FlowOutcome>["metrics"] {
    return this.#workers.metrics;
  }

  /** The changes of a content against an older one; against null, everything is added. */
  compare(before: string | null, after: string, call: EngineCall): Promise<FlowComparison> {
    return this.#run({ kind: "compare", before, after }, call);
  }

  /** The same comparison as a drawing. */
  draw(before: string | null, after: string, call: EngineCall): Promise<FlowDrawing> {
    return this.#run({ kind: "draw", before, after }, call);
  }

  check(content: string, environment: EnvironmentFacts | undefined, call: EngineCall): Promise<FlowChecks> {
    return this.#run({ kind: "check", content, environment }, call);
  }

  close(): Promise<void> {
    return this.#workers.close();
  }

  async #run<Outcome extends FlowOutcome>(task: FlowTask, call: EngineCall): Promise<Outcome> {
    const { result } = await this.#workers.run(task, { call, timeoutMs: this.#timeoutMs }).catch((error: unknown) => {
      throw failureOf(error);
    });
    // The worker answers each kind of task with its own kind of outcome.
    return result as Outcome;
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof EngineFailed && error.reason === "too-many") {
    return new Refusal("too-many-requests", "You are comparing too many flows at once. Wait until some are done.", {
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof EngineFailed && error.reason === "busy") {
    return new Refusal("engine-busy", "Other flows are being compared. Try again in a moment.", { retryAfterSeconds: 5 });
  }
  if (!(error instanceof WorkerEnded)) return error;
  if (error.why === "timed-out") return new Refusal("timed-out", "Reading the flow takes too long.");
  if (error.why === "out-of-memory") return new Refusal("too-large", "Reading the flow takes too much memory.");
  return error;
}
