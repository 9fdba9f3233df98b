/** A pattern that matches the query literally, ignoring case. Null for an empty query. */
export const findPattern = (query: string): RegExp | null =>
  query === "" ? null : new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "giu");

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/** Splits a text into matching and other parts. */
export function splitMatches(text: string, find: RegExp | null): TextPart[] {
  if (!find) return [{ text, isMatch: false }];
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(find)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isMatch: false });
    parts.push({ text: match[0], isMatch: true });
    end = match.index + match[0].length;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}
