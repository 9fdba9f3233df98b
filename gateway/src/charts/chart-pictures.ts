import type { ChartDrawing } from "@fairway/contract/charts/drawing";
import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { TaskWorkers, WorkerEnded, workerProgram } from "#threads/task-workers.ts";
import type { ChartTask } from "./chart-worker.ts";

export type ChartSize = Pick<ChartTask, "widthPx" | "heightPx" | "ratio">;

interface ChartPicturesParts {
  readonly timeoutMs?: number | undefined;
  /** Told why a chart could not be drawn. */
  readonly onFailure: (error: unknown) => void;
}

/** Larger charts take too long, and nobody would see their parts. */
const mostValues = 10_000;
/** Legends of more columns would leave no room. */
const mostColumns = 16;
const mostBytes = 1_000_000;
/** Of a label. */
const mostCharacters = 1_000;

/**
 * Draws charts as PNG, in the light theme and the fonts of the web app, in a worker thread that starts with the first one: a chart
 * takes some 0.1 to 1 s. Decision 1151.
 */
export class ChartPictures {
  readonly #workers: TaskWorkers<ChartTask, null>;
  readonly #timeoutMs: number;
  readonly #onFailure: (error: unknown) => void;

  constructor({ timeoutMs = 20_000, onFailure }: ChartPicturesParts) {
    this.#timeoutMs = timeoutMs;
    this.#onFailure = onFailure;
    const limits = { workers: 1, perOwner: 1, queue: 200, queuePerOwner: 200, waitMs: 60_000, memoryMb: 256 };
    this.#workers = new TaskWorkers(workerProgram(import.meta.url, "./chart-worker"), limits);
  }

  /** The bytes of the picture; null for a chart that is too large, has letters that the fonts lack, or could not be drawn in time. */
  async png(drawing: ChartDrawing, size: ChartSize, call: EngineCall): Promise<Uint8Array | null> {
    if (!isDrawable(drawing)) return null;
    try {
      const { chunks } = await this.#workers.run({ drawing, ...size }, { call, timeoutMs: this.#timeoutMs });
      const [png] = chunks;
      return png === undefined || png.byteLength > mostBytes ? null : png;
    } catch (error) {
      if (!(error instanceof WorkerEnded) && !(error instanceof EngineFailed)) throw error;
      this.#onFailure(error);
      return null;
    }
  }

  close(): Promise<void> {
    return this.#workers.close();
  }
}

function isDrawable(drawing: ChartDrawing): boolean {
  const { groups } = drawing.kind === "graph" ? drawing.model : drawing;
  const texts = groups.map(({ label }) => label);
  if (drawing.kind === "scatter") return groups.length <= mostValues && [...texts, ...drawing.labels].every(isWritable);
  const { columns } = drawing.model;
  if (columns.length > mostColumns || columns.length * groups.length > mostValues) return false;
  return [...texts, ...columns.map(({ label }) => label)].every(isWritable);
}

const isWritable = (text: string): boolean =>
  text.length <= mostCharacters &&
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u.test(text) &&
  !/\p{Extended_Pictographic}/u.test(text);
