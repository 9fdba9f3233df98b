import { parentPort } from "node:worker_threads";

/** What a worker says of its task: that it begins, any number of chunks, then the result. */
export type FromWorker<Result> = { readonly begins: true } | { readonly chunk: Uint8Array } | { readonly result: Result };

/** Performs a task. Chunks are handed over without being copied. What it throws ends the worker. */
export type TaskProgram<Task, Result> = (task: Task, emit: (chunk: Uint8Array<ArrayBuffer>) => void) => Result;

/** Makes the module that calls this a program of `TaskWorkers`. */
export function serveTasks(perform: TaskProgram<never, unknown>): void {
  if (parentPort === null) throw new Error("this module runs in a worker thread only");
  const port = parentPort;
  const send = (message: FromWorker<unknown>, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, transfer);
  port.on("message", (task: unknown) => {
    send({ begins: true });
    send({ result: perform(task as never, (chunk) => send({ chunk }, [chunk.buffer])) });
  });
}
