import { create } from "zustand";
import { hasDraft } from "#lib/browser/drafts.ts";

/** Dialogs of every screen. One is open at a time. */
export type Overlay = "palette" | "shortcuts" | "sign-in-again" | "feedback" | "notifications";

export const useOverlay = create<{ overlay: Overlay | null }>(() => ({ overlay: null }));

/** Reopens the feedback form after a login if the session ended while it held a draft. */
export function restoreOverlay(): void {
  if (hasDraft("feedback")) openOverlay("feedback");
}

export const openOverlay = (overlay: Overlay): void => useOverlay.setState({ overlay });
export const closeOverlay = (): void => useOverlay.setState({ overlay: null });
