import { JoltProblem, copyOf, isMap } from "./values.ts";
import { bySpecificity, starMatcher } from "./wildcards.ts";

/** Jolt's cardinality: `ONE` replaces a list with its first value, `MANY` wraps a value in a list. `@` applies to the level itself. */
export function cardinality(spec: unknown, input: unknown): unknown {
  const container = { root: copyOf(input) };
  apply(spec, container, "root", "spec");
  return container.root;
}

function apply(spec: unknown, container: Record<string, unknown>, key: string, path: string): void {
  if (spec === "ONE" || spec === "MANY") {
    container[key] = spec === "ONE" ? toOne(container[key]) : toMany(container[key]);
    return;
  }
  if (!isMap(spec)) throw new JoltProblem("Expected 'ONE', 'MANY' or an object of them.", path);
  const { "@": own, ...children } = spec;
  if (own !== undefined) apply(own, container, key, `${path}.@`);
  const value = container[key];
  const patterns = Object.keys(children).toSorted(bySpecificity);
  const matchers = patterns.map((pattern) => ({
    pattern,
    match: pattern.includes("*") ? starMatcher(pattern) : (name: string) => name === pattern,
  }));
  if (typeof value !== "object" || value === null) return;
  for (const name of Object.keys(value)) {
    const exact = matchers.find(({ pattern }) => pattern === name);
    const found = exact ?? matchers.find(({ match }) => Boolean(match(name)));
    if (found) apply(children[found.pattern], value as Record<string, unknown>, name, `${path}.${found.pattern}`);
  }
}

const toOne = (value: unknown): unknown => (Array.isArray(value) ? ((value as unknown[])[0] ?? null) : value);

const toMany = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value as unknown[];
  return value === null || value === undefined ? [] : [value];
};
