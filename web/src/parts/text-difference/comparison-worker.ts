import { type Comparison, type ComparisonRequest, prepareComparison } from "./compare-texts.ts";

/** What the worker is told: first the texts, then that they are to be compared. */
export type ComparisonMessage = ComparisonRequest | "compare";

let compare: (() => Comparison) | undefined;

addEventListener("message", ({ data }: MessageEvent<ComparisonMessage>) => {
  if (data !== "compare") {
    compare = prepareComparison(data);
    return;
  }
  if (!compare) throw new Error("There are no texts to compare.");
  const result = compare();
  const { before, after, blocks } = result;
  const arrays = [before.starts, before.shownLines, after.starts, after.shownLines, blocks];
  postMessage(result, { transfer: arrays.flatMap((array) => (array ? [array.buffer] : [])) });
});
