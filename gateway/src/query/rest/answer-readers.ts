import type { Limits } from "@fairway/contract/limits";
import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { TaskWorkers, WorkerEnded, workerProgram } from "#threads/task-workers.ts";
import { type ParsedAnswer, type ReadOptions, readAnswer, tooMuchToRead } from "./answer-reading.ts";
import type { AnswerOutcome, AnswerTask } from "./answer-worker.ts";
import type { UpstreamAnswer } from "./upstream-caller.ts";
import { RowsTooLarge, UnreadableAnswer } from "./upstream-rows.ts";

export type ReaderLimits = Pick<
  Limits,
  | "upstreamReadMs"
  | "upstreamAnswerBytes"
  | "upstreamReaders"
  | "upstreamReaderMemoryMb"
  | "engineQueue"
  | "engineQueuePerUser"
  | "engineWaitMs"
>;

/** A parsed answer, with its rows as UTF-8 chunks of the inside of a JSON array. */
export interface ReadRows extends ParsedAnswer {
  readonly chunks: readonly Uint8Array[];
}

/** Answers up to this size are parsed on the main thread, which takes a few milliseconds and less than a transfer to a worker. */
const mainThreadBytes = 128_000;
const mainThreadCharacters = 1_000_000;
/** The share of a worker's heap for the parsed answer; the rest is for its output. */
const answerHeapShare = 0.85;

/** Parses answers of upstreams: small ones directly, large ones in worker threads to keep the event loop free. */
export class AnswerReaders {
  readonly #limits: ReaderLimits;
  readonly #workers: TaskWorkers<AnswerTask, AnswerOutcome>;

  constructor(limits: ReaderLimits) {
    this.#limits = limits;
    this.#workers = new TaskWorkers(workerProgram(import.meta.url, "./answer-worker"), {
      workers: limits.upstreamReaders,
      // Slots lowers this to all but one if there are several.
      perOwner: limits.upstreamReaders,
      queue: limits.engineQueue,
      queuePerOwner: limits.engineQueuePerUser,
      waitMs: limits.engineWaitMs,
      memoryMb: limits.upstreamReaderMemoryMb,
    });
  }

  get metrics(): TaskWorkers<AnswerTask, AnswerOutcome>["metrics"] {
    return this.#workers.metrics;
  }

  /** Transfers the answer's buffers, which are unusable afterwards. Throws UnreadableAnswer and EngineFailed. */
  async read(answer: UpstreamAnswer, options: Omit<ReadOptions, "contentType" | "maxCharacters">, call: EngineCall): Promise<ReadRows> {
    // 204 No Content means no rows, whatever the rows path.
    const isEmpty = answer.status === 204;
    const blocks = isEmpty ? [new TextEncoder().encode("[]")] : answer.blocks;
    const common = { ...options, contentType: answer.contentType, ...(isEmpty ? { rowsPath: null } : {}) };
    const size = blocks.reduce((sum, { length }) => sum + length, 0);
    if (size <= mainThreadBytes) {
      try {
        return readOnMainThread(blocks, { ...common, maxCharacters: mainThreadCharacters });
      } catch (error) {
        if (!(error instanceof RowsTooLarge)) throw error;
      }
    }
    return this.#readInWorker(blocks, { ...common, maxCharacters: this.#limits.upstreamAnswerBytes }, call);
  }

  async #readInWorker(blocks: readonly Uint8Array<ArrayBuffer>[], options: ReadOptions, call: EngineCall): Promise<ReadRows> {
    const { upstreamReaderMemoryMb, upstreamReadMs } = this.#limits;
    const task: AnswerTask = { blocks, options, maxBytes: upstreamReaderMemoryMb * 1_048_576 * answerHeapShare };
    const transfer = blocks.map(({ buffer }) => buffer);
    const { result, chunks } = await this.#workers.run(task, { call, timeoutMs: upstreamReadMs, transfer }).catch((error: unknown) => {
      throw error instanceof WorkerEnded ? workerFailure(error, upstreamReadMs) : error;
    });
    if ("unreadable" in result) throw new UnreadableAnswer(result.unreadable);
    return { ...result.parsed, chunks };
  }

  close(): Promise<void> {
    return this.#workers.close();
  }
}

function readOnMainThread(blocks: readonly Uint8Array[], options: ReadOptions): ReadRows {
  const chunks: Uint8Array[] = [];
  const parsed = readAnswer(Buffer.concat(blocks), options, (chunk) => chunks.push(chunk));
  return { ...parsed, chunks };
}

function workerFailure(error: WorkerEnded, timeoutMs: number): Error {
  switch (error.why) {
    case "out-of-memory":
      return new UnreadableAnswer(tooMuchToRead);
    case "timed-out":
      return new EngineFailed(
        "timed-out",
        `The answer of this dataset's upstream could not be read within ${(timeoutMs / 1_000).toLocaleString("en-US")} s.`,
      );
    case "crashed":
      return new EngineFailed("failed", "The answer of this dataset's upstream could not be read.", { cause: error });
    default:
      return error.why satisfies never;
  }
}
