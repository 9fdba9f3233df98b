import { Readable } from "node:stream";

/**
 * Reads a body, and fails if it breaks off or its next part takes too long. Time in which nobody reads does not count.
 */
export function readInTime(body: Readable, maxWaitMs: number, failure: (error: Error) => Error): Readable {
  const content = Readable.from(parts(body, maxWaitMs, failure), { objectMode: false, highWaterMark: 262_144 });
  // Also while a part is awaited, which would keep the generator from ending.
  content.once("close", () => body.destroy());
  return content;
}

async function* parts(body: Readable, maxWaitMs: number, failure: (error: Error) => Error): AsyncGenerator<Uint8Array> {
  const slow = () => body.destroy(Object.assign(new Error(`no data for ${maxWaitMs} ms`), { name: "TimeoutError" }));
  let timer = setTimeout(slow, maxWaitMs);
  try {
    for await (const part of body) {
      clearTimeout(timer);
      yield part as Uint8Array;
      timer = setTimeout(slow, maxWaitMs);
    }
  } catch (error) {
    throw error instanceof Error ? failure(error) : error;
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
}
