import { BlockKind, isInAfter, isInBefore } from "./blocks.ts";
import type { Comparison, ComparisonRequest } from "./compare-texts.ts";
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

/** Compares in a worker that ends with the signal. Rejects if the worker fails. */
export async function runComparison(request: ComparisonRequest, signal: AbortSignal): Promise<ComparedTexts> {
  const worker = new Worker(new URL("comparison-worker.ts", import.meta.url), { type: "module" });
  const end = () => worker.terminate();
  signal.addEventListener("abort", end);
  try {
    const result = await new Promise<Comparison>((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<Comparison>) => resolve(data));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        reject(new Error("The texts could not be compared."));
      });
      worker.postMessage(request, []);
    });
    return comparedTexts(request, result);
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
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
