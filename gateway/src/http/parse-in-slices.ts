import { TimeSlice } from "#threads/time-slice.ts";
import { countJsonValues } from "#json/json-weight.ts";

/** Texts of fewer values are parsed at once, within a few milliseconds. */
const maxValuesAtOnce = 10_000;
/** Entries of a list are parsed together up to this length. */
const chunkBytes = 65_536;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, openBracket, closeBrace, closeBracket] = [0x7b, 0x5b, 0x7d, 0x5d];

/**
 * Parses valid JSON as `JSON.parse` does, but yields to the event loop in between: the entries of a list, or of the lists in an
 * object, are parsed in chunks. A single entry is parsed at once.
 */
export async function parseInSlices(bytes: Buffer): Promise<unknown> {
  if (bytes.length < chunkBytes || countJsonValues(bytes) <= maxValuesAtOnce) return JSON.parse(bytes.toString());
  const slice = new TimeSlice();
  const start = skipSpace(bytes, 0);
  if (bytes[start] === openBracket) return parseList(bytes, start, slice);
  if (bytes[start] !== openBrace) return JSON.parse(bytes.toString());
  const members: [string, unknown][] = [];
  for await (const [from, to] of entries(bytes, start, slice)) {
    const keyEnd = endOfText(bytes, from);
    const valueStart = skipSpace(bytes, bytes.indexOf(colon, keyEnd) + 1);
    const isList = bytes[valueStart] === openBracket;
    const value = isList ? await parseList(bytes, valueStart, slice) : JSON.parse(bytes.toString("utf8", valueStart, to));
    members.push([JSON.parse(bytes.toString("utf8", from, keyEnd)) as string, value]);
  }
  return Object.fromEntries(members);
}

async function parseList(bytes: Buffer, start: number, slice: TimeSlice): Promise<unknown[]> {
  const parts: unknown[][] = [];
  let [chunkStart, chunkEnd] = [-1, -1];
  const parseChunk = async (): Promise<void> => {
    await slice.end();
    if (chunkStart >= 0) parts.push(JSON.parse(`[${bytes.toString("utf8", chunkStart, chunkEnd)}]`) as unknown[]);
  };
  for await (const [from, to] of entries(bytes, start, slice)) {
    if (chunkStart >= 0 && to - chunkStart > chunkBytes) {
      await parseChunk();
      chunkStart = -1;
    }
    if (chunkStart < 0) chunkStart = from;
    chunkEnd = to;
  }
  await parseChunk();
  return parts.flat();
}

/** The positions of the entries of the list or object that starts there. */
async function* entries(bytes: Buffer, start: number, slice: TimeSlice): AsyncGenerator<[from: number, to: number]> {
  let depth = 0;
  let from = skipSpace(bytes, start + 1);
  if (bytes[from] === closeBracket || bytes[from] === closeBrace) return;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at) - 1;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth > 0) continue;
      yield [from, at];
      return;
    } else if (byte === comma && depth === 1) {
      await slice.end();
      yield [from, at];
      from = skipSpace(bytes, at + 1);
    }
  }
}

/** The position after the closing quote of the text that starts there. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at + 1;
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at += 1;
  return at;
}
