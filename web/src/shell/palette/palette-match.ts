/** An item of the palette. */
export interface PaletteItem {
  id: string;
  group: string;
  label: string;
  /** Shown on the right; also searched. */
  detail?: string;
  /** Found only by the beginning of one of these words, besides words that match. */
  askedBy?: readonly string[];
}

export interface PaletteGroup<T extends PaletteItem> {
  name: string;
  items: T[];
}

/** Scores how well a text matches: 0 for no match, higher is better. Every word must occur; the start of a word counts more. */
export function matchScore(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const index = lower.indexOf(word);
    if (index < 0) return 0;
    score += index === 0 ? 3 : /[\s\-_/.]/.test(lower[index - 1] ?? "") ? 2 : 1;
  }
  return score;
}

export const splitWords = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

const isAskedFor = ({ askedBy }: PaletteItem, words: readonly string[]): boolean =>
  askedBy === undefined || words.some((word) => word.length > 1 && askedBy.some((asked) => asked.startsWith(word)));

/** The matching items, best first within their groups. Groups keep their order and have at most `maxPerGroup` items each. */
export function matchItems<T extends PaletteItem>(items: readonly T[], query: string, maxPerGroup: number): PaletteGroup<T>[] {
  const words = splitWords(query);
  const groups = new Map<string, { item: T; score: number }[]>();
  for (const item of items) {
    if (!isAskedFor(item, words)) continue;
    const score = words.length === 0 ? 1 : matchScore(item.label, words) * 4 || matchScore(`${item.label} ${item.detail ?? ""}`, words);
    const group = groups.get(item.group) ?? [];
    groups.set(item.group, group);
    if (score > 0) group.push({ item, score });
  }
  return [...groups]
    .map(([name, matches]) => ({
      name,
      items: matches
        .sort((a, b) => b.score - a.score)
        .slice(0, maxPerGroup)
        .map(({ item }) => item),
    }))
    .filter((group) => group.items.length > 0);
}

/** Splits a label into parts that match the typed words and parts that do not. */
export function splitLabel(label: string, query: string): { text: string; isMatch: boolean }[] {
  const words = splitWords(query).toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return [{ text: label, isMatch: false }];
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  return label
    .split(pattern)
    .map((text, index) => ({ text, isMatch: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
