import { createContext, useContext, useEffect, useMemo, useRef, useState } from "react";
import { addUnsavedForm, forgetDraft, type UnsavedForm } from "#lib/unsaved-changes.ts";
import { confirm } from "./confirm.ts";

/** The unsaved forms in one dialog. */
export interface DialogForms {
  opened: boolean;
  forms: Set<UnsavedForm>;
}

export const DialogFormsContext = createContext<DialogForms | null>(null);

interface Options {
  /** It lies over all screens: another address does not close it. */
  staysOverScreens?: boolean;
  /** Keeps what was typed when the session ends, under this name. Read by `draftOf`. */
  draft?: { name: string; value: unknown };
}

/**
 * While `isDirty`, closing the dialog around the form (other than by its own Cancel), another screen, a reload and closing the tab
 * ask first. Decision 0172.
 */
export function useUnsavedChanges(isDirty: boolean, { staysOverScreens = false, draft }: Options = {}): void {
  const dialog = useContext(DialogFormsContext);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  const name = draft?.name;
  const counts = isDirty && dialog?.opened !== false;
  useEffect(() => {
    if (!counts) return undefined;
    const form: UnsavedForm = {
      staysOverScreens,
      get draft() {
        return latest.current ?? null;
      },
    };
    const takeBack = addUnsavedForm(form);
    dialog?.forms.add(form);
    return () => {
      takeBack();
      dialog?.forms.delete(form);
      if (name !== undefined) forgetDraft(name);
    };
  }, [counts, dialog?.forms, staysOverScreens, name]);
}

/** The same for a dialog that renders its form itself. */
export function UnsavedChanges({ when }: { when: boolean }) {
  useUnsavedChanges(when);
  return null;
}

/** What a dialog gives to the forms in it, and its way to close that asks first. */
export function useDialogForms(opened: boolean, onClose: () => void): { forms: DialogForms; close: () => void } {
  const [forms] = useState(() => new Set<UnsavedForm>());
  const value = useMemo(() => ({ opened, forms }), [opened, forms]);
  const close = async () => {
    if (forms.size === 0 || (await confirmDiscard())) onClose();
  };
  return { forms: value, close: () => void close() };
}

/** The one question before unsaved changes are lost. */
export const confirmDiscard = (): Promise<boolean> =>
  confirm({
    title: "Discard your changes?",
    text: "What you typed has not been saved.",
    confirmLabel: "Discard",
    destructive: true,
  });

/** Whether two states of a form are the same to the person who fills it in. */
export const sameContent = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
