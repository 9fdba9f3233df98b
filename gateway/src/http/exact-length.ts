import { type Readable, Transform, pipeline } from "node:stream";

/**
 * Passes the content on. Fails if it does not have this length, so that no caller takes a part of a file for the whole, or the
 * rest of it for the next response of the connection.
 */
export function exactLength(content: Readable, bytes: number): Readable {
  let left = bytes;
  const checked = new Transform({
    highWaterMark: 262_144,
    transform(chunk: Uint8Array, _encoding, passOn) {
      left -= chunk.byteLength;
      if (left < 0) passOn(new Error("the file is longer than announced"));
      else passOn(null, chunk);
    },
    flush(end) {
      end(left > 0 ? new Error(`the file ended ${left} bytes early`) : null);
    },
  });
  // Failures reach the reader of the returned stream.
  return pipeline(content, checked, () => undefined);
}
