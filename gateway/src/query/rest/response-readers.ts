import type { Limits } from "@fairway/contract/limits";
import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { TaskWorkers, WorkerEnded, workerProgram } from "#threads/task-workers.ts";
import { type ParsedResponse, type ReadOptions, parseResponse, tooMuchToRead } from "./response-parser.ts";
import type { ResponseOutcome, ResponseTask } from "./response-worker.ts";
import type { UpstreamResponse } from "./upstream-caller.ts";
import { RowsTooLarge, UnreadableResponse } from "./upstream-rows.ts";

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

/** A parsed response, with its rows as UTF-8 chunks of the inside of a JSON array. */
export interface ReadRows extends ParsedResponse {
  readonly chunks: readonly Uint8Array[];
}

/** Responses up to this size are parsed on the main thread, which takes a few milliseconds and less than a transfer to a worker. */
const mainThreadBytes = 128_000;
const mainThreadCharacters = 1_000_000;
/** The share of a worker's heap for the parsed response; the rest is for its output. */
const responseHeapShare = 0.85;

/** Parses responses of upstreams: small ones directly, large ones in worker threads to keep the event loop free. */
export class ResponseReaders {
  readonly #limits: ReaderLimits;
  readonly #workers: TaskWorkers<ResponseTask, ResponseOutcome>;

  constructor(limits: ReaderLimits) {
    this.#limits = limits;
    this.#workers = new TaskWorkers(workerProgram(import.meta.url, "./response-worker"), {
      workers: limits.upstreamReaders,
      // Slots lowers this to all but one if there are several.
      perOwner: limits.upstreamReaders,
      queue: limits.engineQueue,
      queuePerOwner: limits.engineQueuePerUser,
      waitMs: limits.engineWaitMs,
      memoryMb: limits.upstreamReaderMemoryMb,
    });
  }

  get metrics(): TaskWorkers<ResponseTask, ResponseOutcome>["metrics"] {
    return this.#workers.metrics;
  }

  /** Transfers the response's buffers, which are unusable afterwards. Throws UnreadableResponse and EngineFailed. */
  async read(response: UpstreamResponse, options: Omit<ReadOptions, "contentType" | "maxCharacters">, call: EngineCall): Promise<ReadRows> {
    // 204 No Content means no rows, whatever the rows path.
    const isEmpty = response.status === 204;
    const blocks = isEmpty ? [new TextEncoder().encode("[]")] : response.blocks;
    const common = { ...options, contentType: response.contentType, ...(isEmpty ? { rowsPath: null } : {}) };
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
    const task: ResponseTask = { blocks, options, maxBytes: upstreamReaderMemoryMb * 1_048_576 * responseHeapShare };
    const transfer = blocks.map(({ buffer }) => buffer);
    const { result, chunks } = await this.#workers.run(task, { call, timeoutMs: upstreamReadMs, transfer }).catch((error: unknown) => {
      throw error instanceof WorkerEnded ? workerFailure(error, upstreamReadMs) : error;
    });
    if ("unreadable" in result) throw new UnreadableResponse(result.unreadable);
    return { ...result.parsed, chunks };
  }

  close(): Promise<void> {
    return this.#workers.close();
  }
}

function readOnMainThread(blocks: readonly Uint8Array[], options: ReadOptions): ReadRows {
  const chunks: Uint8Array[] = [];
  const parsed = parseResponse(Buffer.concat(blocks), options, (chunk) => chunks.push(chunk));
  return { ...parsed, chunks };
}

function workerFailure(error: WorkerEnded, timeoutMs: number): Error {
  switch (error.why) {
    case "out-of-memory":
      return new UnreadableResponse(tooMuchToRead);
    case "timed-out":
      return new EngineFailed(
        "timed-out",
        `The response of the service behind this dataset could not be read within ${(timeoutMs / 1_000).toLocaleString("en-US")} s.`,
      );
    case "crashed":
      return new EngineFailed("failed", "The response of the service behind this dataset could not be read.", { cause: error });
    default:
      return error.why satisfies never;
  }
}
