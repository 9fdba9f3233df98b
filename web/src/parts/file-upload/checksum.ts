import crc32c from "crc-32/crc32c.js";

/** Read at once, so that the page stays responsive. */
const pieceBytes = 1_048_576;

/** CRC32C of a content, as the gateway and file stores write it. Rejects with a DOMException if it cannot be read. */
export async function checksumOf(content: Blob, signal: AbortSignal): Promise<string> {
  let value = 0;
  for (let start = 0; start < content.size; start += pieceBytes) {
    const piece = await content.slice(start, start + pieceBytes).arrayBuffer();
    signal.throwIfAborted();
    value = crc32c.buf(new Uint8Array(piece), value);
  }
  return btoa(String.fromCharCode(...[24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff)));
}
