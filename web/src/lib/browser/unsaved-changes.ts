import { create } from "zustand";

/** A form with changes that leaving it would lose. */
export interface UnsavedForm {
  /** The form is in an overlay that stays open when the address changes. */
  staysOverScreens: boolean;
  /** Parameters of the address that locate the form: it is left if one of them changes. */
  locationParams: readonly string[];
  /** The name in the query of the address that opens the dialog of the form: Back closes it. Its own ways to close have asked. */
  dialogInQuery: string | null;
  /** A reload loses nothing of it. */
  isKept: boolean;
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
