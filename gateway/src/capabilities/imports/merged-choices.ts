import type { ImportChoices } from "@fairway/contract/imports";

type Fields<T> = { readonly [Key in keyof T]?: T[Key] | null | undefined };

const merged = <T extends object>(known: T | null | undefined, change: T | null | undefined): T | null | undefined =>
  change === undefined ? known : change === null ? null : { ...known, ...change };

/** The same one level deeper: fields of a file or a column replace those of before one by one. */
function mergedEach<T extends object>(
  known: Fields<Record<string, T>> | null | undefined,
  change: Fields<Record<string, T>> | null | undefined,
): Record<string, T | null> | null | undefined {
  if (change === undefined || change === null) return change === null ? null : (known as Record<string, T | null> | null | undefined);
  const entries = Object.entries(change).map(([key, value]) => [key, merged(known?.[key], value) ?? null] as const);
  return { ...(known as Record<string, T | null> | null | undefined), ...Object.fromEntries(entries) };
}

/** Choices replace those of before one by one; null makes one automatic again. */
export const mergedChoices = (before: ImportChoices, { files, columns, answers, ...changes }: ImportChoices): ImportChoices => ({
  ...before,
  ...changes,
  files: mergedEach(before.files, files),
  columns: mergedEach(before.columns, columns),
  answers: merged(before.answers, answers),
});
