import type { Limits } from "@fairway/contract/limits";
import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { TaskWorkers, WorkerEnded, workerProgram } from "#threads/task-workers.ts";
import { type AnswerRead, type AnswerReading, readAnswer, tooMuchToRead } from "./answer-reading.ts";
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

/** An answer that was read, with its rows as UTF-8 of the inside of a JSON array. */
export interface ReadRows extends AnswerRead {
  readonly chunks: readonly Uint8Array[];
}

/** Answers up to this size are read where they are: it takes a few milliseconds, less than handing them over. */
const inPlaceBytes = 128_000;
const inPlaceCharacters = 1_000_000;
/** Of a worker's heap, what an answer may take; the rest is for what is made of it. */
const answersShare = 0.85;

/** Reads answers of upstreams: small ones at once, large ones in worker threads, so that nobody else waits for them. */
export class AnswerReaders {
  readonly #limits: ReaderLimits;
  readonly #workers: TaskWorkers<AnswerTask, AnswerOutcome>;

  constructor(limits: ReaderLimits) {
    this.#limits = limits;
    this.#workers = new TaskWorkers(workerProgram(import.meta.url, "./answer-worker"), {
      workers: limits.upstreamReaders,
      // All but one, where there are several.
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

  /** Takes the answer's bytes along. Throws UnreadableAnswer and EngineFailed. */
  async read(answer: UpstreamAnswer, reading: Omit<AnswerReading, "contentType" | "maxCharacters">, call: EngineCall): Promise<ReadRows> {
    // What has no content has no rows, wherever they belong.
    const isEmpty = answer.status === 204;
    const blocks = isEmpty ? [new TextEncoder().encode("[]")] : answer.blocks;
    const common = { ...reading, contentType: answer.contentType, ...(isEmpty ? { rowsPath: null } : {}) };
    const size = blocks.reduce((sum, { length }) => sum + length, 0);
    if (size <= inPlaceBytes) {
      try {
        return readInPlace(blocks, { ...common, maxCharacters: inPlaceCharacters });
      } catch (error) {
        if (!(error instanceof RowsTooLarge)) throw error;
      }
    }
    return this.#readInWorker(blocks, { ...common, maxCharacters: this.#limits.upstreamAnswerBytes }, call);
  }

  async #readInWorker(blocks: readonly Uint8Array<ArrayBuffer>[], reading: AnswerReading, call: EngineCall): Promise<ReadRows> {
    const { upstreamReaderMemoryMb, upstreamReadMs } = this.#limits;
    const task: AnswerTask = { blocks, reading, maxBytes: upstreamReaderMemoryMb * 1_048_576 * answersShare };
    const transfer = blocks.map(({ buffer }) => buffer);
    const { result, chunks } = await this.#workers.run(task, { call, timeoutMs: upstreamReadMs, transfer }).catch((error: unknown) => {
      throw error instanceof WorkerEnded ? workerFailure(error, upstreamReadMs) : error;
    });
    if ("unreadable" in result) throw new UnreadableAnswer(result.unreadable);
    return { ...result.read, chunks };
  }

  close(): Promise<void> {
    return this.#workers.close();
  }
}

function readInPlace(blocks: readonly Uint8Array[], reading: AnswerReading): ReadRows {
  const chunks: Uint8Array[] = [];
  const read = readAnswer(Buffer.concat(blocks), reading, (chunk) => chunks.push(chunk));
  return { ...read, chunks };
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
