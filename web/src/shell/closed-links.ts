import { useMemo } from "react";
import { usePortal, usePortalSettings } from "#lib/portal-settings.ts";

/** Screens that nobody is offered: those that the operator disabled, and those that this installation has nothing for. */
export function useClosedLinks(): readonly string[] {
  const { disabledLinks } = usePortalSettings();
  const readsCards = usePortal(({ ui }) => !!ui?.cac);
  return useMemo(() => (readsCards ? disabledLinks : [...disabledLinks, "ManageCac"]), [disabledLinks, readsCards]);
}
