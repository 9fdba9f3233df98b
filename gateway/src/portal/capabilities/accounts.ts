import { openAuditing } from "#capabilities/audit/capability.ts";
import { openAuth } from "#capabilities/auth/capability.ts";
import { openCac } from "#capabilities/cac/capability.ts";
import { openMapFile } from "#capabilities/map-file/capability.ts";
import { openOidc } from "#capabilities/oidc/capability.ts";
import { openSessions } from "#capabilities/sessions/capability.ts";
import { openSettings } from "#capabilities/settings/capability.ts";
import { openSetup } from "#capabilities/setup/capability.ts";
import { openSignInMethods } from "#capabilities/sign-in-methods/capability.ts";
import { openTools } from "#capabilities/tools/capability.ts";
import type { CapabilityList } from "#http/capability.ts";
import { findByUsername } from "#identity/accounts.ts";
import type { Parts } from "#portal/open-parts.ts";

/** Signing in, sessions and what is recorded of them, and the settings that pages need before anyone is signed in. */
export async function openAccounts(parts: Parts, list: CapabilityList) {
  const { config, database, masterKey, log, metrics, identity, addresses, liveConfiguration } = parts;
  const { db } = database;
  const { limits, securityLimits, publicUrl } = config;
  const findUser = (username: string) => findByUsername(db, username);
  const { audit } = await list.add(openAuditing({ database, limits: securityLimits, findUser, metrics, log }));

  await list.add(openAuth({ identity }));
  await list.add(openSignInMethods({ identity }));
  const cac = await list.add(openCac({ settings: parts.cacSettings, identity, publicUrl, addresses, log }));
  const oidc = await list.add(openOidc({ provider: parts.provider, identity, publicUrl, masterKey }));
  await list.add(openSessions({ identity, signInsOf: (userId) => audit.signInsOf(userId) }));
  await list.add(openSetup({ identity }));
  const { downloadable: downloadableTools } = await list.add(openTools({ folder: config.toolsFolder }));
  const { settings: mapFile } = await list.add(await openMapFile({ file: config.settings.mapFile, home: config.home, log }));
  const { demo, passwordRules } = config;
  await list.add(
    openSettings({
      file: config.settings,
      limits,
      demo,
      scansUploads: config.scanCommand !== undefined,
      passwordRules,
      mapFile,
      cac: cac.publicConfiguration,
      oidc: oidc.publicConfiguration,
      downloadableTools,
      liveConfiguration,
    }),
  );
}
