import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import { TimeSlice } from "#threads/time-slice.ts";
import { decodeWindows1252 } from "./encodings.ts";

export interface TextLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The line terminator; empty at the end of the file. */
  readonly end: string;
  /** Whether the line was not UTF-8 and was read as Windows-1252. */
  readonly isRecoded: boolean;
}

const [lineFeed, carriageReturn] = [10, 13];

/** Lines may be so short that a chunk has hundreds of thousands. */
const linesAtOnce = 1_000;

/** All lines of the beginning of a file. */
export async function linesIn(bytes: Buffer): Promise<TextLine[]> {
  const all: TextLine[] = [];
  // One by one: as arguments of one call, hundreds of thousands of lines would exhaust the stack.
  for await (const lines of linesOf(Readable.from([bytes]) as AsyncIterable<Buffer>)) for (const line of lines) all.push(line);
  return all;
}

/**
 * Splits at line feeds, carriage returns or both, even if mixed within a file. Of a line of more bytes than `maxLineBytes`, only the
 * first ones are kept.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  { maxLineBytes = Infinity }: { readonly maxLineBytes?: number } = {},
): AsyncGenerator<readonly TextLine[]> {
  let number = 0;
  const slice = new TimeSlice();
  const line = (all: Buffer, end: string): TextLine => {
    number += 1;
    const bytes = all.length > maxLineBytes ? firstBytes(all, maxLineBytes) : all;
    return isUtf8(bytes)
      ? { number, text: bytes.toString("utf8"), end, isRecoded: false }
      : { number, text: decodeWindows1252(bytes), end, isRecoded: true };
  };
  const unfinished = new UnfinishedLine(maxLineBytes);
  for await (const chunk of chunks) {
    if (!unfinished.endsIn(chunk)) {
      unfinished.add(chunk);
      continue;
    }
    const bytes = unfinished.with(chunk);
    let lines: TextLine[] = [];
    let start = 0;
    let [feed, carriage] = [bytes.indexOf(lineFeed), bytes.indexOf(carriageReturn)];
    for (;;) {
      const isCarriage = carriage >= 0 && (feed < 0 || carriage < feed);
      const at = isCarriage ? carriage : feed;
      // A carriage return at the end of the chunk may be the first half of a pair.
      if (at < 0 || (isCarriage && at === bytes.length - 1)) break;
      const isPair = isCarriage && feed === at + 1;
      lines.push(line(bytes.subarray(start, at), isPair ? "\r\n" : isCarriage ? "\r" : "\n"));
      start = at + (isPair ? 2 : 1);
      if (isPair || !isCarriage) feed = bytes.indexOf(lineFeed, start);
      if (isCarriage) carriage = bytes.indexOf(carriageReturn, start);
      if (lines.length < linesAtOnce) continue;
      yield lines;
      lines = [];
      await slice.end();
    }
    unfinished.add(bytes.subarray(start));
    if (lines.length > 0) yield lines;
  }
  const rest = unfinished.with(Buffer.alloc(0));
  if (rest.length === 0) return;
  const isEnded = rest.at(-1) === carriageReturn;
  yield [line(isEnded ? rest.subarray(0, -1) : rest, isEnded ? "\r" : "")];
}

/** At most so many bytes of a text, without a part of a character of UTF-8. */
function firstBytes(text: Buffer, max: number): Buffer {
  let end = max;
  while (end > max - 3 && ((text[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return text.subarray(0, end);
}

/** The chunks of a line whose end has not come yet. They are joined once: a line may have thousands. */
class UnfinishedLine {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether a line ends in the next chunk. */
  endsIn(chunk: Buffer): boolean {
    return this.#parts.at(-1)?.at(-1) === carriageReturn || chunk.includes(lineFeed) || chunk.includes(carriageReturn);
  }

  add(chunk: Buffer): void {
    if (this.#bytes > this.#maxBytes) return;
    this.#parts.push(chunk);
    this.#bytes += chunk.length;
  }

  /** The line up to here and the next chunk, for which it starts anew. */
  with(chunk: Buffer): Buffer {
    if (this.#parts.length === 0) return chunk;
    const bytes = Buffer.concat([...this.#parts, chunk]);
    this.#parts = [];
    this.#bytes = 0;
    return bytes;
  }
}
