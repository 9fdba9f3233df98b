/** JSON with a line of more characters is shown formatted. */
const maxJsonLine = 2_000;
/** Deeper values are not indented further: the text would grow with the square of the depth. */
const maxIndents = 40;

/**
 * The text that screens show line by line, and whose lines comments name: minified JSON is formatted, with two spaces and one value
 * per line; everything else stays as it is. Numbers, texts and the order of names stay exactly as written.
 */
export const readableText = (text: string): string => formattedJson(text) ?? text;

/** Minified JSON as `readableText` returns it; null for everything else. Tells both in one reading. */
export const formattedJson = (text: string): string | null => (isMinifiedJson(text) ? formatJson(text) : null);

/** A line as comments keep it: with spaces for control characters other than tabs, which take six times their room in JSON. */
export const withoutControls = (line: string): string => line.replaceAll(/[^\P{Cc}\t]/gu, " ");

/** True for JSON with a long line. */
export function isMinifiedJson(text: string): boolean {
  if (!/^\s{0,1000}[[{]/.test(text) || !hasLongLine(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Looks for the last line break that a line could have, so that it reads few of the others. */
function hasLongLine(text: string): boolean {
  for (let start = 0; text.length - start > maxJsonLine;) {
    const lineBreak = text.lastIndexOf("\n", start + maxJsonLine);
    if (lineBreak < start) return true;
    start = lineBreak + 1;
  }
  return false;
}

const [quote, backslash, comma, colon, lineBreak, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a, 0x20];
const isOpening = (code: number): boolean => code === 0x7b || code === 0x5b;
const isClosing = (code: number): boolean => code === 0x7d || code === 0x5d;
const isSpace = (code: number): boolean => code === space || code === lineBreak || code === 0x0d || code === 0x09;

// Browsers and Node.js have both; the types of neither are known here.
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  constructor(encoding: string, options: { ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

/** Of valid JSON. Pieces of text for each of a million tokens would take several times as long as codes in one array. */
function formatJson(text: string): string {
  if (text.isWellFormed()) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(formattedCodes(new TextEncoder().encode(text)));
  // UTF-8 has no lone surrogates.
  const codes = formattedCodes(Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)));
  const parts: string[] = [];
  for (let at = 0; at < codes.length; at += 8_192) parts.push(String.fromCharCode(...codes.subarray(at, at + 8_192)));
  return parts.join("");
}

/** Upper bound on the characters that one becomes: a line break, its indentation and two characters. */
const maxPerCode = maxIndents * 2 + 3;

/** Of the bytes or the characters of valid JSON: what it formats is the same in both. */
function formattedCodes(codes: Uint8Array): Uint8Array;
function formattedCodes(codes: Uint16Array): Uint16Array;
function formattedCodes(codes: Uint8Array | Uint16Array): Uint8Array | Uint16Array {
  const create = (size: number) => (codes instanceof Uint8Array ? new Uint8Array(size) : new Uint16Array(size));
  let result = create(codes.length + (codes.length >> 1) + maxPerCode);
  let length = 0;
  let depth = 0;
  /** The next value, name or closing bracket starts a line. */
  let startsLine = false;
  let isInEmpty = false;
  let isInString = false;
  let isEscaped = false;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (length + maxPerCode > result.length) {
      const longer = create(result.length * 2);
      longer.set(result);
      result = longer;
    }
    if (isInString) {
      result[length] = code;
      length += 1;
      isInString = isEscaped || code !== quote;
      isEscaped = !isEscaped && code === backslash;
      continue;
    }
    if (isSpace(code)) continue;
    if (isClosing(code)) {
      depth -= 1;
      startsLine = !isInEmpty;
    }
    if (startsLine) {
      result[length] = lineBreak;
      length += 1;
      for (let end = length + Math.min(depth, maxIndents) * 2; length < end; length += 1) result[length] = space;
    }
    isInEmpty = isOpening(code);
    startsLine = isInEmpty || code === comma;
    if (isInEmpty) depth += 1;
    isInString = code === quote;
    result[length] = code;
    length += 1;
    if (code === colon) {
      result[length] = space;
      length += 1;
    }
  }
  return result.subarray(0, length);
}
