import { create } from "zustand";
import { hasDraft } from "#lib/unsaved-changes.ts";

/** What may lie over the page, one at a time. */
export type Overlay = "palette" | "shortcuts" | "sign-in-again" | "feedback";

export const useOverlay = create<{ overlay: Overlay | null }>(() => ({ overlay: null }));

/** A session that ended under typed feedback: the form is there again after the login. */
export function openKeptOverlay(): void {
  if (hasDraft("feedback")) openOverlay("feedback");
}

export const openOverlay = (overlay: Overlay): void => useOverlay.setState({ overlay });
export const closeOverlay = (): void => useOverlay.setState({ overlay: null });
