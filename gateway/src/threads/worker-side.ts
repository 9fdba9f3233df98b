import { parentPort } from "node:worker_threads";

/** Messages of a worker about its task: its start, any number of chunks, then the result. */
export type FromWorker<Result> = { readonly begins: true } | { readonly chunk: Uint8Array } | { readonly result: Result };

/** Performs a task. Chunks are transferred, not copied. An error ends the worker. */
export type TaskProgram<Task, Result> = (task: Task, emit: (chunk: Uint8Array<ArrayBuffer>) => void) => Result;

/** Call it in the module that `TaskWorkers` runs. */
export function serveTasks(perform: TaskProgram<never, unknown>): void {
  if (parentPort === null) throw new Error("this module can only run in a worker thread");
  const port = parentPort;
  const send = (message: FromWorker<unknown>, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, transfer);
  port.on("message", (task: unknown) => {
    send({ begins: true });
    send({ result: perform(task as never, (chunk) => send({ chunk }, [chunk.buffer])) });
  });
}
