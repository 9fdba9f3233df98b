import pLimit from "p-limit";
import { EngineFailed, UnreadableData } from "#query/engine.ts";
import { runFileTask } from "#threads/file-worker.ts";
import { WorkerEnded } from "#threads/task-workers.ts";
import type { CopyOutcome, CopyTarget } from "./copy-worker-side.ts";
import { CopyTooLarge, type LineFindings } from "./text-copies.ts";

interface ThreadedCopy {
  /** A module that calls `serveCopy`. */
  readonly program: URL;
  readonly task: CopyTarget;
  readonly format: "JSON" | "XLSX";
  /** Maximum heap of the worker. */
  readonly memoryMb: number;
  /** The sentence for a worker that ended unexpectedly. */
  readonly failure: string;
  readonly signal: AbortSignal;
}

const atOnce = pLimit(2);

/** Has a copy written in a worker thread. Rejects with UnreadableData, CopyTooLarge or EngineFailed, or with the signal's reason. */
export async function writeInThread({ program, task, format, memoryMb, failure, signal }: ThreadedCopy): Promise<LineFindings> {
  try {
    const outcome = await atOnce(() => runFileTask<CopyOutcome>(program, task, { memoryMb, signal }));
    if ("findings" in outcome) return outcome.findings;
    throw "isTooLarge" in outcome ? new CopyTooLarge() : new UnreadableData(format, outcome.unreadable);
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    if (error.why === "out-of-memory") throw new UnreadableData(format, "its texts need more memory than there is", error);
    throw new EngineFailed("failed", failure, { cause: error });
  }
}
