import type { EntityWarning } from "@fairway/contract/entities";
import { keyProblems } from "@fairway/contract/text";

/** Names that were saved before names had rules. They work, but people may take them for others. */
export const unclearNames =
  (...places: readonly (readonly string[])[]) =>
  (entity: Readonly<Record<string, unknown>>): EntityWarning[] =>
    places
      .flatMap((place) => namesAt(entity, place))
      .flatMap(({ name, path }) => keyProblems(name).map((problem) => warning(path, problem)));

const warning = (path: string, problem: string): EntityWarning => ({
  code: "unclear-name",
  message: `This name ${problem}. It was saved before that rule and still works, but people may take it for another.`,
  path,
});

function namesAt(value: unknown, [step, ...rest]: readonly string[], at: readonly string[] = []): { name: string; path: string }[] {
  if (step === undefined) return typeof value === "string" ? [{ name: value, path: at.join(".") }] : [];
  if (step === "*") {
    return Array.isArray(value) ? value.flatMap((one: unknown, index) => namesAt(one, rest, [...at, String(index)])) : [];
  }
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return [];
  return namesAt((value as Readonly<Record<string, unknown>>)[step], rest, [...at, step]);
}
