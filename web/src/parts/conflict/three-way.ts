import { ownValue } from "@fairway/contract/records";
import { isJsonObject } from "@fairway/contract/json";

type Path = readonly (string | number)[];

interface Merged {
  /** Theirs with my changes applied; mine wins in fields that both changed. */
  value: unknown;
  /** The fields that both changed to different values. */
  collisions: Path[];
}

/** Merges two changed versions of one base. Undefined stands for a missing field. */
export function mergeThreeWay(base: unknown, mine: unknown, theirs: unknown, path: Path = []): Merged {
  if (isSame(mine, base)) return { value: theirs, collisions: [] };
  if (isSame(theirs, base) || isSame(mine, theirs)) return { value: mine, collisions: [] };
  if (isJsonObject(mine) && isJsonObject(theirs)) return mergeFields(isJsonObject(base) ? base : {}, mine, theirs, path);
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs) && haveSameNames(base, mine, theirs)) {
    const parts = mine.map((item: unknown, index) => mergeThreeWay(base[index], item, theirs[index], [...path, index]));
    return { value: parts.map(({ value }) => value), collisions: parts.flatMap(({ collisions }) => collisions) };
  }
  return { value: mine, collisions: [path] };
}

type Fields = Record<string, unknown>;

function mergeFields(base: Fields, mine: Fields, theirs: Fields, path: Path): Merged {
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const fields: [string, unknown][] = [];
  const collisions: Path[] = [];
  for (const name of names) {
    const merged = mergeThreeWay(ownValue(base, name), ownValue(mine, name), ownValue(theirs, name), [...path, name]);
    if (merged.value !== undefined) fields.push([name, merged.value]);
    collisions.push(...merged.collisions);
  }
  return { value: Object.fromEntries(fields), collisions };
}

/** True for lists of uniquely named items, such as columns, with the same names in the same order. Their items are merged one by one. */
function haveSameNames(...lists: readonly (readonly unknown[])[]): boolean {
  const [first, ...others] = lists.map((list) => JSON.stringify(list.map((item) => (isJsonObject(item) ? item["name"] : undefined))));
  const names = lists[0]?.map((item) => (isJsonObject(item) ? item["name"] : undefined)) ?? [];
  const areNames = names.every((name) => typeof name === "string") && new Set(names).size === names.length;
  return areNames && others.every((other) => other === first);
}

/** Deep equality, ignoring the order of fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((inner, index) => isSame(inner, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]));
}
