import pLimit from "p-limit";
import { EngineFailed, UnreadableData } from "#query/engine.ts";
import { runFileTask } from "#threads/file-worker.ts";
import { WorkerEnded } from "#threads/task-workers.ts";
import type { CopyOutcome, CopyTarget } from "./copy-worker-side.ts";
import { CopyTooLarge, type LineFindings } from "./text-copies.ts";

interface ThreadedTask<Task> {
  /** A module that calls `serveCopy`, or `serveFileTask` for other tasks. */
  readonly program: URL;
  readonly task: Task;
  readonly format: "CSV" | "JSON" | "XLSX";
  /** Maximum heap of the worker. */
  readonly memoryMb: number;
  /** The sentence for a worker that ended unexpectedly. */
  readonly failure: string;
  readonly signal: AbortSignal;
}

const atOnce = pLimit(2);

/** Has a copy written in a worker thread. Rejects with UnreadableData, CopyTooLarge or EngineFailed, or with the signal's reason. */
export async function writeInThread(copy: ThreadedTask<CopyTarget>): Promise<LineFindings> {
  const outcome = await inThread<CopyOutcome>(copy);
  if ("findings" in outcome) return outcome.findings;
  throw "isTooLarge" in outcome ? new CopyTooLarge() : new UnreadableData(copy.format, outcome.unreadable);
}

/** Has a file read in a worker thread. Rejects with UnreadableData or EngineFailed, or with the signal's reason. */
export async function inThread<Result>({ program, task, format, memoryMb, failure, signal }: ThreadedTask<unknown>): Promise<Result> {
  try {
    return await atOnce(() => runFileTask<Result>(program, task, { memoryMb, signal }));
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    if (error.why === "out-of-memory") throw new UnreadableData(format, "its texts need more memory than there is", error);
    throw new EngineFailed("failed", failure, { cause: error });
  }
}
