/** Text of a file in its encoding; without one UTF-8, or UTF-16 if it begins with its byte order mark. */
export function decodeText(bytes: ArrayBuffer, encoding?: string): string {
  return new TextDecoder(encoding !== undefined && isKnown(encoding) ? encoding : markedEncoding(bytes)).decode(bytes);
}

function markedEncoding(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  return first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Browsers lack the pages of DOS, which datasets can be read in. */
function isKnown(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
