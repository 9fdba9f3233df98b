import { splitMatches } from "#lib/text/find-text.ts";

/** A text with its matches highlighted. */
export function Highlighted({ text, find }: { text: string; find: RegExp | null }) {
  if (!find) return text;
  return splitMatches(text, find).map((part, index) =>
    // Parts have no identity other than their index.
    // oxlint-disable-next-line react/no-array-index-key
    part.isMatch ? <mark key={index}>{part.text}</mark> : part.text,
  );
}
