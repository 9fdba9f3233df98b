import { openAlerts } from "#capabilities/alerts/capability.ts";
import { userOfKey } from "#capabilities/api-keys/callers.ts";
import { openAssistants } from "#capabilities/assistants/capability.ts";
import { openBoards } from "#capabilities/boards/capability.ts";
import { openDatasetGroups } from "#capabilities/dataset-groups/capability.ts";
import { openExporting } from "#capabilities/exports/capability.ts";
import { openFavorites } from "#capabilities/favorites/capability.ts";
import { openGraphTemplates } from "#capabilities/graph-templates/capability.ts";
import { openPreferences } from "#capabilities/preferences/capability.ts";
import { openSavedSearches } from "#capabilities/saved-searches/capability.ts";
import { openSearch } from "#capabilities/search/capability.ts";
import { openStartPage } from "#capabilities/start-page/capability.ts";
import { openSubscriptions } from "#capabilities/subscriptions/capability.ts";
import type { CapabilityList } from "#http/capability.ts";
import type { Parts } from "#portal/open-parts.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import type { DatasetCapabilities } from "./datasets.ts";

/** Searches and exports of datasets, and everything that users keep of them: boards, alerts, subscriptions, saved searches. */
export async function openSearching(parts: Parts, list: CapabilityList, described: DatasetCapabilities) {
  const { datasets, canRead, notifier, mailSender, portalTitle, usage } = described;
  const { config, database, masterKey, log, metrics, liveChanges, stores, folders } = parts;
  const { limits, publicUrl } = config;
  const { db } = database;
  await list.add(openStartPage({ start: config.settings.start, canRead }));
  const search = await list.add(openSearch({ datasets, limits, onSearch: (dataset) => usage.count(dataset) }));
  await list.add(
    openExporting({
      db,
      searches: search,
      canRead,
      findKeyUser: (keyId) => userOfKey(db, keyId, config.securityLimits.providerConfirmedDays),
      scopeKeysOf: datasets.scopeKeys,
      stores,
      scratchFolder: folders.exports,
      // With the embedded database, the home folder is locked by one gateway.
      alone: config.databaseUrl === undefined,
      limits,
      publicUrl,
      metrics,
      live: liveChanges,
      log,
    }),
  );
  await list.add(openFavorites({ db, canRead }));
  await list.add(openPreferences({ db, canRead }));
  const { groupsHolding } = await list.add(openDatasetGroups({ db, find: datasets.find }));
  const savedSearches = await list.add(
    openSavedSearches({ db, canRead, candidates: config.settings.sharingCandidates, live: liveChanges, notifier }),
  );
  const boards = await list.add(
    openBoards({ db, canRead, candidates: config.settings.sharingCandidates, live: liveChanges, notifier, limits }),
  );
  await boards.seed(parts.boards);
  const alerts = await list.add(
    openAlerts({
      db,
      searches: search,
      canRead,
      findSavedSearch: (user, id) => savedSearches.find(user, id),
      scopeKeysOf: datasets.scopeKeys,
      notifier,
      sendsEmail: config.mail !== undefined,
      masterKey,
      webhookAddresses: AddressPolicy.forUsers(config.webhookAddresses),
      publicUrl,
      limits,
      live: liveChanges,
      log,
    }),
  );
  await alerts.seed(parts.alerts);
  await list.add(
    openSubscriptions({
      db,
      searches: search,
      findBoard: (user, id) => boards.find(user, id),
      findSavedSearch: (user, id) => savedSearches.find(user, id),
      canRead,
      scopeKeysOf: datasets.scopeKeys,
      notifier,
      mailSender,
      portalTitle,
      masterKey,
      publicUrl,
      allowsRows: config.settings.subscriptionRows,
      live: liveChanges,
      log,
    }),
  );
  await list.add(openAssistants({ db, publicUrl, log }));
  await list.add(openGraphTemplates({ db, canRead }));
  return { groupsHolding, sharedThings: [boards.things, savedSearches.things] };
}
