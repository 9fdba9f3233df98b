import type { JoltStep } from "@fairway/contract/jolt";
import { Refusal } from "#http/refusal.ts";
import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { TaskWorkers, WorkerEnded, workerProgram } from "#threads/task-workers.ts";
import type { JoltOutcome, JoltTask } from "./jolt-worker.ts";

const timeoutMs = 5_000;
const memoryMb = 128;

/** Runs chains in a worker thread, because a specification of a few hundred bytes can cause endless work. Decision 0121. */
export class JoltRunner {
  readonly #workers: TaskWorkers<JoltTask, JoltOutcome>;

  constructor() {
    const program = workerProgram(import.meta.url, "./jolt-worker");
    this.#workers = new TaskWorkers(program, { workers: 1, perOwner: 1, queue: 32, queuePerOwner: 32, waitMs: 10_000, memoryMb });
  }

  /** Numbers of running and waiting chains, and of all that were started. */
  get metrics(): TaskWorkers<JoltTask, JoltOutcome>["metrics"] {
    return this.#workers.metrics;
  }

  /** The output of a chain as JSON. Throws a Refusal with the path of the step that is invalid or exceeds a limit. */
  async run(steps: readonly JoltStep[], input: unknown, call: EngineCall): Promise<string> {
    const task = { steps, input: JSON.stringify(input) };
    const { result } = await this.#workers.run(task, { call, timeoutMs }).catch((error: unknown) => {
      throw failureOf(error);
    });
    if ("output" in result) return result.output;
    throw refusal(result.problem.message, result.problem.path);
  }

  close(): Promise<void> {
    return this.#workers.close();
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof EngineFailed && (error.reason === "busy" || error.reason === "too-many")) {
    return new Refusal("engine-busy", "Other Jolt chains are running. Try again in a moment.", { retryAfterSeconds: 5 });
  }
  if (!(error instanceof WorkerEnded)) return error;
  if (error.why === "timed-out") return refusal(`The chain runs for longer than ${timeoutMs / 1_000} s.`);
  if (error.why === "out-of-memory") return refusal(`The chain needs more than ${memoryMb} MB of memory.`);
  return error;
}

function refusal(message: string, within = ""): Refusal {
  const path = (within === "" ? "joltSpec" : `joltSpec.${within}`).slice(0, 200);
  return new Refusal("invalid-value", `'${path}': ${message}`, { path });
}
