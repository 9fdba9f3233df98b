import { JoltProblem, copyOf, isMap } from "./values.ts";
import { bySpecificity, starMatcher } from "./wildcards.ts";

/** Jolt's cardinality: `ONE` makes a list its first value, `MANY` makes a value a list. `@` says it of the level itself. */
export function cardinality(spec: unknown, input: unknown): unknown {
  const holder = { root: copyOf(input) };
  apply(spec, holder, "root", "spec");
  return holder.root;
}

function apply(spec: unknown, holder: Record<string, unknown>, key: string, at: string): void {
  if (spec === "ONE" || spec === "MANY") {
    holder[key] = spec === "ONE" ? one(holder[key]) : many(holder[key]);
    return;
  }
  if (!isMap(spec)) throw new JoltProblem("Expected 'ONE', 'MANY' or an object of them.", at);
  const { "@": own, ...children } = spec;
  if (own !== undefined) apply(own, holder, key, `${at}.@`);
  const value = holder[key];
  const patterns = Object.keys(children).toSorted(bySpecificity);
  const matchers = patterns.map((pattern) => ({
    pattern,
    match: pattern.includes("*") ? starMatcher(pattern) : (name: string) => name === pattern,
  }));
  if (typeof value !== "object" || value === null) return;
  for (const name of Object.keys(value)) {
    const exact = matchers.find(({ pattern }) => pattern === name);
    const found = exact ?? matchers.find(({ match }) => Boolean(match(name)));
    if (found) apply(children[found.pattern], value as Record<string, unknown>, name, `${at}.${found.pattern}`);
  }
}

const one = (value: unknown): unknown => (Array.isArray(value) ? ((value as unknown[])[0] ?? null) : value);

const many = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value as unknown[];
  return value === null || value === undefined ? [] : [value];
};
