import { create } from "zustand";
import { toastError } from "#ui/toast/toast.ts";

/** Why the last import could not be started, and how many screens show it. */
export const useStartRefusal = create<{ reason: string | null; screens: number }>(() => ({ reason: null, screens: 0 }));

export const clearRefusal = (): void => useStartRefusal.setState({ reason: null });

/** Says why no data could be added: in the page if it has a place for that. */
export function refuseStart(reason: string): void {
  if (useStartRefusal.getState().screens > 0) useStartRefusal.setState({ reason });
  else toastError("No data could be added", reason);
}

/** A screen that shows the reason, until the returned function is called. */
export function showsRefusals(): () => void {
  useStartRefusal.setState(({ screens }) => ({ screens: screens + 1 }));
  return () => useStartRefusal.setState(({ screens }) => ({ screens: screens - 1, reason: null }));
}
