import { useBlocker } from "@tanstack/react-router";
import { type UnsavedForm, useUnsavedForms } from "#lib/unsaved-changes.ts";
import { confirmDiscard } from "#ui/unsaved-changes.tsx";

interface Place {
  readonly pathname: string;
  readonly search: Readonly<Record<string, unknown>>;
}

/** Asks for confirmation before unsaved changes are lost to another screen or place, a reload or a closed tab. */
export function useLeaveGuard(): void {
  const { forms } = useUnsavedForms();
  useBlocker({
    disabled: forms.length === 0,
    enableBeforeUnload: () => useUnsavedForms.getState().forms.length > 0,
    shouldBlockFn: async ({ current, next }) => {
      const lost = useUnsavedForms.getState().forms.filter((form) => isLost(form, current, next));
      return lost.length > 0 && !(await confirmDiscard(lost));
    },
  });
}

const isLost = ({ staysOverScreens, placeInQuery }: UnsavedForm, current: Place, next: Place): boolean =>
  current.pathname === next.pathname ? placeInQuery.some((name) => current.search[name] !== next.search[name]) : !staysOverScreens;
