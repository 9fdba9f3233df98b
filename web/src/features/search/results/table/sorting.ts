import type { SortKey } from "@fairway/contract/search";

export type Direction = SortKey["direction"];

export const directionOf = (sort: readonly SortKey[], column: string): Direction | undefined =>
  sort.find((key) => key.column === column)?.direction;

/** A click on a header: ascending, descending, none. With `several` the other columns' order stays before it. */
export function clickedSort(sort: readonly SortKey[], column: string, several: boolean): SortKey[] {
  const direction = directionOf(sort, column);
  return sortedBy(sort, column, direction === undefined ? "asc" : direction === "asc" ? "desc" : undefined, several);
}

/** The order with this column in this direction; undefined takes the column out of it. */
export function sortedBy(sort: readonly SortKey[], column: string, direction: Direction | undefined, several: boolean): SortKey[] {
  const key = direction === undefined ? [] : [{ column, direction }];
  if (!several) return key;
  const at = sort.findIndex((other) => other.column === column);
  return at < 0 ? [...sort, ...key] : [...sort.slice(0, at), ...key, ...sort.slice(at + 1)];
}
