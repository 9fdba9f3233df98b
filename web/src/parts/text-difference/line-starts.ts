/** A text and where its lines start. A line break at the end starts no further line. */
export interface LinedText {
  readonly text: string;
  /** One entry more than lines: where a line after the last one would start. */
  readonly starts: Int32Array;
}

export const lineCount = ({ starts }: LinedText): number => starts.length - 1;

/** The line with this index, without its line break. */
export function lineText({ text, starts }: LinedText, index: number): string {
  const start = starts[index] ?? 0;
  const next = starts[index + 1] ?? 0;
  const end = text[next - 1] === "\n" ? next - 1 : next;
  return text.slice(start, text[end - 1] === "\r" && end > start ? end - 1 : end);
}

export function lineStarts(text: string): Int32Array {
  let starts = new Int32Array(1_024);
  let count = 0;
  const add = (start: number) => {
    if (count === starts.length) {
      const longer = new Int32Array(count * 2);
      longer.set(starts);
      starts = longer;
    }
    starts[count] = start;
    count += 1;
  };
  add(0);
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start);
    start = lineBreak < 0 ? text.length : lineBreak + 1;
    add(start);
  }
  return starts.slice(0, count);
}
