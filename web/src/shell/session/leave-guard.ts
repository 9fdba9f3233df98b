import { useBlocker } from "@tanstack/react-router";
import { type UnsavedForm, useUnsavedForms } from "#lib/browser/unsaved-changes.ts";
import { confirmDiscard } from "#ui/dialog/unsaved-changes.tsx";

interface ScreenLocation {
  readonly pathname: string;
  readonly search: Readonly<Record<string, unknown>>;
}

/** Asks for confirmation before unsaved changes are lost to another screen or location, a reload or a closed tab. */
export function useLeaveGuard(): void {
  const { forms } = useUnsavedForms();
  useBlocker({
    disabled: forms.length === 0,
    enableBeforeUnload: () => useUnsavedForms.getState().forms.length > 0,
    shouldBlockFn: async ({ current, next, action }) => {
      const lost = useUnsavedForms
        .getState()
        .forms.filter((form) => isLost(form, current, next, action === "PUSH" || action === "REPLACE"));
      return lost.length > 0 && !(await confirmDiscard(lost));
    },
  });
}

function isLost(
  { staysOverScreens, locationParams, dialogInQuery }: UnsavedForm,
  current: ScreenLocation,
  next: ScreenLocation,
  isChosen: boolean,
): boolean {
  if (current.pathname !== next.pathname) return !staysOverScreens;
  const names = dialogInQuery === null || isChosen ? locationParams : [...locationParams, dialogInQuery];
  return names.some((name) => current.search[name] !== next.search[name]);
}
