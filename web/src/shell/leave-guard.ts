import { useBlocker } from "@tanstack/react-router";
import { useUnsavedForms } from "#lib/unsaved-changes.ts";
import { confirmDiscard } from "#ui/unsaved-changes.tsx";

/** Asks for confirmation before unsaved changes are lost to another screen, a reload or a closed tab. */
export function useLeaveGuard(): void {
  const { forms } = useUnsavedForms();
  const hasScreenForms = forms.some(({ staysOverScreens }) => !staysOverScreens);
  useBlocker({
    disabled: forms.length === 0,
    enableBeforeUnload: () => useUnsavedForms.getState().forms.length > 0,
    shouldBlockFn: async ({ current, next }) =>
      hasScreenForms && current.pathname !== next.pathname && !(await confirmDiscard(useUnsavedForms.getState().forms)),
  });
}
