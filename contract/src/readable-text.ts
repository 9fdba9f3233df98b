/** JSON with a line of more characters is shown formatted. */
const maxJsonLine = 2_000;
/** Deeper values are not indented further: the text would grow with the square of the depth. */
const maxIndents = 40;

/**
 * The text that screens show line by line, and whose lines comments name: minified JSON is formatted, with two spaces and one value
 * per line; everything else stays as it is. Numbers, texts and the order of names stay exactly as written.
 */
export const readableText = (text: string): string => (isMinifiedJson(text) ? formatJson(text) : text);

/** A line as comments keep it: with spaces for control characters other than tabs, which take six times their room in JSON. */
export const withoutControls = (line: string): string => line.replaceAll(/[^\P{Cc}\t]/gu, " ");

/** True for JSON with a long line. */
export function isMinifiedJson(text: string): boolean {
  if (!/^\s{0,1000}[[{]/.test(text)) return false;
  let start = 0;
  let isLong = false;
  while (!isLong && start < text.length) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    isLong = end - start > maxJsonLine;
    start = end + 1;
  }
  if (!isLong) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Of valid JSON. */
function formatJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  /** The next value, name or closing bracket starts a line. */
  let startsLine = false;
  const add = (token: string) => {
    parts.push(startsLine ? `\n${"  ".repeat(Math.min(depth, maxIndents))}${token}` : token);
    startsLine = false;
  };
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? "";
    let end = at + 1;
    if (character === '"') {
      end = stringEnd(text, at);
      add(text.slice(at, end));
    } else if (character === "{" || character === "[") {
      add(character);
      const next = skipSpace(text, end);
      if (text[next] === "}" || text[next] === "]") {
        parts.push(text[next] ?? "");
        end = next + 1;
      } else {
        depth += 1;
        startsLine = true;
      }
    } else if (character === "}" || character === "]") {
      depth -= 1;
      startsLine = true;
      add(character);
    } else if (character === ",") {
      parts.push(",");
      startsLine = true;
    } else if (character === ":") parts.push(": ");
    else if (isSpace(character)) end = skipSpace(text, at);
    else {
      while (end < text.length && !isSpace(text[end] ?? "") && !",:]}".includes(text[end] ?? "")) end += 1;
      add(text.slice(at, end));
    }
    at = end;
  }
  return parts.join("");
}

/** After the closing quote. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

const isSpace = (character: string): boolean => character === " " || character === "\n" || character === "\r" || character === "\t";

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text[at] ?? "")) at += 1;
  return at;
}
