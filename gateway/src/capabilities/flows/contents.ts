import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FlowFormat } from "@fairway/contract/flow-requests";
import { flowContentBytes } from "@fairway/contract/flows";
import { isStorable } from "@fairway/contract/text";
import { Refusal } from "#http/refusal.ts";
import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { TaskWorkers, WorkerEnded, workerProgram } from "#threads/task-workers.ts";
import { type ContentOutcome, type ContentTask, performContentTask } from "./content-tasks.ts";
import type { LineContext } from "./line-context.ts";

const decompress = promisify(gunzip);

/** A content as it is stored. Decision 0450. */
export interface PackedContent {
  /** Of the text in UTF-8. */
  readonly bytes: number;
  readonly format: FlowFormat;
  readonly content: Buffer;
}

export const unpackContent = async (content: Buffer): Promise<string> =>
  (await decompress(content, { maxOutputLength: flowContentBytes })).toString("utf8");

/** Smaller contents take a few milliseconds, less than a worker thread needs to start. */
const workerBytes = 50_000;
const timeoutMs = 10_000;
const memoryMb = 512;

/** Checks, compresses and reads contents of iterations; large ones in a worker thread, because that takes seconds for some. Decision 0452. */
export class FlowContents {
  readonly #workers = new TaskWorkers<ContentTask, ContentOutcome>(workerProgram(import.meta.url, "./content-worker"), {
    workers: 2,
    perOwner: 1,
    queue: 64,
    queuePerOwner: 16,
    waitMs: 20_000,
    memoryMb,
  });

  /**
   * Refuses what is not a text of at most `flowContentBytes`, and what would be dangerous to read as a flow. `path` is the field of
   * the body.
   */
  async pack(text: string, path: string, call: EngineCall): Promise<PackedContent> {
    const bytes = Buffer.byteLength(text);
    if (bytes > flowContentBytes) {
      throw new Refusal("too-large", `The content is larger than ${flowContentBytes.toLocaleString("en-US")} bytes.`, { path });
    }
    if (!isStorable(text)) {
      throw new Refusal("invalid-value", "The content is not text: it contains a null character or half of a character.", { path });
    }
    const outcome = await this.#perform({ kind: "pack", text }, bytes, call).catch((error: unknown) => {
      if (!(error instanceof WorkerEnded) || error.why === "crashed") throw error;
      throw dangerous("It takes too much time or memory to read.", path);
    });
    if (outcome.kind !== "packed") throw new Error("a content was not packed");
    const { format, danger } = outcome.inspected;
    if (danger !== undefined) throw dangerous(danger, path);
    return { bytes, format, content: Buffer.from(outcome.content) };
  }

  /** A line of a stored content as `readableText` numbers them. Undefined if it is beyond the end. */
  async lineContext(
    { content, bytes }: Pick<PackedContent, "content" | "bytes">,
    line: number,
    call: EngineCall,
  ): Promise<LineContext | undefined> {
    const outcome = await this.#perform({ kind: "line", content, line }, bytes, call);
    return outcome.kind === "line" ? outcome.context : undefined;
  }

  close(): Promise<void> {
    return this.#workers.close();
  }

  async #perform(task: ContentTask, bytes: number, call: EngineCall): Promise<ContentOutcome> {
    if (bytes <= workerBytes) return performContentTask(task);
    try {
      return (await this.#workers.run(task, { call, timeoutMs })).result;
    } catch (error) {
      if (!(error instanceof EngineFailed) || !["busy", "too-many"].includes(error.reason)) throw error;
      throw new Refusal("engine-busy", "Other large flows are being stored. Try again in a moment.", { retryAfterSeconds: 5 });
    }
  }
}

const dangerous = (why: string, path: string): Refusal =>
  new Refusal("invalid-value", `The content cannot be stored, because reading it as a flow is dangerous. ${why}`, { path });
