import { parentPort, workerData } from "node:worker_threads";
import { systemCode } from "#process/system-code.ts";

/** The end of a task: its result, or the failure of the system that ended it, such as ENOSPC. */
export type FileTaskEnd<Result> = { readonly result: Result } | { readonly system: string; readonly message: string };

/** Performs the one task that the worker was started for. Call it in the module that `runFileTask` runs. */
export function serveFileTask<Result>(perform: (task: never) => Promise<Result>): void {
  if (parentPort === null) throw new Error("this module can only run in a worker thread");
  const port = parentPort;
  const end = (message: FileTaskEnd<Result>) => port.postMessage(message);
  perform(workerData as never).then(
    (result) => end({ result }),
    (error: unknown) => {
      const system = systemCode(error);
      if (system === undefined) throw error;
      end({ system, message: error instanceof Error ? error.message : String(error) });
    },
  );
}
