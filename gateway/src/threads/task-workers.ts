import { extname } from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { EngineCall } from "#query/engine.ts";
import { type SlotLimits, Slots, abandoned } from "#query/slots.ts";
import type { FromWorker } from "./worker-side.ts";

/** A worker ended before its task was done. Decision 0120. */
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
  /** Maximum heap of each worker. A worker that exceeds it is terminated. */
  readonly memoryMb: number;
}

interface TaskOptions {
  /** Aborting its signal terminates the worker of the task. */
  readonly call: EngineCall;
  /** Measured from the start of the task in the worker. */
  readonly timeoutMs: number;
  readonly transfer?: readonly ArrayBuffer[];
}

export interface TaskAnswer<Result> {
  readonly result: Result;
  /** Emitted chunks, in order. */
  readonly chunks: readonly Uint8Array[];
}

/** Time that an idle worker is kept. */
const idleMs = 30_000;
/** Long, because loading a worker's modules is slow on a busy machine. */
const startTimeoutMs = 60_000;

/**
 * Runs tasks in a limited number of worker threads, which are started on demand. A task that takes too long, needs too much
 * memory or is aborted is ended by terminating its worker.
 */
export class TaskWorkers<Task, Result> {
  readonly #workerSlots: readonly WorkerSlot<Task, Result>[];
  readonly #slots: Slots<WorkerSlot<Task, Result>>;
  #started = 0;

  /** `program` is a module that calls `serveTasks`; see `workerProgram`. */
  constructor(program: URL, limits: WorkerLimits) {
    this.#workerSlots = Array.from({ length: limits.workers }, () => new WorkerSlot<Task, Result>(program, limits.memoryMb));
    this.#slots = new Slots(this.#workerSlots, limits, { subject: "The reader of large answers", work: "large answers" });
  }

  /** Number of running and waiting tasks, and of all started tasks. */
  get metrics(): { readonly running: number; readonly waiting: number; readonly started: number } {
    return { running: this.#slots.inUse, waiting: this.#slots.waiting, started: this.#started };
  }

  /** Rejects with WorkerEnded, or with EngineFailed as busy or abandoned. */
  run(task: Task, options: TaskOptions): Promise<TaskAnswer<Result>> {
    return new Promise((resolve, reject) => {
      const inSlot = async (workerSlot: WorkerSlot<Task, Result>): Promise<void> => {
        this.#started += 1;
        const answer = workerSlot.perform(task, options);
        // Rejects immediately, but releases the slot only after the thread has ended.
        await answer.then(resolve, reject);
        await workerSlot.settled();
      };
      this.#slots.use(options.call, inSlot).catch(reject);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#workerSlots.map((workerSlot) => workerSlot.end()));
  }
}

/** At most one thread. After it has ended, the next task starts a new one. */
class WorkerSlot<Task, Result> {
  readonly #program: URL;
  readonly #memoryMb: number;
  #worker: Worker | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(program: URL, memoryMb: number) {
    this.#program = program;
    this.#memoryMb = memoryMb;
  }

  perform(task: Task, { call: { signal }, timeoutMs, transfer = [] }: TaskOptions): Promise<TaskAnswer<Result>> {
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const chunks: Uint8Array[] = [];
    return new Promise<TaskAnswer<Result>>((resolve, reject) => {
      const cleanUp = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        worker.removeAllListeners("message").removeAllListeners("error").removeAllListeners("exit");
        // Without a listener, an error of an ending worker would end the process.
        worker.on("error", () => undefined);
      };
      const fail = (error: Error) => {
        cleanUp();
        void this.end();
        reject(error);
      };
      const onAbort = () => fail(abandoned(signal));
      const failAfter = (ms: number) => setTimeout(() => fail(new WorkerEnded("timed-out")), ms);
      let timer = failAfter(startTimeoutMs);
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
        cleanUp();
        this.#setIdle(worker);
        resolve({ result: message.result, chunks });
      });
      worker.on("error", (error: NodeJS.ErrnoException) =>
        fail(new WorkerEnded(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "out-of-memory" : "crashed", error)),
      );
      worker.on("exit", () => fail(new WorkerEnded("crashed")));
      worker.postMessage(task, transfer);
    });
  }

  /** Resolves when no thread is being terminated. */
  async settled(): Promise<void> {
    await this.#ending;
  }

  async end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker) this.#ending = worker.terminate();
    await this.#ending;
  }

  #start(): Worker {
    return startWorker(this.#program, { resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb } });
  }

  #setIdle(worker: Worker): void {
    // An idle worker must not keep the process alive.
    worker.unref();
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#idleTimer = setTimeout(() => void this.end(), idleMs).unref();
  }
}

/** Registers the TypeScript loader first if the module is a source file, as in tests. */
export function startWorker(program: URL, options: WorkerOptions): Worker {
  if (extname(program.pathname) !== ".ts") return new Worker(program, { ...options, execArgv: [] });
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(program)}); });`;
  return new Worker(start, { ...options, eval: true, execArgv: ["--conditions=source"] });
}

/** The module `name` next to the module at `url`, with the same extension: a source file in tests, otherwise a built one. */
export const workerProgram = (url: string, name: string): URL => new URL(name + extname(new URL(url).pathname), url);
