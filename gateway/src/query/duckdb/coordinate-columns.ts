/** Names that no column has, for the latitude and longitude of a column. `hasPrefix`: they always begin with its name. */
export function coordinateNames(
  column: string,
  taken: readonly string[],
  hasPrefix = false,
): { readonly latitude: string; readonly longitude: string } {
  const isTaken = new Set(taken.map((name) => name.toLowerCase()));
  for (let count = hasPrefix ? 1 : 0; ; count += 1) {
    const prefix = count === 0 ? "" : `${column}_`.repeat(count);
    const names = { latitude: `${prefix}latitude`, longitude: `${prefix}longitude` };
    if (!Object.values(names).some((name) => isTaken.has(name.toLowerCase()))) return names;
  }
}
