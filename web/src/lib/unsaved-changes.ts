import type { z } from "zod";
import { create } from "zustand";
import { rememberInTab } from "./tab-memory.ts";

/** A form with changes that leaving it would lose. */
export interface UnsavedForm {
  /** The form is in an overlay that stays open when the address changes. */
  staysOverScreens: boolean;
  /** Names in the query of the address that say where the form is: another value of one of them is another place. */
  placeInQuery: readonly string[];
  /** The name in the query of the address that opens the dialog of the form: Back closes it. Its own ways to close have asked. */
  dialogInQuery: string | null;
  /** Restores the form after the session has ended, by the form's name. Never contains a password. */
  draft: { name: string; value: unknown } | null;
  /** Asked before it is lost; null = the question about unsaved changes. */
  question: LeaveQuestion | null;
}

export interface LeaveQuestion {
  title: string;
  text: string;
  confirmLabel: string;
  /** Default Cancel. */
  cancelLabel?: string;
}

export const useUnsavedForms = create<{ forms: readonly UnsavedForm[] }>(() => ({ forms: [] }));

export const hasUnsavedChanges = (): boolean => useUnsavedForms.getState().forms.length > 0;

/** Returns the function that removes the form. */
export function addUnsavedForm(form: UnsavedForm): () => void {
  useUnsavedForms.setState(({ forms }) => ({ forms: [...forms, form] }));
  return () => useUnsavedForms.setState(({ forms }) => ({ forms: forms.filter((one) => one !== form) }));
}

/** Called when the page is left for good, so that nothing asks about unsaved changes any more. */
export function forgetUnsavedForms(): void {
  useUnsavedForms.setState({ forms: [] });
}

let drafts: Readonly<Record<string, unknown>> = {};

const storeDrafts = rememberInTab("drafts", {
  restore: (stored) => {
    if (typeof stored === "object" && stored !== null) drafts = { ...stored };
  },
  forget: () => {
    drafts = {};
  },
});

/** Stores the drafts of open forms when the session ends. The same user gets them back after the next login in this tab. */
export function keepDrafts(): void {
  const entries = useUnsavedForms.getState().forms.flatMap(({ draft }) => (draft ? [[draft.name, draft.value]] : []));
  drafts = Object.fromEntries(entries);
  storeDrafts(drafts);
}

/** The draft stored when the session ended. Undefined if there is none, or if it does not match the schema of this release. */
export const draftOf = <T>(name: string, schema: z.ZodType<T>): T | undefined => schema.safeParse(drafts[name]).data;
export const hasDraft = (name: string): boolean => name in drafts;

/** Called when the form is saved or discarded. */
export function forgetDraft(name: string): void {
  if (!(name in drafts)) return;
  const { [name]: _, ...rest } = drafts;
  drafts = rest;
  storeDrafts(drafts);
}
