import { isLinkDisabled } from "./disabled-links.ts";
import { usePortalSettings } from "./portal-settings.ts";

/** Screens that features link to, by their names among the shell's screens. */
export const linkedScreens = {
  ApiKeys: "/keys",
  Boards: "/boards",
  Alerts: "/alerts",
  DatasetUse: "/data-catalog/$datasetCategory/$datasetId/use",
} as const;

/** Whether the operator has disabled a screen, so that nothing leads to it. */
export function useIsScreenDisabled(name: keyof typeof linkedScreens): boolean {
  const { disabledLinks } = usePortalSettings();
  return isLinkDisabled({ name, path: linkedScreens[name] }, disabledLinks);
}
