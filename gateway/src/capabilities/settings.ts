import type { PortalSettings, UiConfig, settings } from "@fairway/contract/settings";
import type { Handlers } from "#http/handlers.ts";

/** What this installation tells a browser before anyone signs in. */
export interface PublicSettings {
  portal(): PortalSettings;
  ui(): UiConfig;
}

export const settingsRoutes = ({ portal, ui }: PublicSettings): Handlers<typeof settings> => ({ portal: () => portal(), ui: () => ui() });
