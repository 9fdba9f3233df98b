import { useBlocker } from "@tanstack/react-router";
import { useUnsavedForms } from "#lib/unsaved-changes.ts";
import { confirmDiscard } from "#ui/unsaved-changes.tsx";

/** Asks before another screen, a reload or a closed tab takes unsaved changes away. */
export function useLeaveGuard(): void {
  const { forms } = useUnsavedForms();
  const holdsScreen = forms.some(({ staysOverScreens }) => !staysOverScreens);
  useBlocker({
    disabled: forms.length === 0,
    enableBeforeUnload: () => useUnsavedForms.getState().forms.length > 0,
    shouldBlockFn: async ({ current, next }) => holdsScreen && current.pathname !== next.pathname && !(await confirmDiscard()),
  });
}
