import { create } from "zustand";

/** What may lie over the page, one at a time. */
export type Overlay = "palette" | "shortcuts" | "sign-in-again" | "feedback";

export const useOverlay = create<{ overlay: Overlay | null }>(() => ({ overlay: null }));
export const openOverlay = (overlay: Overlay): void => useOverlay.setState({ overlay });
export const closeOverlay = (): void => useOverlay.setState({ overlay: null });
