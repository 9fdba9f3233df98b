import { Readable } from "node:stream";

type Chunk = string | Uint8Array;
type AnyIterator = AsyncIterator<Chunk> | Iterator<Chunk>;

/** Longer answers are streamed, so that their first part need not wait for the rest. */
const maxShortLength = 32_768;

/**
 * The whole body if it is short and complete within this turn of the event loop, as most pages of rows are; otherwise a stream of it.
 * Streams are compressed in other threads, by several parts that wait for each other, which takes a short answer longer than its query.
 */
export async function shortOrStream(chunks: AsyncIterable<Chunk> | Iterable<string>): Promise<Buffer | Readable> {
  const iterator: AnyIterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  const turnEnds = new Promise<"later">((resolve) => setImmediate(resolve, "later"));
  const begun: Chunk[] = [];
  for (let length = 0; ;) {
    const next = Promise.resolve(iterator.next());
    const found = await Promise.race([next, turnEnds]);
    if (found === "later") return Readable.from(resumed(begun, next, iterator), { objectMode: false });
    if (found.done === true) return joined(begun);
    begun.push(found.value);
    length += found.value.length;
    if (length > maxShortLength) return Readable.from(resumed(begun, undefined, iterator), { objectMode: false });
  }
}

/** Bytes: Fastify would add a charset to the type of a text. */
const joined = (chunks: readonly Chunk[]): Buffer =>
  Buffer.concat(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)));

/** The chunks that an iterator has yielded, and those that it yields from here on. Not a generator, which would not end the iterator if nobody began to read. */
function resumed(begun: Chunk[], pending: Promise<IteratorResult<Chunk>> | undefined, iterator: AnyIterator): AsyncIterable<Chunk> {
  let next = pending;
  const step = async (): Promise<IteratorResult<Chunk>> => {
    const value = begun.shift();
    if (value !== undefined) return { done: false, value };
    const current = next ?? iterator.next();
    next = undefined;
    return current;
  };
  const end = async (): Promise<IteratorResult<Chunk>> => {
    await iterator.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next: step, return: end }) };
}
