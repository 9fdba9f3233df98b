import { isJsonObject } from "@fairway/contract/json";
import type { Path } from "./editor-schema.ts";

/** A line of the tree. */
export interface TreeNode {
  path: Path;
  /** The last step of the path: a name or an index; null for the root. */
  step: string | number | null;
  value: unknown;
  depth: number;
  /** Number of children of a list or object; null for other values. */
  children: number | null;
  isOpen: boolean;
  /** Position among the siblings, from 1. */
  position: number;
  siblings: number;
}

export const pathKey = (path: Path): string => JSON.stringify(path);

const entriesOf = (value: unknown): [string | number, unknown][] | null =>
  Array.isArray(value) ? value.map((inner, index) => [index, inner]) : isJsonObject(value) ? Object.entries(value) : null;

/** The visible nodes: the root and the children of open nodes. */
export function visibleNodes(value: unknown, open: ReadonlySet<string>): TreeNode[] {
  const nodes: TreeNode[] = [];
  const visit = (inner: unknown, path: Path, position: number, siblings: number) => {
    const entries = entriesOf(inner);
    const isOpen = entries !== null && open.has(pathKey(path));
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
    if (isOpen) entries.forEach(([step, child], index) => visit(child, [...path, step], index + 1, entries.length));
  };
  visit(value, [], 1, 1);
  return nodes;
}

/** A value as typed text: JSON, with strings unquoted unless they would parse as something else. */
export function typedText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return typeof parseTyped(value) === "string" && !value.startsWith('"') ? value : JSON.stringify(value);
}

/** Parses typed text: JSON if it is valid, otherwise a string. */
export function parseTyped(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** The root with another value at a path. */
export const withValue = (root: unknown, path: Path, value: unknown): unknown => updateAt(root, path, () => [value]);

/** The root without the value at a path. */
export const withoutPath = (root: unknown, path: Path): unknown => updateAt(root, path, () => []);

/** The root with a field renamed in place. Does nothing when the name is taken. */
export function withRenamedField(root: unknown, path: Path, name: string): unknown {
  const [parentPath, from] = [path.slice(0, -1), path.at(-1)];
  return updateAt(root, parentPath, (inner) => {
    if (!isJsonObject(inner) || typeof from !== "string" || Object.hasOwn(inner, name)) return [inner];
    return [Object.fromEntries(Object.entries(inner).map(([key, value]) => [key === from ? name : key, value]))];
  });
}

/** The root with an entry appended to a list or object, and the path of the new entry. */
export function withAdded(root: unknown, path: Path): { root: unknown; added: Path } {
  let step: string | number = 0;
  const next = updateAt(root, path, (inner) => {
    if (Array.isArray(inner)) {
      step = inner.length;
      // Items of a list are usually alike, so start with a copy of the last one.
      return [[...inner, structuredClone(inner.at(-1) ?? "")]];
    }
    if (!isJsonObject(inner)) return [inner];
    let name = "name";
    for (let suffix = 2; Object.hasOwn(inner, name); suffix += 1) name = `name${suffix}`;
    step = name;
    return [{ ...inner, [name]: "" }];
  });
  return { root: next, added: [...path, step] };
}

/** Replaces the value at a path by the result of `change`, or removes it when that is empty. */
function updateAt(value: unknown, path: Path, change: (value: unknown) => [unknown] | []): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value)[0];
  const replace = (inner: unknown): unknown[] => (rest.length === 0 ? change(inner) : [updateAt(inner, rest, change)]);
  if (Array.isArray(value)) return [...value.slice(0, Number(step)), ...replace(value[Number(step)]), ...value.slice(Number(step) + 1)];
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (name === step ? replace(inner).map((entry) => [name, entry]) : [[name, inner]])),
  );
}
