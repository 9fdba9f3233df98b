import type { z } from "zod";
import { create } from "zustand";
import { rememberInTab } from "./tab-memory.ts";

/** A form that holds something which leaving it would lose. */
export interface UnsavedForm {
  /** It lies over all screens: another address does not close it. */
  staysOverScreens: boolean;
  /** What brings it back after a session that ended, by the form's name. Never a password. */
  draft: { name: string; value: unknown } | null;
}

export const useUnsavedForms = create<{ forms: readonly UnsavedForm[] }>(() => ({ forms: [] }));

export const hasUnsavedChanges = (): boolean => useUnsavedForms.getState().forms.length > 0;

/** Returns the function that takes the form back. */
export function addUnsavedForm(form: UnsavedForm): () => void {
  useUnsavedForms.setState(({ forms }) => ({ forms: [...forms, form] }));
  return () => useUnsavedForms.setState(({ forms }) => ({ forms: forms.filter((one) => one !== form) }));
}

/** The page is left for good: nothing of it is asked for any more. */
export function forgetUnsavedForms(): void {
  useUnsavedForms.setState({ forms: [] });
}

let drafts: Readonly<Record<string, unknown>> = {};

const remember = rememberInTab("drafts", {
  restore: (stored) => {
    if (typeof stored === "object" && stored !== null) drafts = { ...stored };
  },
  forget: () => {
    drafts = {};
  },
});

/** The session ended under these forms: the same user finds them again after the next login in this tab. */
export function keepDrafts(): void {
  const kept = useUnsavedForms.getState().forms.flatMap(({ draft }) => (draft ? [[draft.name, draft.value]] : []));
  drafts = Object.fromEntries(kept);
  remember(drafts);
}

/** What a form held when the session ended under it. Undefined where that is nothing, or of another release. */
export const draftOf = <T>(name: string, schema: z.ZodType<T>): T | undefined => schema.safeParse(drafts[name]).data;
export const hasDraft = (name: string): boolean => name in drafts;

/** The form was saved or discarded. */
export function forgetDraft(name: string): void {
  if (!(name in drafts)) return;
  const { [name]: _, ...rest } = drafts;
  drafts = rest;
  remember(drafts);
}
