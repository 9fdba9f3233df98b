import { join } from "node:path";
import { buildApp } from "#portal/app.ts";
import { CapabilityList } from "#http/capability.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import { shareAssets } from "#http/shared-assets.ts";
import { openCapabilities } from "#portal/open-capabilities.ts";
import { openParts } from "#portal/open-parts.ts";
import type { Config } from "#config/config.ts";
import { runEvery } from "#process/run-every.ts";
import { operatorSettings } from "#config/settings-file.ts";
import type { Foundation, Service } from "#portal/portal.ts";
import type { Platform } from "#seed/seed.ts";
import { ShutdownStack } from "#process/shutdown-stack.ts";
import { version } from "#process/version.ts";

const shareIntervalMs = 24 * 3_600_000;

/**
 * Opens all parts, seeds an empty portal, and builds the app. `platform` is the demo's; production has none. `release`
 * describes the running build for administrators.
 */
export async function openService(foundation: Foundation, platform?: Platform, release?: string): Promise<Service> {
  const shutdown = new ShutdownStack();
  try {
    const { log } = foundation;
    const config = withPlatformSettings(foundation.config, platform);
    const parts = await openParts({ ...foundation, config }, shutdown, platform);
    const capabilities = new CapabilityList(shutdown, parts.metrics);
    const apiKeyReader = await openCapabilities(parts, capabilities, release);
    const app = await buildApp({
      config,
      log,
      version,
      stopping: foundation.signal,
      metrics: parts.metrics,
      gatekeeper: new Gatekeeper(parts.identity.tokens, apiKeyReader, parts.callRates.rate("user calls", config.limits.userCallsPerMinute)),
      capabilities: capabilities.opened,
      sharedAssets: await openSharedAssets(foundation, shutdown),
      uploadOrigins: () => parts.filesetStores.uploadOrigins(),
    });
    return { app, onListening: parts.onListening, close: () => shutdown.run() };
  } catch (error) {
    // The first failure is the cause; failures of the shutdown are only logged.
    await shutdown.run().catch((failures: unknown) => foundation.log.warn({ err: failures }, "some parts could not be closed"));
    throw error;
  }
}

/** An embedded database serves one gateway only. */
async function openSharedAssets({ config, log }: Foundation, shutdown: ShutdownStack): Promise<string | undefined> {
  const { webRoot, databaseUrl, home } = config;
  if (webRoot === null || databaseUrl === undefined) return undefined;
  const folder = join(home, "web-files");
  const share = () => shareAssets(join(webRoot, "assets"), folder);
  const warn = (error: unknown) => log.warn({ err: error }, "the files of the web app could not be shared with gateways of other versions");
  // Before pages name them.
  await share().catch(warn);
  shutdown.use(runEvery(shareIntervalMs, share, warn));
  return folder;
}

/** The operator's first screen, pages and help files, or the platform's if there are none. */
function withPlatformSettings(config: Config, platform: Platform | undefined): Config {
  const { externalPages, supplementalHelp, start } = operatorSettings.parse(platform?.settings ?? {});
  const { settings } = config;
  return {
    ...config,
    settings: {
      ...settings,
      externalPages: settings.externalPages.length > 0 ? settings.externalPages : externalPages,
      supplementalHelp: settings.supplementalHelp.length > 0 ? settings.supplementalHelp : supplementalHelp,
      start: settings.start.line === "" && settings.start.questions.length === 0 ? start : settings.start,
    },
  };
}
