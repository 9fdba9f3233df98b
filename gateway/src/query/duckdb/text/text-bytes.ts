import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import type { TextEncoding } from "@fairway/contract/readings";
import { EncodingEvidence, type FoundEncoding, decoderOf, encodingByStart, markLength } from "./encodings.ts";

export interface TextHead extends FoundEncoding {
  /** The start of the file as UTF-8, without a byte order mark. */
  readonly bytes: Buffer;
  /** Whether `bytes` is the whole file. */
  readonly isComplete: boolean;
  /** Whether the engine can read the file's bytes as they are. */
  readonly isUtf8: boolean;
}

const headBytes = 256 * 1024;

/** The start of a text file and its encoding, which is the chosen one, or the one that all bytes up to a limit suggest. */
export async function readHead(
  file: string,
  {
    encoding: chosen,
    maxBytes,
    signal,
  }: { readonly encoding?: TextEncoding | null | undefined; readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<TextHead> {
  return headOf(() => unpackedBytes(file, signal), { encoding: chosen, maxBytes });
}

/** The same of bytes that are not in a local file. `open` may be called several times. */
export async function headOf(
  open: () => AsyncIterable<Buffer>,
  { encoding: chosen, maxBytes }: { readonly encoding?: TextEncoding | null | undefined; readonly maxBytes: number },
): Promise<TextHead> {
  const raw = await firstBytes(open());
  const found = chosen ? chosenEncoding(chosen, raw.bytes) : (encodingByStart(raw.bytes) ?? (await encodingByAll(open(), maxBytes)));
  const start = raw.bytes.subarray(markLength(raw.bytes, found.encoding));
  const bytes = found.encoding === "utf-8" ? start : Buffer.from(decoderOf(found.encoding).push(start));
  return { ...found, bytes, isComplete: raw.isComplete, isUtf8: found.encoding === "utf-8" && found.notUtf8 === null };
}

const chosenEncoding = (encoding: TextEncoding, bytes: Buffer): FoundEncoding => ({
  encoding,
  state: "sure",
  hasByteOrderMark: markLength(bytes, encoding) > 0,
  notUtf8: null,
  other: null,
});

async function encodingByAll(parts: AsyncIterable<Buffer>, maxBytes: number): Promise<FoundEncoding> {
  const evidence = new EncodingEvidence();
  let length = 0;
  for await (const part of parts) {
    evidence.push(part);
    length += part.length;
    if (length > maxBytes) break;
  }
  return evidence.found();
}

async function firstBytes(all: AsyncIterable<Buffer>): Promise<{ bytes: Buffer; isComplete: boolean }> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of all) {
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

/** The file's text as UTF-8 without a byte order mark. Invalid UTF-8 of a UTF-8 file is passed through. */
export async function* textBytes(file: string, encoding: TextEncoding, signal: AbortSignal): AsyncGenerator<Buffer> {
  const decoder = encoding === "utf-8" ? undefined : decoderOf(encoding);
  let isFirst = true;
  for await (const raw of unpackedBytes(file, signal)) {
    const part = isFirst ? raw.subarray(markLength(raw, encoding)) : raw;
    isFirst = false;
    yield decoder === undefined ? part : Buffer.from(decoder.push(part));
  }
  if (decoder !== undefined) yield Buffer.from(decoder.end());
}
