import { indexOf } from "./shift-paths.ts";
import { JoltProblem, copyOf, emptyMap, isMap } from "./values.ts";

/** Jolt's default: fills in missing or null values. `*` and `a|b` only match existing keys; `key[]` names a list, with indices as its keys. */
export function defaults(spec: unknown, input: unknown): unknown {
  if (!isMap(spec)) throw new JoltProblem("A default needs an object.", "spec");
  const output = copyOf(input ?? emptyMap());
  fill(spec, output);
  return output;
}

function fill(spec: Record<string, unknown>, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, fallback] of sortedEntries(spec)) {
    const name = key.endsWith("[]") ? key.slice(0, -2) : key;
    for (const match of matchingKeys(name, value)) apply(match, fallback, value as Record<string, unknown>, key.endsWith("[]"));
  }
}

/** Plain names first, then alternatives, those with fewer first, then the star. */
const sortedEntries = (spec: Record<string, unknown>): [string, unknown][] => {
  const rank = (key: string) => (key.replace(/\[\]$/, "") === "*" ? Infinity : key.split("|").length - 1);
  return Object.entries(spec).toSorted(([a], [b]) => {
    const [first, second] = [rank(a), rank(b)];
    return first === second ? (first === 0 ? 0 : a < b ? -1 : 1) : first - second;
  });
};

function matchingKeys(name: string, value: object): string[] {
  if (name === "*") return Object.keys(value);
  if (name.includes("|")) return name.split("|").filter((one) => Object.hasOwn(value, one));
  if (!Array.isArray(value)) return [name];
  const index = indexOf(name);
  if (index === undefined) return [];
  while (value.length <= index) value.push(null);
  return [name];
}

function apply(key: string, fallback: unknown, container: Record<string, unknown>, isList: boolean): void {
  const current = Object.hasOwn(container, key) ? container[key] : undefined;
  const isMissing = current === undefined || current === null;
  if (!isMap(fallback)) {
    if (isMissing) container[key] = copyOf(fallback);
    return;
  }
  if (!isMissing && isList !== Array.isArray(current)) return;
  const target = isMissing ? (isList ? [] : emptyMap()) : current;
  if (isMissing) container[key] = target;
  fill(fallback, target);
}
