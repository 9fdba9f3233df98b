/** A piece of a line that is drawn in one way. */
export interface LinePart {
  text: string;
  token: string | null;
  isChanged: boolean;
  /** Match of a search that it belongs to: its offset in the line; -1 for none. */
  match: number;
  /** The code points that would be invisible, or change how the rest is displayed, such as U+202E. Empty for visible text. */
  codes: string;
}

/** From, and up to but not including. */
export type TextRange = readonly [from: number, to: number];

export interface LineMarks {
  tokens: readonly { from: number; to: number; token: string }[];
  changed: readonly TextRange[];
  matches: readonly TextRange[];
}

/** Separators other than the plain space, control, format and lone surrogate characters; and fillers, which have no glyph. */
const invisible = /(?:(?![\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\u115f\u1160\u3164\uffa0])+/gu;
/** A line of more is drawn without the colors of the rest: thousands of elements would block the page. */
const maxMarks = 200;
const maxCodes = 8;

/** Cuts a line where its marks start and end. */
export function lineParts(text: string, { tokens, changed, matches }: LineMarks): LinePart[] {
  const hidden = [...text.matchAll(invisible)].slice(0, maxMarks).map((match): TextRange => [match.index, match.index + match[0].length]);
  const [shownTokens, shownChanges, shownMatches] = [tokens.slice(0, maxMarks), changed.slice(0, maxMarks), matches.slice(0, maxMarks)];
  const borders = new Set([0, text.length]);
  for (const ranges of [hidden, shownChanges, shownMatches, shownTokens.map(({ from, to }): TextRange => [from, to])])
    for (const [from, to] of ranges) borders.add(Math.max(0, from)).add(Math.min(text.length, to));
  const sorted = [...borders].filter((border) => border >= 0 && border <= text.length).toSorted((one, other) => one - other);
  const tokenAt = cursor(shownTokens.map(({ from, to }) => [from, to]));
  const [changeAt, matchAt, hiddenAt] = [cursor(shownChanges), cursor(shownMatches), cursor(hidden)];
  const parts: LinePart[] = [];
  for (let index = 0; index + 1 < sorted.length; index += 1) {
    const [from = 0, to = 0] = [sorted[index], sorted[index + 1]];
    const piece = text.slice(from, to);
    const match = matchAt(from);
    parts.push({
      text: piece,
      token: shownTokens[tokenAt(from)]?.token ?? null,
      isChanged: changeAt(from) >= 0,
      match: shownMatches[match]?.[0] ?? -1,
      codes: hiddenAt(from) < 0 ? "" : codesOf(piece),
    });
  }
  return parts;
}

/** Finds the range that contains a position. Positions must ascend. */
function cursor(ranges: readonly TextRange[]): (position: number) => number {
  let index = 0;
  return (position) => {
    while (index < ranges.length && (ranges[index]?.[1] ?? 0) <= position) index += 1;
    const range = ranges[index];
    return range && range[0] <= position ? index : -1;
  };
}

function codesOf(text: string): string {
  const characters = Array.from(text);
  const codes = characters
    .slice(0, maxCodes)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join(" ");
  return characters.length > maxCodes ? `${codes} … ${characters.length} characters` : codes;
}
