import type { FileTaskEnd } from "./file-worker-side.ts";
import { WorkerEnded, startWorker } from "./task-workers.ts";

interface FileTaskOptions {
  /** Maximum heap of the worker. */
  readonly memoryMb: number;
  /** Ends the worker. */
  readonly signal: AbortSignal;
}

/**
 * Runs one task on files, which may take minutes, in a worker thread of its own; its callers limit how many there are. `program` is a
 * module that calls `serveFileTask`. Rejects with WorkerEnded, with an error of the system that has its code, or with the signal's reason.
 */
export async function runFileTask<Result>(program: URL, task: unknown, { memoryMb, signal }: FileTaskOptions): Promise<Result> {
  signal.throwIfAborted();
  const worker = startWorker(program, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      onAbort = () => reject(signal.reason as Error);
      signal.addEventListener("abort", onAbort, { once: true });
      worker.on("message", (end: FileTaskEnd<Result>) => {
        if ("result" in end) resolve(end.result);
        else reject(Object.assign(new Error(end.message), { code: end.system }));
      });
      worker.on("error", (error: NodeJS.ErrnoException) =>
        reject(new WorkerEnded(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "out-of-memory" : "crashed", error)),
      );
      worker.on("exit", () => reject(new WorkerEnded("crashed")));
    });
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}
