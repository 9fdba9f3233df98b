import { BlockKind, isInAfter, isInBefore } from "./blocks.ts";
import type { Comparison, ComparisonRequest } from "./compare-texts.ts";
import type { ComparisonMessage } from "./comparison-worker.ts";
import type { LinedText } from "./line-starts.ts";

/** Two compared texts, as they are shown. */
export interface ComparedTexts {
  request: ComparisonRequest;
  before: LinedText;
  after: LinedText;
  blocks: Int32Array;
  /** Lines, including those that replace others. */
  removedCount: number;
  addedCount: number;
  /** Whether one of the texts is minified JSON. */
  isMinified: boolean;
  /** The index of the shown line for each line of `readableText(after)`; null if that is the shown text. */
  shownLines: Int32Array | null;
}

export interface ComparisonWorker {
  /** Compares once, and ends the worker. Rejects if the worker fails, also if it did before. */
  run: () => Promise<ComparedTexts>;
  end: () => void;
}

/** Starts a worker that prepares the texts, so that less is left to wait for when they are to be compared. */
export function startComparison(request: ComparisonRequest): ComparisonWorker {
  const worker = new Worker(new URL("comparison-worker.ts", import.meta.url), { type: "module" });
  const send = (message: ComparisonMessage) => worker.postMessage(message, []);
  const end = () => worker.terminate();
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      reject(new Error("The texts could not be compared."));
    });
  });
  // The caller of `run` handles the rejection.
  failed.catch(() => {});
  const compared = new Promise<Comparison>((resolve) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Comparison>) => resolve(data));
  });
  send(request);
  return {
    end,
    async run() {
      send("compare");
      try {
        return comparedTexts(request, await Promise.race([compared, failed]));
      } finally {
        end();
      }
    },
  };
}

function comparedTexts(request: ComparisonRequest, { before, after, blocks }: Comparison): ComparedTexts {
  let [removedCount, addedCount] = [0, 0];
  for (let index = 0; index < blocks.length; index += 2) {
    const [kind = 0, count = 0] = [blocks[index], blocks[index + 1]];
    if (kind === BlockKind.same || kind === BlockKind.ignoredBefore || kind === BlockKind.ignoredAfter) continue;
    if (isInBefore(kind)) removedCount += count;
    if (isInAfter(kind)) addedCount += count;
  }
  return {
    request,
    before: { text: before.formatted ?? request.before ?? "", starts: before.starts },
    after: { text: after.formatted ?? request.after, starts: after.starts },
    blocks,
    removedCount,
    addedCount,
    isMinified: before.isMinified || after.isMinified,
    shownLines: after.shownLines,
  };
}
