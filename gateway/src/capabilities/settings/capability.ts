import type { Limits } from "@fairway/contract/limits";
import type { PasswordRules } from "@fairway/contract/passwords";
import { type PortalSettings, type UiConfig, settings } from "@fairway/contract/settings";
import type { DownloadableTool } from "@fairway/contract/tools";
import { type Capability, implement } from "#http/capability.ts";
import type { LiveConfiguration } from "#entities/live-configuration.ts";
import type { OperatorSettings } from "#config/settings-file.ts";

interface Parts {
  readonly file: OperatorSettings;
  readonly limits: Limits;
  readonly demo: boolean;
  readonly scansUploads: boolean;
  readonly cac: UiConfig["cac"];
  readonly oidc: UiConfig["oidc"];
  readonly passwordRules: PasswordRules;
  readonly mapFile: PortalSettings["mapFile"];
  readonly downloadableTools: readonly DownloadableTool[];
  readonly liveConfiguration: Pick<LiveConfiguration, "current" | "torchServices">;
}

/**
 * The public part of the operator's settings, which browsers read before sign-in. Excludes the addresses of external pages, which
 * only holders of the pages' roles may know.
 */
export function openSettings({
  file,
  limits,
  demo,
  scansUploads,
  cac,
  oidc,
  passwordRules,
  mapFile,
  downloadableTools,
  liveConfiguration,
}: Parts): Capability {
  const { appTitle, appSubtitle, feedbackEnabled, cac: _secret, start: _forSignedIn, ...rest } = file;
  const operatorUi = {
    appTitle,
    appSubtitle,
    feedbackEnabled,
    availableTorchServices: [],
    downloadableTools: [...downloadableTools],
    cac,
    oidc,
  };
  const portal = () => ({ ...rest, mapFile, limits, passwordRules, scansUploads, demo });
  return {
    routes: { settings: implement(settings, { portal, ui: () => configuredUi(operatorUi, liveConfiguration) }) },
    originRoutes: [implement({ portal: settings.portal }, { portal })],
  };
}

/** The operator's settings, overridden by the administrators' configuration. */
export async function configuredUi(operatorUi: UiConfig, live: Parts["liveConfiguration"]): Promise<UiConfig> {
  const [configuration, torchServices] = await Promise.all([live.current(), live.torchServices()]);
  return {
    ...operatorUi,
    appTitle: configuration?.appTitle || operatorUi.appTitle,
    appSubtitle: configuration?.appSubtitle || operatorUi.appSubtitle,
    availableTorchServices: torchServices.map(({ name }) => name),
  };
}
