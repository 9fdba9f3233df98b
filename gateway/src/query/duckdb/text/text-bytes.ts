import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

export interface TextHead {
  readonly encoding: Encoding;
  /** The beginning of the file as UTF-8, without a byte order mark. */
  readonly bytes: Buffer;
  /** Whether that is the whole file. */
  readonly isWhole: boolean;
  /** Whether the file itself is UTF-8, as far as it was looked at. */
  readonly isUtf8: boolean;
  /** Whether it begins with a byte order mark. */
  readonly hasMark: boolean;
}

const headBytes = 256 * 1024;

/** Reads the beginning of a text file and finds out how it is encoded. */
export async function readHead(file: string, signal: AbortSignal): Promise<TextHead> {
  const raw = await firstBytes(file, signal);
  const encoding = encodingOf(raw.bytes);
  const hasMark = markLength(raw.bytes, encoding) > 0;
  const bytes = decoded(raw.bytes.subarray(markLength(raw.bytes, encoding)), encoding);
  const isValid = encoding === "utf-8" && isUtf8(raw.isWhole ? bytes : wholeCharacters(bytes));
  return { encoding, bytes, isWhole: raw.isWhole, isUtf8: isValid, hasMark };
}

async function firstBytes(file: string, signal: AbortSignal): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of unpackedBytes(file, signal)) {
    parts.push(part);
    length += part.length;
    if (length > headBytes) return { bytes: Buffer.concat(parts).subarray(0, headBytes), isWhole: false };
  }
  return { bytes: Buffer.concat(parts), isWhole: true };
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
  // A pipe does not pass failures on.
  if (packed) source.on("error", (error) => stream.destroy(error));
  try {
    for await (const part of stream) yield part as Buffer;
  } finally {
    source.destroy();
    stream.destroy();
  }
}

/** The file's text as UTF-8 without a byte order mark. Bytes that are not valid UTF-8 stay as they are. */
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
  // Without a mark, UTF-16 shows by the zero byte beside every ASCII character.
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

/** Cut before a character that the end of the buffer may have split. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > bytes.length - 4 && end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return ((bytes[end - 1] ?? 0) & 0x80) === 0 ? bytes.subarray(0, end) : bytes.subarray(0, end - 1);
}
