import type { LinedText } from "./line-starts.ts";

/**
 * Numbers equal lines alike, line breaks included, across all texts that it is called with, from 0 and without gaps. Reads bytes where
 * they are: a map of texts would first make one of each line, which takes several times as long.
 * @param maxLines in all texts together
 */
export function createLineIds(maxLines: number): (lined: LinedText) => Int32Array {
  const size = 2 ** Math.ceil(Math.log2(maxLines * 2 + 2));
  /** The id at each hash or in one of the next slots, plus 1; 0 for none. */
  const slots = new Int32Array(size);
  const texts: DataView[] = [];
  /** Of the first line with each id: its hash, its text, where it starts, and its length. */
  const [hashes, owners] = [new Int32Array(maxLines), new Uint8Array(maxLines)];
  const [firsts, lengths] = [new Int32Array(maxLines), new Int32Array(maxLines)];
  // Nobody can prepare texts whose lines all have the same hash.
  const factor = (Math.random() * 2 ** 30) | 5;
  let count = 0;
  return (lined) => {
    const { view, starts } = lineBytes(lined);
    texts.push(view);
    const ids = new Int32Array(starts.length - 1);
    let start = 0;
    for (let line = 0; line < ids.length; line += 1) {
      const end = starts[line + 1] ?? 0;
      const length = end - start;
      const hash = hashOf(view, start, end, factor);
      let slot = hash & (size - 1);
      let id = (slots[slot] ?? 0) - 1;
      while (id >= 0) {
        if (hashes[id] === hash && lengths[id] === length) {
          const owner = texts[owners[id] ?? 0];
          if (owner && isSame(owner, firsts[id] ?? 0, view, start, length)) break;
        }
        slot = (slot + 1) & (size - 1);
        id = (slots[slot] ?? 0) - 1;
      }
      if (id < 0) {
        id = count;
        count += 1;
        slots[slot] = count;
        hashes[id] = hash;
        owners[id] = texts.length - 1;
        firsts[id] = start;
        lengths[id] = length;
      }
      ids[line] = id;
      start = end;
    }
    return ids;
  };
}

/** The bytes of a text, and where its lines start in them. */
function lineBytes({ text, starts }: LinedText): { view: DataView; starts: Int32Array } {
  if (!text.isWellFormed()) {
    // UTF-8 has no lone surrogates: lines that differ in them would be the same.
    const codes = Uint16Array.from(text, (_, index) => text.charCodeAt(index));
    return { view: new DataView(codes.buffer), starts: starts.map((start) => start * 2) };
  }
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length === text.length) return { view, starts };
  const byteStarts = new Int32Array(starts.length);
  for (let line = 1; line < starts.length - 1; line += 1) byteStarts[line] = bytes.indexOf(lineBreak, byteStarts[line - 1]) + 1;
  byteStarts[starts.length - 1] = bytes.length;
  return { view, starts: byteStarts };
}

const lineBreak = 0x0a;

/** Of four bytes at once, because each step has to wait for the one before. */
function hashOf(view: DataView, start: number, end: number, factor: number): number {
  let hash = end - start;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at), factor);
    hash ^= hash >>> 15;
  }
  for (; at < end; at += 1) hash = Math.imul(hash ^ view.getUint8(at), factor);
  return hash ^ (hash >>> 15);
}

function isSame(one: DataView, oneStart: number, other: DataView, otherStart: number, length: number): boolean {
  let at = 0;
  while (at + 4 <= length && one.getInt32(oneStart + at) === other.getInt32(otherStart + at)) at += 4;
  while (at < length && one.getUint8(oneStart + at) === other.getUint8(otherStart + at)) at += 1;
  return at === length;
}
