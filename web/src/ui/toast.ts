import { create } from "zustand";

export interface Toast {
  kind: "success" | "warning" | "error";
  title: string;
  message?: string | undefined;
  /** It goes by itself after this long; an error stays. */
  durationMs: number | false;
}

/** What was shown before the toasts themselves were loaded; they come with the first. */
export const useToasts = create<{ waiting: readonly Toast[]; used: boolean }>(() => ({ waiting: [], used: false }));

function show(toast: Toast): void {
  useToasts.setState(({ waiting }) => ({ waiting: [...waiting, toast], used: true }));
}

/** A success goes by itself: 2000 ms, or 1200 ms for edits, toggles and deletions. */
export function toastSuccess(message: string, durationMs: 2000 | 1200 = 2000): void {
  show({ kind: "success", title: message, durationMs });
}

/** What went well, but wants to be looked at: it has time to be read, and goes. */
export function toastWarning(title: string, message: string): void {
  show({ kind: "warning", title, message, durationMs: 8_000 });
}

/** An error stays until it is read. */
export function toastError(title: string, message?: string): void {
  show({ kind: "error", title, message, durationMs: false });
}
