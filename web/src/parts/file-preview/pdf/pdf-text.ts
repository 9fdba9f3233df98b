import { maxMatches } from "#lib/text/use-find.ts";

/** A piece of text of a page, in the order of the document; `null` marks pieces without text. */
interface TextItem {
  readonly str: string;
  readonly hasEOL: boolean;
}

const maxPageCharacters = 500_000;

/** The text of a page, with the offset of each piece. Lines are joined by a space, so that a phrase is found across them. */
export function pageText(items: readonly object[]): { text: string; offsets: readonly number[] } {
  const offsets: number[] = [];
  let text = "";
  for (const item of items) {
    if (!isText(item)) continue;
    offsets.push(text.length);
    if (text.length < maxPageCharacters) text += item.hasEOL ? `${item.str} ` : item.str;
  }
  return { text, offsets };
}

const isText = (item: object): item is TextItem => "str" in item;

export interface PdfMatch {
  /** Zero-based. */
  page: number;
  /** Offsets in the text of the page. */
  start: number;
  end: number;
}

export function matchesOf(text: string, pattern: RegExp, page: number, limit = maxMatches): PdfMatch[] {
  const matches: PdfMatch[] = [];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (matches.length >= limit) break;
    matches.push({ page, start: index, end: index + found.length });
  }
  return matches;
}
