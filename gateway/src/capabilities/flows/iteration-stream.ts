import type { FlowIteration } from "@fairway/contract/flow-requests";
import type { StreamedAnswer } from "#http/handlers.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { unpackContent } from "./contents.ts";

/** An iteration whose content is still compressed. */
export type PackedIteration = Omit<FlowIteration, "content"> & { readonly content: Buffer | null };

/** Part of a content that is serialized at once. */
const sliceCharacters = 256_000;

/** A list of objects that each hold an iteration. The contents are unpacked and serialized one after another. */
export const streamIterations = <Item>(
  items: readonly Item[],
  iterationOf: (item: Item) => PackedIteration,
  /** The object around the serialized iteration, as text before and after it. */
  around: (item: Item) => readonly [before: string, after: string] = () => ["", ""],
): StreamedAnswer => ({ contentType: "application/json; charset=utf-8", chunks: inChunks(listText(items, iterationOf, around)) });

async function* listText<Item>(
  items: readonly Item[],
  iterationOf: (item: Item) => PackedIteration,
  around: (item: Item) => readonly [before: string, after: string],
): AsyncGenerator<string> {
  let separator = "[";
  for (const item of items) {
    const { content, ...iteration } = iterationOf(item);
    const [before, after] = around(item);
    const start = `${separator}${before}${JSON.stringify(iteration).slice(0, -1)},"content":`;
    separator = ",";
    if (content === null) yield `${start}null}${after}`;
    else {
      yield start;
      yield* stringText(await unpackContent(content));
      yield `}${after}`;
    }
  }
  yield items.length === 0 ? "[]" : "]";
}

/** A text as JSON. A pair of surrogates that is cut in half is escaped, which is the same text. */
function* stringText(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; at += sliceCharacters) {
    yield JSON.stringify(text.slice(at, at + sliceCharacters)).slice(1, -1);
  }
  yield '"';
}

/** Joins short texts, and yields to other work. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const slice = new TimeSlice();
  let chunk = "";
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < sliceCharacters) continue;
    yield chunk;
    chunk = "";
    await slice.end();
  }
  yield chunk;
}
