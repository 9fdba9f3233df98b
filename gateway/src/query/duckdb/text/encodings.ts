import { isAscii, isUtf8 } from "node:buffer";
import type { ReadingState, TextEncoding } from "@fairway/contract/readings";
import iconv from "iconv-lite";
import { TimeSlice } from "#threads/time-slice.ts";
import { implausibleShare } from "./encoding-plausibility.ts";

/** The encoding of a file, and how sure it is. */
export interface FoundEncoding {
  readonly encoding: TextEncoding;
  readonly state: ReadingState;
  readonly hasByteOrderMark: boolean;
  /** Lines that are not UTF-8 although most text files are; null if all lines are, or if the encoding is marked. */
  readonly notUtf8: { readonly count: number; readonly line: number } | null;
  /** The next best encoding, and words that differ in both. */
  readonly other: { readonly encoding: TextEncoding; readonly words: readonly (readonly [string, string])[] } | null;
}

/** Bytes 0x80 to 0x9f in Windows-1252, which otherwise equals Latin-1. Node 20 decodes all of them as Latin-1. */
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

const windows1252Units = Uint16Array.from({ length: 256 }, (_, byte) => windows1252.charCodeAt(byte - 0x80) || byte);

export function decodeWindows1252(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  if (!/[\u0080-\u009f]/.test(text)) return text;
  // By a table, as a text may consist of nothing but these bytes.
  const units = new Uint16Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) units[at] = windows1252Units[bytes[at] ?? 0] ?? 0;
  return Buffer.from(units.buffer).toString("utf16le");
}

/** Decodes a text piece by piece, and after `end` another one. */
export interface PieceDecoder {
  push(bytes: Buffer): string;
  end(): string;
}

/** Pages of DOS, which `TextDecoder` does not know. */
const dosPages: Readonly<Partial<Record<TextEncoding, string>>> = { ibm437: "cp437", ibm850: "cp850", ibm852: "cp852" };

export function decoderOf(encoding: TextEncoding): PieceDecoder {
  if (encoding === "windows-1252") return { push: decodeWindows1252, end: () => "" };
  const page = dosPages[encoding];
  if (page !== undefined) {
    const decoder = iconv.getDecoder(page);
    return { push: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? "" };
  }
  // Marks have been taken away before.
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return { push: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

/** Decodes whole texts, any number of them: a decoder takes longer to create than a word to decode. */
function textDecoderOf(encoding: TextEncoding): (bytes: Buffer) => string {
  const decoder = decoderOf(encoding);
  return (bytes) => decoder.push(bytes) + decoder.end();
}

const decode = (bytes: Buffer, encoding: TextEncoding): string => textDecoderOf(encoding)(bytes);

const marks: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** The number of bytes of the byte order mark of this encoding. */
export function markLength(bytes: Buffer, encoding: TextEncoding): number {
  const mark = marks.find(([marked]) => marked === encoding)?.[1];
  return mark !== undefined && mark.every((byte, index) => bytes[index] === byte) ? mark.length : 0;
}

/** The encoding that the first bytes prove; undefined if they prove none. */
export function encodingByStart(bytes: Buffer): FoundEncoding | undefined {
  const found = { notUtf8: null, other: null };
  const marked = marks.find(([encoding]) => markLength(bytes, encoding) > 0);
  if (marked !== undefined) return { ...found, encoding: marked[0], state: "sure", hasByteOrderMark: true };
  // Without a byte order mark, UTF-16 is recognized by the zero byte in every ASCII character.
  const pairs = Math.min(512, Math.floor(bytes.length / 2));
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // Texts in other scripts have them in line feeds, commas and digits alone; texts in 8 bits have next to none.
  const isMany = (zero: number, other: number) => zero > pairs * 0.04 && zero > 1 && other * 10 <= zero;
  if (pairs > 1 && isMany(odd, even)) return { ...found, encoding: "utf-16le", state: "assumed", hasByteOrderMark: false };
  if (pairs > 1 && isMany(even, odd)) return { ...found, encoding: "utf-16be", state: "assumed", hasByteOrderMark: false };
  return undefined;
}

/** Size of the detector's input: lines with bytes above 0x7f, from anywhere in the file. */
const evidenceBytes = 64_000;
/** With fewer of such bytes, a detector guesses. */
const fewBytes = 8;
/** From this share of its lines on, a file is UTF-8 although some lines are not. */
const utf8Share = 0.9;

/** Collects evidence for the encoding of a file that has no mark. */
export class EncodingEvidence {
  /** Lines with bytes above 0x7f, and those of them that are UTF-8. */
  #lines = 0;
  #valid = 0;
  #firstInvalid = 0;
  #line = 0;
  #highBytes = 0;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    const isPlain = isAscii(bytes);
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      if (isPlain) this.#line += 1;
      else this.#add(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#rest = Buffer.from(bytes.subarray(start));
    // A file with carriage returns alone, or without any line.
    if (this.#rest.length > 1_000_000) this.#take(wholeCharacters(this.#rest));
  }

  #take(length: number): void {
    this.#add(this.#rest.subarray(0, length));
    this.#rest = this.#rest.subarray(length);
  }

  #add(line: Buffer): void {
    this.#line += 1;
    if (isAscii(line)) return;
    this.#lines += 1;
    if (isUtf8(line)) this.#valid += 1;
    else if (this.#firstInvalid === 0) this.#firstInvalid = this.#line;
    if (this.#bytes >= evidenceBytes) return;
    const part = Buffer.from(line.subarray(0, evidenceBytes - this.#bytes));
    for (const byte of part) if (byte > 0x7f) this.#highBytes += 1;
    this.#bytes += part.length + 1;
    this.#parts.push(part, Buffer.from("\n"));
  }

  async found(): Promise<FoundEncoding> {
    if (this.#rest.length > 0) this.#take(this.#rest.length);
    const utf8: FoundEncoding = { encoding: "utf-8", state: "sure", hasByteOrderMark: false, notUtf8: null, other: null };
    const invalid = this.#lines - this.#valid;
    if (invalid === 0) return utf8;
    const notUtf8 = { count: invalid, line: this.#firstInvalid };
    if (this.#valid >= this.#lines * utf8Share) return { ...utf8, state: "mixed", notUtf8 };
    const evidence = Buffer.concat(this.#parts);
    const best = this.#highBytes < fewBytes || holdsOnlySigns(evidence) ? [] : await detected(evidence);
    const [encoding = "windows-1252"] = best;
    const usual = (["windows-1252", "windows-1250", "iso-8859-15"] as const).filter((one) => one !== encoding);
    // Signs alone raise no question, unless another encoding makes signs of them, too.
    const others = best.length > 0 ? [...best.slice(1), ...usual] : usual.filter((one) => isPlausible(evidence, one));
    const other = await firstDifference(evidence, encoding, others);
    return { ...utf8, encoding, state: other === null ? "sure" : "assumed", notUtf8, other };
  }
}

/** The length without the last character, which may go on in the bytes that follow: of UTF-8, at most three of its bytes are here. */
function wholeCharacters(bytes: Buffer): number {
  for (let length = bytes.length - 1; length >= bytes.length - 4; length -= 1) if (((bytes[length] ?? 0) & 0xc0) !== 0x80) return length;
  return bytes.length;
}

/** The share of implausible characters up to which a text may be in an encoding. */
const maxImplausible = 0.05;

const isPlausible = (bytes: Buffer, encoding: TextEncoding): boolean => implausibleShare(decode(bytes, encoding)) <= maxImplausible;

/** The first other encoding in which words read differently, with three of them in both readings. */
async function firstDifference(bytes: Buffer, encoding: TextEncoding, others: readonly TextEncoding[]): Promise<FoundEncoding["other"]> {
  const slice = new TimeSlice();
  const read = textDecoderOf(encoding);
  /** By their bytes. */
  const readings = new Map<string, { readonly part: Buffer; readonly reading: string }>();
  for (const part of splitAtAscii(bytes)) {
    const key = part.toString("latin1");
    if (!readings.has(key)) readings.set(key, { part, reading: read(part) });
    await slice.end();
  }
  for (const other of others) {
    const readOther = textDecoderOf(other);
    const words = new Map<string, readonly [string, string]>();
    for (const { part, reading } of readings.values()) {
      const otherReading = readOther(part);
      if (reading !== otherReading && !words.has(reading)) words.set(reading, [reading.slice(0, 40), otherReading.slice(0, 40)]);
      if (words.size === 3) break;
      await slice.end();
    }
    if (words.size > 0) return { encoding: other, words: [...words.values()] };
  }
  return null;
}

/** Words with bytes above 0x7f. Multi-byte encodings use letters and signs as second bytes, but neither line feeds nor commas. */
function* splitAtAscii(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = bytes[at] ?? 10;
    if (![9, 10, 13, 32, 34, 44, 59].includes(byte)) continue;
    const word = bytes.subarray(start, at);
    if (!isAscii(word)) yield word;
    start = at + 1;
  }
}

/** Characters that occur in texts of every language, so that none can be inferred. */
const signs = new Set("€°§µ–—“”„‘’²³·±×…•©®™\u00a0«»¼½¾£¥");

const holdsOnlySigns = (bytes: Buffer): boolean =>
  Array.from(decodeWindows1252(bytes)).every((character) => character <= "\u007f" || signs.has(character));

/** The detector's names of the encodings that it may answer. */
const detectable: Readonly<Record<string, TextEncoding>> = {
  "windows-1252": "windows-1252",
  "windows-1250": "windows-1250",
  "windows-1251": "windows-1251",
  "windows-1253": "windows-1253",
  "windows-1254": "windows-1254",
  "windows-1255": "windows-1255",
  "windows-1256": "windows-1256",
  "windows-1257": "windows-1257",
  "windows-1258": "windows-1258",
  cp874: "windows-874",
  "koi8-r": "koi8-r",
  "koi8-u": "koi8-u",
  "iso8859-2": "iso-8859-2",
  "iso8859-5": "iso-8859-5",
  "iso8859-7": "iso-8859-7",
  "iso8859-15": "iso-8859-15",
  maccyrillic: "x-mac-cyrillic",
  macroman: "macintosh",
  ibm866: "ibm866",
  cp437: "ibm437",
  cp850: "ibm850",
  cp852: "ibm852",
  gb18030: "gb18030",
  big5: "big5",
  big5hkscs: "big5",
  cp932: "shift_jis",
  shift_jis: "shift_jis",
  "euc-jp": "euc-jp",
  "iso2022-jp": "iso-2022-jp",
  "euc-kr": "euc-kr",
  cp949: "euc-kr",
};
/** How the detector is asked for them. */
const asked = [
  ..."cp1252 cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp874 koi8-r koi8-u mac-cyrillic mac-roman".split(" "),
  ..."cp866 cp437 cp850 cp852 iso8859-2 iso8859-5 iso8859-7 iso8859-15".split(" "),
  ..."gb18030 big5hkscs cp932 euc_jis_2004 iso2022_jp_2 euc_kr cp949 shift_jis_2004".split(" "),
];

/** The best encodings first. The detector is loaded only for files that need it. */
async function detected(bytes: Buffer): Promise<TextEncoding[]> {
  const { detectAll } = await import("jschardet");
  const slice = new TimeSlice();
  const all = detectAll(bytes, { detectEncodings: asked, minimumThreshold: 0 });
  const found = [...new Set(all.flatMap(({ encoding }) => detectable[encoding?.toLowerCase().replace("iso-", "iso") ?? ""] ?? []))];
  // The detector looks at bytes. What it takes for the best may make words of two scripts.
  const shares = new Map<TextEncoding, number>();
  for (const encoding of found) {
    await slice.end();
    shares.set(encoding, implausibleShare(decode(bytes, encoding)));
  }
  const rank = (encoding: TextEncoding) => Math.max(maxImplausible, shares.get(encoding) ?? 0);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
