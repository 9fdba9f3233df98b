import type { EntityWarning } from "@fairway/contract/entity-warning";
import { keyProblems } from "@fairway/contract/text";

/** Warns of names that violate the rules for new names and were saved before these existed. `paths`: where the names are. */
export const unclearNames =
  (...paths: readonly (readonly string[])[]) =>
  (entity: Readonly<Record<string, unknown>>): EntityWarning[] =>
    paths.flatMap((path) => namesAt(entity, path)).flatMap(({ name, path }) => keyProblems(name).map((problem) => warning(path, problem)));

const warning = (path: string, problem: string): EntityWarning => ({
  code: "unclear-name",
  message: `This name ${problem}. It was saved before that rule and still works, but people may confuse it with another name.`,
  path,
});

function namesAt(value: unknown, [key, ...rest]: readonly string[], parents: readonly string[] = []): { name: string; path: string }[] {
  if (key === undefined) return typeof value === "string" ? [{ name: value, path: parents.join(".") }] : [];
  if (key === "*") {
    return Array.isArray(value) ? value.flatMap((item: unknown, index) => namesAt(item, rest, [...parents, String(index)])) : [];
  }
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return [];
  return namesAt((value as Readonly<Record<string, unknown>>)[key], rest, [...parents, key]);
}
