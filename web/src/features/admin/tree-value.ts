import { isJsonObject } from "@fairway/contract/json";
import type { Path } from "./editor-schema.ts";

/** A line of the tree. */
export interface TreeNode {
  path: Path;
  /** The last step: a name or a place in a list; null for the whole. */
  step: string | number | null;
  value: unknown;
  depth: number;
  /** Of lists and objects. */
  children: number | null;
  isOpen: boolean;
  /** Among its siblings, from 1. */
  position: number;
  siblings: number;
}

export const keyOf = (path: Path): string => JSON.stringify(path);

const entriesOf = (value: unknown): [string | number, unknown][] | null =>
  Array.isArray(value) ? value.map((inner, at) => [at, inner]) : isJsonObject(value) ? Object.entries(value) : null;

/** What of a value is in sight: the insides of what is open. */
export function visibleNodes(value: unknown, open: ReadonlySet<string>): TreeNode[] {
  const nodes: TreeNode[] = [];
  const visit = (inner: unknown, path: Path, position: number, siblings: number) => {
    const entries = entriesOf(inner);
    const isOpen = entries !== null && open.has(keyOf(path));
    nodes.push({
      path,
      step: path.at(-1) ?? null,
      value: inner,
      depth: path.length,
      children: entries?.length ?? null,
      isOpen,
      position,
      siblings,
    });
    if (isOpen) entries.forEach(([step, child], at) => visit(child, [...path, step], at + 1, entries.length));
  };
  visit(value, [], 1, 1);
  return nodes;
}

/** A value as it is typed: texts bare, unless they would read as something else. */
export function typedText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return typeof valueOfTyped(value) === "string" && !value.startsWith('"') ? value : JSON.stringify(value);
}

/** What was typed, as a value: JSON where it is JSON, else a text. */
export function valueOfTyped(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** The whole with another value at a path. */
export const withValue = (whole: unknown, path: Path, value: unknown): unknown => changed(whole, path, () => [value]);

/** The whole without what stands at a path. */
export const without = (whole: unknown, path: Path): unknown => changed(whole, path, () => []);

/** The whole with another name for a field, in its place. A name that is taken changes nothing. */
export function renamed(whole: unknown, path: Path, name: string): unknown {
  const [holder, from] = [path.slice(0, -1), path.at(-1)];
  return changed(whole, holder, (inner) => {
    if (!isJsonObject(inner) || typeof from !== "string" || Object.hasOwn(inner, name)) return [inner];
    return [Object.fromEntries(Object.entries(inner).map(([key, value]) => [key === from ? name : key, value]))];
  });
}

/** The whole with one more entry at the end of a list or an object, and the path of it. */
export function withAdded(whole: unknown, path: Path): { whole: unknown; added: Path } {
  let step: string | number = 0;
  const next = changed(whole, path, (inner) => {
    if (Array.isArray(inner)) {
      step = inner.length;
      // Most lists hold things of one kind: the next begins as the last is.
      return [[...inner, structuredClone(inner.at(-1) ?? "")]];
    }
    if (!isJsonObject(inner)) return [inner];
    let name = "name";
    for (let nth = 2; Object.hasOwn(inner, name); nth += 1) name = `name${nth}`;
    step = name;
    return [{ ...inner, [name]: "" }];
  });
  return { whole: next, added: [...path, step] };
}

/** Puts what `change` gives in the place of the value: one, or none. */
function changed(value: unknown, path: Path, change: (value: unknown) => [unknown] | []): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value)[0];
  const replace = (inner: unknown): unknown[] => (rest.length === 0 ? change(inner) : [changed(inner, rest, change)]);
  if (Array.isArray(value)) return [...value.slice(0, Number(step)), ...replace(value[Number(step)]), ...value.slice(Number(step) + 1)];
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (name === step ? replace(inner).map((one) => [name, one]) : [[name, inner]])),
  );
}
