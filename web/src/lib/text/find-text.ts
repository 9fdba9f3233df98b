/** A pattern that matches the query literally, ignoring case. Null for an empty query. */
export const findPattern = (query: string): RegExp | null => anyPattern(query === "" ? [] : [query]);

/** A pattern that matches any of the texts literally, ignoring case. Null without texts. */
export const anyPattern = (texts: readonly string[]): RegExp | null =>
  texts.length === 0
    ? null
    : new RegExp(
        texts
          // The longest first: alternatives match from left to right.
          .toSorted((one, other) => other.length - one.length)
          .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
          .join("|"),
        "giu",
      );

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
