import { createContext, useContext, useEffect, useMemo, useState } from "react";
import { forgetDraft, keepDraft } from "#lib/browser/drafts.ts";
import { addUnsavedForm, type LeaveQuestion, type UnsavedForm } from "#lib/browser/unsaved-changes.ts";
import { confirm } from "./confirm.ts";

/** The forms with unsaved changes in one dialog. */
export interface DialogForms {
  opened: boolean;
  forms: Set<UnsavedForm>;
}

export const DialogFormsContext = createContext<DialogForms | null>(null);

export interface UnsavedOptions {
  /** The form is in an overlay that stays open when the address changes. */
  staysOverScreens?: boolean;
  /** Names in the query of the address: the form is lost as soon as one of them changes. Keep the same array. */
  locationParams?: readonly string[];
  /** The name in the query of the address that opens the dialog of the form, so that Back closes it. */
  dialogInQuery?: string;
  /** Kept in this tab under this name, so that a reload does not lose it. Read by `draftOf`. Never contains a secret. `isPart`: there is more. */
  draft?: { name: string; value: unknown; isPart?: boolean };
  /** Asked instead of the question about unsaved changes. Keep the same object while it is asked. */
  question?: LeaveQuestion;
}

const nowhere: readonly string[] = [];

/**
 * While `isDirty`, closing the dialog around the form (other than by its own Cancel), leaving the screen, a reload and closing
 * the tab ask for confirmation. Decision 0172.
 */
export function useUnsavedChanges(
  isDirty: boolean,
  { staysOverScreens = false, locationParams = nowhere, dialogInQuery, draft, question }: UnsavedOptions = {},
): void {
  const dialog = useContext(DialogFormsContext);
  const name = draft?.name;
  const isKept = draft !== undefined && draft.isPart !== true;
  const isActive = isDirty && dialog?.opened !== false;
  useEffect(() => {
    if (!isActive) return undefined;
    const form: UnsavedForm = {
      staysOverScreens,
      locationParams,
      dialogInQuery: dialogInQuery ?? null,
      isKept,
      question: question ?? null,
    };
    const removeForm = addUnsavedForm(form);
    dialog?.forms.add(form);
    return () => {
      removeForm();
      dialog?.forms.delete(form);
      if (name !== undefined) forgetDraft(name);
    };
  }, [isActive, dialog?.forms, staysOverScreens, locationParams, dialogInQuery, name, isKept, question]);
  useEffect(() => {
    if (isActive && draft) keepDraft(draft.name, draft.value);
  });
}

/** `useUnsavedChanges` as a component, for a dialog that renders its form itself. */
export function UnsavedChanges({ when, ...options }: { when: boolean } & Pick<UnsavedOptions, "draft">) {
  useUnsavedChanges(when, options);
  return null;
}

/** Tracks the forms in a dialog. `close` asks for confirmation if one of them has unsaved changes. */
export function useDialogForms(opened: boolean, onClose: () => void): { forms: DialogForms; close: () => void } {
  const [forms] = useState(() => new Set<UnsavedForm>());
  const value = useMemo(() => ({ opened, forms }), [opened, forms]);
  const close = async () => {
    if (forms.size === 0 || (await confirmDiscard(forms))) onClose();
  };
  return { forms: value, close: () => void close() };
}

/** Asks for confirmation before unsaved changes of these forms are lost. */
export function confirmDiscard(forms: Iterable<Pick<UnsavedForm, "question">>): Promise<boolean> {
  const question = Array.from(forms, (form) => form.question).find((one) => one !== null);
  return confirm({ ...(question ?? discardQuestion), destructive: true });
}

/** The question about unsaved changes, with what is said about them. */
export const discardQuestionOf = (text: string): LeaveQuestion => ({
  title: "Discard your changes?",
  text,
  confirmLabel: "Discard",
  cancelLabel: "Keep editing",
});

const discardQuestion = discardQuestionOf("What you typed has not been saved.");

/** Whether two form values have the same content. */
export const sameContent = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
