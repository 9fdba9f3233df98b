import { type Comparison, type ComparisonRequest, prepareComparison } from "./compare-texts.ts";

/** Messages to the worker: first the texts, then the order to compare them. */
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
