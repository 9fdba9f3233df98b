import { create } from "zustand";

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  kind: "success" | "warning" | "error" | "action";
  title: string;
  message?: string | undefined;
  /** Closes by itself after this time; false keeps it open. */
  durationMs: number | false;
  /** Actions of the toast's buttons, which close it. */
  actions?: readonly ToastAction[];
}

/** Toasts not yet handed to `Toasts`, which is loaded with the first one. */
export const useToasts = create<{ waiting: readonly Toast[]; used: boolean }>(() => ({ waiting: [], used: false }));

function show(toast: Toast): void {
  useToasts.setState(({ waiting }) => ({ waiting: [...waiting, toast], used: true }));
}

/** Shows a success that closes by itself: after 2000 ms, or 1200 ms for edits, toggles and deletions. */
export function toastSuccess(message: string, durationMs: 2000 | 1200 = 2000): void {
  show({ kind: "success", title: message, durationMs });
}

/** Shows a success that needs attention. Closes by itself after enough time to read it. */
export function toastWarning(title: string, message: string): void {
  show({ kind: "warning", title, message, durationMs: 8_000 });
}

/** Shows what was removed, with a button that brings it back, and others. Closes by itself, and with the next such toast. */
export function toastUndo(title: string, undo: () => void, ...others: readonly ToastAction[]): void {
  toastAction(title, { label: "Undo", run: undo }, ...others);
}

/** Shows what was done, with buttons for what comes next. Closes by itself, and with the next such toast. */
export function toastAction(title: string, ...actions: readonly ToastAction[]): void {
  show({ kind: "action", title, durationMs: 10_000, actions });
}

/** Shows an error until it is closed. */
export function toastError(title: string, message?: string): void {
  show({ kind: "error", title, message, durationMs: false });
}
