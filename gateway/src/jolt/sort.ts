import { emptyMap, isMap } from "./values.ts";

/** Jolt's sort: keys by name at every level, those with a leading `~` first. Lists keep their order. */
export function sort(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(sort);
  if (!isMap(input)) return input;
  const sorted = emptyMap();
  for (const key of Object.keys(input).toSorted(byName)) sorted[key] = sort(input[key]);
  return sorted;
}

function byName(a: string, b: string): number {
  if (a.startsWith("~") !== b.startsWith("~")) return a.startsWith("~") ? -1 : 1;
  return a < b ? -1 : 1;
}
