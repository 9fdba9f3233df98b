import { isLinkDisabled } from "./disabled-links.ts";
import { usePortalSettings } from "./portal-settings.ts";

/** Screens that other parts link to, by their names among the shell's screens. */
export const linkedScreens = {
  ApiKeys: { path: "/keys" },
  Assistants: { path: "/assistants" },
  Boards: { path: "/boards" },
  Alerts: { path: "/alerts" },
  DatasetUse: { path: "/data-catalog/$datasetCategory/$datasetId/use" },
  Filesets: { path: "/filesets", aliases: ["/files"] },
  FAQ: { path: "/FAQ" },
} as const;
type LinkedScreen = keyof typeof linkedScreens;

/** Whether the operator has disabled a screen, so that nothing leads to it. */
export const isScreenDisabled = (name: LinkedScreen, disabledLinks: readonly string[]): boolean =>
  isLinkDisabled({ name, ...linkedScreens[name] }, disabledLinks);

export const useIsScreenDisabled = (name: LinkedScreen): boolean => isScreenDisabled(name, usePortalSettings().disabledLinks);
