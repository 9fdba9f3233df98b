import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

export interface TextHead {
  readonly encoding: Encoding;
  /** The start of the file as UTF-8, without a byte order mark. */
  readonly bytes: Buffer;
  /** Whether `bytes` is the whole file. */
  readonly isComplete: boolean;
  /** Whether the file itself is UTF-8, as far as it was read. */
  readonly isUtf8: boolean;
  readonly hasByteOrderMark: boolean;
}

const headBytes = 256 * 1024;

/** Reads the start of a text file and detects its encoding. */
export async function readHead(file: string, signal: AbortSignal): Promise<TextHead> {
  const raw = await firstBytes(file, signal);
  const encoding = encodingOf(raw.bytes);
  const hasByteOrderMark = markLength(raw.bytes, encoding) > 0;
  const bytes = decoded(raw.bytes.subarray(markLength(raw.bytes, encoding)), encoding);
  const isValid = encoding === "utf-8" && isUtf8(raw.isComplete ? bytes : completeCharacters(bytes));
  return { encoding, bytes, isComplete: raw.isComplete, isUtf8: isValid, hasByteOrderMark };
}

async function firstBytes(file: string, signal: AbortSignal): Promise<{ bytes: Buffer; isComplete: boolean }> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of unpackedBytes(file, signal)) {
    parts.push(part);
    length += part.length;
    if (length > headBytes) return { bytes: Buffer.concat(parts).subarray(0, headBytes), isComplete: false };
  }
  return { bytes: Buffer.concat(parts), isComplete: true };
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

async function* unpackedBytes(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const packed = await isGzip(file);
  const source = createReadStream(file, { highWaterMark: 256 * 1024, signal });
  const stream = packed ? source.pipe(createGunzip()) : source;
  // pipe() does not forward errors.
  if (packed) source.on("error", (error) => stream.destroy(error));
  try {
    for await (const part of stream) yield part as Buffer;
  } finally {
    source.destroy();
    stream.destroy();
  }
}

/** The file's text as UTF-8 without a byte order mark. Invalid UTF-8 is passed through. */
export async function* textBytes(file: string, encoding: Encoding, signal: AbortSignal): AsyncGenerator<Buffer> {
  const decoder = encoding === "utf-8" ? undefined : new TextDecoder(encoding);
  let isFirst = true;
  for await (const part of unpackedBytes(file, signal)) {
    if (decoder !== undefined) yield Buffer.from(decoder.decode(part, { stream: true }));
    else yield isFirst ? part.subarray(markLength(part, encoding)) : part;
    isFirst = false;
  }
  if (decoder !== undefined) yield Buffer.from(decoder.decode());
}

function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  // Without a byte order mark, UTF-16 is recognized by the zero byte in every ASCII character.
  const pairs = Math.min(512, Math.floor(bytes.length / 2));
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (pairs > 1 && odd > pairs * 0.4 && even < pairs * 0.1) return "utf-16le";
  if (pairs > 1 && even > pairs * 0.4 && odd < pairs * 0.1) return "utf-16be";
  return "utf-8";
}

function markLength(bytes: Buffer, encoding: Encoding): number {
  if (encoding === "utf-8") return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const [first, second] = encoding === "utf-16le" ? [0xff, 0xfe] : [0xfe, 0xff];
  return bytes[0] === first && bytes[1] === second ? 2 : 0;
}

const decoded = (bytes: Buffer, encoding: Encoding): Buffer =>
  encoding === "utf-8" ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes));

/** Drops a character that the end of the buffer may have split. */
function completeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > bytes.length - 4 && end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return ((bytes[end - 1] ?? 0) & 0x80) === 0 ? bytes.subarray(0, end) : bytes.subarray(0, end - 1);
}
