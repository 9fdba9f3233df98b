import { indexOf } from "./shift-paths.ts";
import { JoltProblem, copyOf, emptyMap, isMap } from "./values.ts";

/** Jolt's default: fills in what is missing or null. `*` and `a|b` only reach what is there; `key[]` names a list, with places as its keys. */
export function defaults(spec: unknown, input: unknown): unknown {
  if (!isMap(spec)) throw new JoltProblem("A default needs an object.", "spec");
  const output = copyOf(input ?? emptyMap());
  fill(spec, output);
  return output;
}

function fill(spec: Record<string, unknown>, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, wanted] of inOrder(spec)) {
    const name = key.endsWith("[]") ? key.slice(0, -2) : key;
    for (const place of placesOf(name, value)) apply(place, wanted, value as Record<string, unknown>, key.endsWith("[]"));
  }
}

/** Names first, then alternatives, the fewer the sooner, then the star. */
const inOrder = (spec: Record<string, unknown>): [string, unknown][] => {
  const rank = (key: string) => (key.replace(/\[\]$/, "") === "*" ? Infinity : key.split("|").length - 1);
  return Object.entries(spec).toSorted(([a], [b]) => {
    const [first, second] = [rank(a), rank(b)];
    return first === second ? (first === 0 ? 0 : a < b ? -1 : 1) : first - second;
  });
};

function placesOf(name: string, value: object): string[] {
  if (name === "*") return Object.keys(value);
  if (name.includes("|")) return name.split("|").filter((one) => Object.hasOwn(value, one));
  if (!Array.isArray(value)) return [name];
  const index = indexOf(name);
  if (index === undefined) return [];
  while (value.length <= index) value.push(null);
  return [name];
}

function apply(place: string, wanted: unknown, within: Record<string, unknown>, isList: boolean): void {
  const there = Object.hasOwn(within, place) ? within[place] : undefined;
  const isMissing = there === undefined || there === null;
  if (!isMap(wanted)) {
    if (isMissing) within[place] = copyOf(wanted);
    return;
  }
  if (!isMissing && isList !== Array.isArray(there)) return;
  const into = isMissing ? (isList ? [] : emptyMap()) : there;
  if (isMissing) within[place] = into;
  fill(wanted, into);
}
