import { extname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { EngineCall } from "#query/engine.ts";
import { type SlotLimits, Slots, abandoned } from "#query/slots.ts";
import type { FromWorker } from "./worker-side.ts";

/** A worker ended before its task did. Decision 0120. */
export class WorkerEnded extends Error {
  override readonly name = "WorkerEnded";
  readonly why: "out-of-memory" | "timed-out" | "crashed";
  constructor(why: WorkerEnded["why"], cause?: unknown) {
    super(`a worker ended: ${why}`, { cause });
    this.why = why;
  }
}

export interface WorkerLimits extends SlotLimits {
  readonly workers: number;
  /** Heap of each worker. One that needs more ends, and nothing else. */
  readonly memoryMb: number;
}

interface TaskOptions {
  /** Its signal ends the task and, with it, its worker. */
  readonly call: EngineCall;
  /** Counted from when the worker begins. */
  readonly timeoutMs: number;
  readonly transfer?: readonly ArrayBuffer[];
}

export interface TaskAnswer<Result> {
  readonly result: Result;
  /** What the task emitted, in its order. */
  readonly chunks: readonly Uint8Array[];
}

/** An idle worker is kept for the next task for this long. */
const idleMs = 30_000;
/** A busy machine takes its time to load a worker's modules. */
const startMs = 60_000;

/**
 * Runs tasks in a fixed number of worker threads, started when they are needed. A task that takes too long, needs too much
 * memory or is no longer wanted ends with its worker.
 */
export class TaskWorkers<Task, Result> {
  readonly #seats: readonly Seat<Task, Result>[];
  readonly #slots: Slots<Seat<Task, Result>>;
  #begun = 0;

  /** `program` is a module that calls `serveTasks`; see `workerProgram`. */
  constructor(program: URL, limits: WorkerLimits) {
    this.#seats = Array.from({ length: limits.workers }, () => new Seat<Task, Result>(program, limits.memoryMb));
    this.#slots = new Slots(this.#seats, limits, { subject: "The reader of large answers", work: "large answers" });
  }

  /** Tasks under way, in the queue, and all that were begun. */
  get metrics(): { readonly running: number; readonly waiting: number; readonly begun: number } {
    return { running: this.#slots.inUse, waiting: this.#slots.waiting, begun: this.#begun };
  }

  /** Rejects with WorkerEnded, or with EngineFailed as busy or abandoned. */
  run(task: Task, options: TaskOptions): Promise<TaskAnswer<Result>> {
    return new Promise((resolve, reject) => {
      const inSlot = async (seat: Seat<Task, Result>): Promise<void> => {
        this.#begun += 1;
        const answer = seat.perform(task, options);
        // Whoever waits hears of a failure at once; the slot is free again only when the thread has ended.
        await answer.then(resolve, reject);
        await seat.settled();
      };
      this.#slots.use(options.call, inSlot).catch(reject);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#seats.map((seat) => seat.end()));
  }
}

/** One thread at most; the next task after an end gets a new one. */
class Seat<Task, Result> {
  readonly #program: URL;
  readonly #memoryMb: number;
  #worker: Worker | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(program: URL, memoryMb: number) {
    this.#program = program;
    this.#memoryMb = memoryMb;
  }

  perform(task: Task, { call: { signal }, timeoutMs, transfer = [] }: TaskOptions): Promise<TaskAnswer<Result>> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const chunks: Uint8Array[] = [];
    return new Promise<TaskAnswer<Result>>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        worker.removeAllListeners("message").removeAllListeners("error").removeAllListeners("exit");
        // Without a listener an error of a worker that is ending would end the process.
        worker.on("error", () => undefined);
      };
      const fail = (error: Error) => {
        leave();
        void this.end();
        reject(error);
      };
      const onAbort = () => fail(abandoned(signal));
      const failAfter = (ms: number) => setTimeout(() => fail(new WorkerEnded("timed-out")), ms);
      let timer = failAfter(startMs);
      signal.addEventListener("abort", onAbort, { once: true });
      worker.on("message", (message: FromWorker<Result>) => {
        if ("begins" in message) {
          clearTimeout(timer);
          timer = failAfter(timeoutMs);
          return;
        }
        if ("chunk" in message) {
          chunks.push(message.chunk);
          return;
        }
        leave();
        this.#rest(worker);
        resolve({ result: message.result, chunks });
      });
      worker.on("error", (error: NodeJS.ErrnoException) =>
        fail(new WorkerEnded(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "out-of-memory" : "crashed", error)),
      );
      worker.on("exit", () => fail(new WorkerEnded("crashed")));
      worker.postMessage(task, transfer);
    });
  }

  /** Resolves when no thread is ending any more. */
  async settled(): Promise<void> {
    await this.#ending;
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker) this.#ending = worker.terminate();
    await this.#ending;
  }

  #start(): Worker {
    return startWorker(this.#program, { resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb } });
  }

  #rest(worker: Worker): void {
    // An idle worker keeps no process alive.
    worker.unref();
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#idle = setTimeout(() => void this.end(), idleMs).unref();
  }
}

/** A module that is run from its source, as in tests, is given its loader first. */
function startWorker(program: URL, options: WorkerOptions): Worker {
  if (extname(program.pathname) !== ".ts") return new Worker(program, { ...options, execArgv: [] });
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(program)}); });`;
  return new Worker(start, { ...options, eval: true, execArgv: ["--conditions=source"] });
}

/** The module `name` beside the module at `url`, which is a source in tests and built otherwise. */
export const workerProgram = (url: string, name: string): URL => new URL(name + extname(new URL(url).pathname), url);
