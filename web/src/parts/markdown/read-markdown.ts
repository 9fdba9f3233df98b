import { Lexer, type Token } from "marked";

/** Deeper nesting of quotes and lists exhausts the stack of the parser. */
const maxNesting = 30;
/** More runs of `*` and `_` in a paragraph take the parser quadratic time. */
const maxEmphasisRuns = 400;
/** Longer runs of `*` or `_` exhaust the stack of the parser. */
const maxRunCharacters = 100;

/** Null for a text that would take the parser too long, or too much of the stack: it can only be shown as it is. */
export function readMarkdown(text: string): readonly Token[] | null {
  if (isExcessive(text)) return null;
  try {
    return Lexer.lex(text, { gfm: true });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isExcessive(text: string): boolean {
  let runs = 0;
  let isCode = false;
  for (const line of text.split("\n")) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const isBlank = line.trim() === "";
    if (isBlank) runs = 0;
    if (isCode || isBlank || isRule(line)) continue;
    if (nestingOf(line) > maxNesting) return true;
    for (const [run] of line.matchAll(/[*_]+/g)) {
      if (run.length > maxRunCharacters) return true;
      runs += 1;
    }
    // The cells of a table are parsed one by one.
    if (line.trimStart().startsWith("|")) runs = 0;
    if (runs > maxEmphasisRuns) return true;
  }
  return false;
}

/** A horizontal line. */
const isRule = (line: string): boolean => /^[*_ -]+$/.test(line);

/** The number of quotes and lists that begin with this line. */
function nestingOf(line: string): number {
  let nesting = 0;
  const marker = /[ \t]{0,8}(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
  while (nesting <= maxNesting && marker.test(line)) nesting += 1;
  return nesting;
}
