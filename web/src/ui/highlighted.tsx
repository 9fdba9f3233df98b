import { partsOf } from "#lib/find-text.ts";

/** A text with the matches of a find marked. */
export function Highlighted({ text, find }: { text: string; find: RegExp | null }) {
  if (!find) return text;
  return partsOf(text, find).map((part, at) =>
    // Parts have no identity beyond their place.
    // oxlint-disable-next-line react/no-array-index-key
    part.isMatch ? <mark key={at}>{part.text}</mark> : part.text,
  );
}
