import type { Limits } from "@fairway/contract/limits";
import type { PasswordRules } from "@fairway/contract/passwords";
import type { PortalSettings, UiConfig, settings } from "@fairway/contract/settings";
import type { Handlers } from "#http/handlers.ts";
import type { OperatorSettings } from "#settings-file.ts";

/** What this installation tells a browser before anyone signs in. */
export interface PublicSettings {
  portal(): PortalSettings;
  ui(): UiConfig | Promise<UiConfig>;
}

/** The public part of the operator's settings. An external page's address is not in it: it is told to who holds the page's role. */
export function publicSettings(
  file: OperatorSettings,
  limits: Limits,
  { demo, cac, passwordRules }: { demo: boolean; cac: UiConfig["cac"]; passwordRules: PasswordRules },
): PublicSettings {
  const { appTitle, appSubtitle, feedbackEnabled, cac: _secret, ...rest } = file;
  return {
    portal: () => ({ ...rest, limits, passwordRules, demo }),
    ui: () => ({ appTitle, appSubtitle, feedbackEnabled, availableTorchServices: [], downloadableTools: [], cac }),
  };
}

export const settingsRoutes = (told: PublicSettings): Handlers<typeof settings> => ({ portal: () => told.portal(), ui: () => told.ui() });
