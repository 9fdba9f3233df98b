import { readableText, withoutControls } from "@fairway/contract/readable-text";

const contextLines = 3;
const maxLineCharacters = 300;
const newline = 10;

export interface LineContext {
  readonly text: string;
  readonly before: string[];
  readonly after: string[];
}

/**
 * A line of a content, from 1, with its neighbors, each cut to 300 characters and without control characters. Lines are those of `readableText`, which screens
 * show. Undefined if it is beyond the end.
 */
export function lineContext(content: string, line: number): LineContext | undefined {
  const text = readableText(content);
  const first = Math.max(1, line - contextLines);
  const lines: string[] = [];
  let number = 1;
  let start = 0;
  // Not split, because a text of many lines would take much memory.
  for (let at = 0; at <= text.length && number <= line + contextLines; at += 1) {
    if (at < text.length && text.charCodeAt(at) !== newline) continue;
    if (number >= first) lines.push(cut(text.slice(start, at)));
    number += 1;
    start = at + 1;
  }
  const index = line - first;
  const found = lines[index];
  return found === undefined ? undefined : { text: found, before: lines.slice(0, index), after: lines.slice(index + 1) };
}

/** Cuts between characters, and without the end of a line of Windows. */
function cut(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return withoutControls(text.slice(0, maxLineCharacters).replace(/[\ud800-\udbff]$/, ""));
}
