/** Browsers limit the height of an element to some 17 million pixels. */
const maxLines = 800_000;
const maxLineLength = 2_000;

export interface TextLines {
  lines: readonly string[];
  isCut: boolean;
}

/** The lines of a text. Very long ones continue on the next line, and a text of too many is cut. */
export function textLines(text: string): TextLines {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length || lines.length === 0) {
    if (lines.length >= maxLines) return { lines, isCut: true };
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const stop = Math.min(end, start + maxLineLength);
    lines.push(text.slice(start, stop).replace(/\r$/, ""));
    if (stop === end && lineBreak < 0) break;
    start = stop === end ? end + 1 : stop;
  }
  return { lines, isCut: false };
}
