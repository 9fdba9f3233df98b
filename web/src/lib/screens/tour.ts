import { create } from "zustand";

/** Whether the tour is shown. It is only ever started by the user. */
export const useTour = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export const startTour = (): void => useTour.setState({ isOpen: true });
export const endTour = (): void => useTour.setState({ isOpen: false });
