import type { ErrorItem } from "@fairway/contract/errors";
import { keyProblems, nameProblems, normalName } from "@fairway/contract/text";
import { Refusal } from "#http/refusal.ts";
import type { EntityType } from "./entity-types.ts";

type Draft = Readonly<Record<string, unknown>>;

/**
 * Normalizes the new names of a draft. Names that were saved before are not changed, so that entities with any stored name can
 * be edited. `requireValid` refuses invalid new names; call it once the draft matches its schema.
 */
export function withNormalNames(
  { keys, labels }: Pick<EntityType<unknown>, "keys" | "labels">,
  draft: Draft,
  before: Draft | undefined,
): { readonly draft: Draft; readonly requireValid: () => void } {
  const errors: ErrorItem[] = [];
  let normalized: unknown = draft;
  for (const [fieldPaths, problemsOf] of [
    [keys, keyProblems],
    [labels, nameProblems],
  ] as const) {
    for (const fieldPath of fieldPaths) {
      const saved = new Set<string>();
      mapTexts(before, fieldPath, (text) => (saved.add(text), text));
      normalized = mapTexts(normalized, fieldPath, (text, path) => {
        if (saved.has(text)) return text;
        const name = normalName(text);
        for (const problem of problemsOf(name)) errors.push({ code: "invalid-request", message: `'${path}': ${problem}`, path });
        return name;
      });
    }
  }
  return {
    draft: normalized as Draft,
    requireValid: () => {
      const [first, ...more] = errors;
      if (first) throw Refusal.of([first, ...more.slice(0, 99)]);
    },
  };
}

/** A copy with each text at a field path replaced. `*` stands for every entry of a list. */
function mapTexts(value: unknown, [step, ...rest]: readonly string[], change: (text: string, path: string) => string, path = ""): unknown {
  if (step === undefined) return typeof value === "string" ? change(value, path) : value;
  const at = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (step === "*") {
    return Array.isArray(value) ? value.map((item: unknown, index) => mapTexts(item, rest, change, at(index))) : value;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, step)) return value;
  const inner = (value as Draft)[step];
  return { ...value, [step]: mapTexts(inner, rest, change, at(step)) };
}
