import { JoltProblem, copyOf, isMap } from "./values.ts";
import { starMatcher } from "./wildcards.ts";

/** Jolt's remove: takes out what a key with an empty text names; `*` stands for any part of a key. */
export function remove(spec: unknown, input: unknown): unknown {
  const output = copyOf(input);
  takeOut(spec, output, "spec");
  return output;
}

function takeOut(spec: unknown, value: unknown, at: string): void {
  if (!isMap(spec)) throw new JoltProblem("A removal needs an object whose innermost values are empty texts.", at);
  if (typeof value !== "object" || value === null) return;
  const doomed = new Set<string>();
  for (const [pattern, inner] of Object.entries(spec)) {
    if (inner !== "" && !isMap(inner)) throw new JoltProblem("A key that is removed has an empty text.", `${at}.${pattern}`);
    const matches = pattern.includes("*") ? starMatcher(pattern) : undefined;
    const keys = Object.keys(value).filter((key) => (matches ? matches(key) !== undefined : key === pattern));
    for (const key of keys) {
      if (inner === "") doomed.add(key);
      else if (!Object.hasOwn(spec, key) || key === pattern) takeOut(inner, (value as Record<string, unknown>)[key], `${at}.${pattern}`);
    }
  }
  if (Array.isArray(value)) value.splice(0, value.length, ...value.filter((_, index) => !doomed.has(String(index))));
  else for (const key of doomed) delete (value as Record<string, unknown>)[key];
}
