import { isLinkDisabled } from "./disabled-links.ts";
import { usePortalSettings } from "../gateway/portal-settings.ts";
import { screenNamed, type ScreenName } from "./screen-table.ts";

// The start screen and the fallback of every other address.
const neverDisabled: ReadonlySet<ScreenName> = new Set(["UnifiedDatasets"]);

/** Whether the operator has disabled a screen, so that nothing leads to it. */
export const isScreenDisabled = (name: ScreenName, disabledLinks: readonly string[]): boolean =>
  !neverDisabled.has(name) && isLinkDisabled({ name, ...screenNamed(name) }, disabledLinks);

export const useIsScreenDisabled = (name: ScreenName): boolean => isScreenDisabled(name, usePortalSettings().disabledLinks);
