/** Objects without a prototype, in which `__proto__` is an ordinary key. */
export type JsonMap = Record<string, unknown>;

export const emptyMap = (): JsonMap => Object.create(null) as JsonMap;

export const isMap = (value: unknown): value is JsonMap => typeof value === "object" && value !== null && !Array.isArray(value);

/** The entries of an object, or of a list with its indices as keys. */
export const entriesOf = (value: object): [string, unknown][] => Object.entries(value);

/** Undefined if there is none. */
export const valueAt = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as JsonMap)[key] : undefined;

/** A deep copy of JSON values. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isMap(value)) return value;
  const copy = emptyMap();
  for (const [key, inner] of Object.entries(value)) copy[key] = copyOf(inner);
  return copy;
}

/** An invalid specification, or one that exceeds a limit. `path` locates the problem. */
export class JoltProblem extends Error {
  override readonly name = "JoltProblem";
  readonly path: string;
  constructor(message: string, path = "") {
    super(message);
    this.path = path;
  }
}

/** The largest list index that a path may name; missing entries before it are filled with null. */
export const maxIndex = 10_000;
const maxValues = 200_000;
const maxCharacters = 2_000_000;
const maxDepth = 500;

/**
 * Refuses outputs that are too large: steps that double their input grow exponentially. Repeated texts share memory until
 * they are serialized, so their characters are counted at every occurrence.
 */
export function requireBounded(value: unknown): void {
  let level: unknown[] = [value];
  let seen = 0;
  let characters = 0;
  const count = (text: string): void => {
    characters += text.length;
    if (characters > maxCharacters) throw new JoltProblem(`The output contains more than ${maxCharacters} characters.`);
  };
  for (let depth = 0; level.length > 0; depth += 1) {
    seen += level.length;
    if (depth > maxDepth) throw new JoltProblem(`The output is nested more than ${maxDepth} levels deep.`);
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one === "string") count(one);
      if (typeof one !== "object" || one === null) continue;
      for (const [key, inner] of Object.entries(one) as [string, unknown][]) {
        if (!Array.isArray(one)) count(key);
        next.push(inner);
        if (seen + next.length > maxValues) throw new JoltProblem(`The output contains more than ${maxValues} values.`);
      }
    }
    level = next;
  }
}
