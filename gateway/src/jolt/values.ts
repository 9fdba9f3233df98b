/** Objects without a prototype: a key such as `__proto__` is a key like any other. */
export type JsonMap = Record<string, unknown>;

export const emptyMap = (): JsonMap => Object.create(null) as JsonMap;

export const isMap = (value: unknown): value is JsonMap => typeof value === "object" && value !== null && !Array.isArray(value);

/** The entries of an object, or of a list with its indices as keys. */
export const entriesOf = (value: object): [string, unknown][] => Object.entries(value);

/** Undefined where there is none. */
export const valueAt = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as JsonMap)[key] : undefined;

/** A copy that shares nothing, of values that came from JSON. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isMap(value)) return value;
  const copy = emptyMap();
  for (const [key, inner] of Object.entries(value)) copy[key] = copyOf(inner);
  return copy;
}

/** A specification that means nothing, or makes more than a trial may. `path` says where. */
export class JoltProblem extends Error {
  override readonly name = "JoltProblem";
  readonly path: string;
  constructor(message: string, path = "") {
    super(message);
    this.path = path;
  }
}

/** List indices that a path may name; what lies before is filled with nothing. */
export const largestIndex = 10_000;
const mostValues = 200_000;
const mostCharacters = 2_000_000;
const deepest = 500;

/**
 * Refuses a value that grew out of all proportion: steps that double what they are given make that of very little. Texts that
 * stand in many places take their memory once, until they are written.
 */
export function requireModest(value: unknown): void {
  let level: unknown[] = [value];
  let seen = 0;
  let characters = 0;
  const count = (text: string): void => {
    characters += text.length;
    if (characters > mostCharacters) throw new JoltProblem(`The output holds more than ${mostCharacters} characters.`);
  };
  for (let depth = 0; level.length > 0; depth += 1) {
    seen += level.length;
    if (depth > deepest) throw new JoltProblem(`The output lies more than ${deepest} lists and objects deep.`);
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one === "string") count(one);
      if (typeof one !== "object" || one === null) continue;
      for (const [key, inner] of Object.entries(one) as [string, unknown][]) {
        if (!Array.isArray(one)) count(key);
        next.push(inner);
        if (seen + next.length > mostValues) throw new JoltProblem(`The output holds more than ${mostValues} values.`);
      }
    }
    level = next;
  }
}
