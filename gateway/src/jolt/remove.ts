import { JoltProblem, copyOf, isMap } from "./values.ts";
import { starMatcher } from "./wildcards.ts";

/** Jolt's remove: deletes the keys whose value in the specification is an empty text; `*` matches any part of a key. */
export function remove(spec: unknown, input: unknown): unknown {
  const output = copyOf(input);
  removeMatching(spec, output, "spec");
  return output;
}

function removeMatching(spec: unknown, value: unknown, path: string): void {
  if (!isMap(spec)) throw new JoltProblem("A removal needs an object whose innermost values are empty texts.", path);
  if (typeof value !== "object" || value === null) return;
  const removed = new Set<string>();
  for (const [pattern, inner] of Object.entries(spec)) {
    if (inner !== "" && !isMap(inner)) throw new JoltProblem("A key that is removed has an empty text.", `${path}.${pattern}`);
    const matches = pattern.includes("*") ? starMatcher(pattern) : undefined;
    const keys = Object.keys(value).filter((key) => (matches ? matches(key) !== undefined : key === pattern));
    for (const key of keys) {
      if (inner === "") removed.add(key);
      else if (!Object.hasOwn(spec, key) || key === pattern)
        removeMatching(inner, (value as Record<string, unknown>)[key], `${path}.${pattern}`);
    }
  }
  if (Array.isArray(value)) value.splice(0, value.length, ...value.filter((_, index) => !removed.has(String(index))));
  else for (const key of removed) delete (value as Record<string, unknown>)[key];
}
