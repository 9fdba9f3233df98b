import type { ErrorItem } from "@fairway/contract/errors";
import { keyProblems, nameProblems, normalName } from "@fairway/contract/text";
import { Refusal } from "#http/refusal.ts";
import type { EntityType } from "./entity-types.ts";

type Draft = Readonly<Record<string, unknown>>;

/**
 * Puts the new names of a draft into their normal form. What was saved before is not touched: it can be edited and deleted
 * whatever it is called. `requireFit` refuses new names that must not be names; call it once the draft fits its schema.
 */
export function withNormalNames(
  { keys, labels }: Pick<EntityType<unknown>, "keys" | "labels">,
  draft: Draft,
  before: Draft | undefined,
): { readonly draft: Draft; readonly requireFit: () => void } {
  const found: ErrorItem[] = [];
  let normal: unknown = draft;
  for (const [places, problemsOf] of [
    [keys, keyProblems],
    [labels, nameProblems],
  ] as const) {
    for (const place of places) {
      const saved = new Set<string>();
      mapped(before, place, (text) => (saved.add(text), text));
      normal = mapped(normal, place, (text, path) => {
        if (saved.has(text)) return text;
        const name = normalName(text);
        for (const problem of problemsOf(name)) found.push({ code: "invalid-request", message: `'${path}': ${problem}`, path });
        return name;
      });
    }
  }
  return {
    draft: normal as Draft,
    requireFit: () => {
      const [first, ...more] = found;
      if (first) throw Refusal.of([first, ...more.slice(0, 99)]);
    },
  };
}

/** A copy in which each text at `place` is what `change` makes of it. `*` stands for every entry of a list. */
function mapped(value: unknown, [step, ...rest]: readonly string[], change: (text: string, path: string) => string, path = ""): unknown {
  if (step === undefined) return typeof value === "string" ? change(value, path) : value;
  const at = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (step === "*") {
    return Array.isArray(value) ? value.map((one: unknown, index) => mapped(one, rest, change, at(index))) : value;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, step)) return value;
  const inner = (value as Draft)[step];
  return { ...value, [step]: mapped(inner, rest, change, at(step)) };
}
