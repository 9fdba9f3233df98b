import { type ComparisonRequest, compareTexts } from "./compare-texts.ts";

addEventListener("message", ({ data }: MessageEvent<ComparisonRequest>) => {
  const result = compareTexts(data);
  const { before, after, blocks } = result;
  const arrays = [before.starts, before.shownLines, after.starts, after.shownLines, blocks];
  postMessage(result, { transfer: arrays.flatMap((array) => (array ? [array.buffer] : [])) });
});
