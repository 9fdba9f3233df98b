/** A line of the palette, before anything is typed. */
export interface PaletteItem {
  id: string;
  group: string;
  label: string;
  /** Said at the right, and searched too. */
  detail?: string;
}

export interface PaletteGroup<T extends PaletteItem> {
  name: string;
  items: T[];
}

/** How well a text fits: 0 not at all, more is better. Every word must occur; the beginning of a word counts more. */
export function fit(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at < 0) return 0;
    sum += at === 0 ? 3 : /[\s\-_/.]/.test(lower[at - 1] ?? "") ? 2 : 1;
  }
  return sum;
}

export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** The items that fit, best first within their groups; groups keep their order and at most `most` items each. */
export function matching<T extends PaletteItem>(items: readonly T[], query: string, most: number): PaletteGroup<T>[] {
  const words = wordsOf(query);
  const groups = new Map<string, { item: T; fit: number }[]>();
  for (const item of items) {
    const found = words.length === 0 ? 1 : fit(item.label, words) * 4 || fit(`${item.label} ${item.detail ?? ""}`, words);
    const group = groups.get(item.group) ?? [];
    groups.set(item.group, group);
    if (found > 0) group.push({ item, fit: found });
  }
  return [...groups]
    .map(([name, found]) => ({
      name,
      items: found
        .sort((a, b) => b.fit - a.fit)
        .slice(0, most)
        .map(({ item }) => item),
    }))
    .filter((group) => group.items.length > 0);
}

/** The label in pieces, with the typed words marked. */
export function marked(label: string, query: string): { text: string; hit: boolean }[] {
  const words = wordsOf(query).toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return [{ text: label, hit: false }];
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  return label
    .split(pattern)
    .map((text, index) => ({ text, hit: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
