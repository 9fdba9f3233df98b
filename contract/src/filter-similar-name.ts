/** The known name that takes the fewest changes, if they are few; otherwise one that contains the text. */
export function similarName(typed: string, names: readonly string[]): string | undefined {
  const text = typed.slice(0, 60).toLowerCase();
  const ranked = names
    .map((name) => ({ name, changes: changesBetween(text, name.slice(0, 200).toLowerCase()) }))
    .toSorted((a, b) => a.changes - b.changes);
  const [nearest] = ranked;
  if (nearest && nearest.changes <= Math.max(1, Math.floor(text.length / 3))) return nearest.name;
  return text.length < 3 ? undefined : names.find((name) => name.toLowerCase().includes(text));
}

/** Letters to replace, to add, to remove or to swap with the next one. */
function changesBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index += 1) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (one[index] === other[at - 1] ? 0 : 1);
      const isSwapped = index > 0 && at > 1 && one[index] === other[at - 2] && one[index - 1] === other[at - 1];
      const swapped = isSwapped ? (before[at - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
