import { userOfKey } from "#capabilities/api-keys/callers.ts";
import { openDatasetFacts } from "#capabilities/dataset-facts/capability.ts";
import { openDocs } from "#capabilities/docs/capability.ts";
import { openExternalPages } from "#capabilities/external-pages/capability.ts";
import { openFeedback } from "#capabilities/feedback/capability.ts";
import { dataInspection } from "#capabilities/dataset-administration/data-inspection.ts";
import { openFilesets } from "#capabilities/filesets/capability.ts";
import { openImports } from "#capabilities/imports/capability.ts";
import { openLive } from "#capabilities/live/capability.ts";
import { openNotices } from "#capabilities/notices/capability.ts";
import { openOwnDatasetManagement } from "#capabilities/own-datasets/capability.ts";
import { openSharing } from "#capabilities/sharing/capability.ts";
import type { CapabilityList } from "#http/capability.ts";
import { buildOf } from "#http/web-build.ts";
import type { Parts } from "#portal/open-parts.ts";
import type { DatasetCapabilities } from "./datasets.ts";
import type { openSearching } from "./searching.ts";

/** Everything else that users read: notices, changes as they happen, files, facts of datasets, feedback, tutorials, pages of others. */
export async function openContent(
  parts: Parts,
  list: CapabilityList,
  { datasets, canRead, profiles, usage, dateOrder, notifier, groupsHolding, sharedThings }: ContentParts,
) {
  const { config, database, masterKey, log, entities, entityChanges, liveChanges, identity, stores, folders, addresses, callRates } = parts;
  const { limits, securityLimits } = config;
  const { db } = database;
  const findKeyUser = (keyId: string) => userOfKey(db, keyId, securityLimits.providerConfirmedDays);
  const { onChanged: onNoticesChanged } = await list.add(openNotices({ db, entities, entityChanges, live: liveChanges, log }));
  await list.add(
    openLive({
      liveChanges,
      onNoticesChanged,
      onDatasetsChanged: datasets.onChanged,
      build: config.webRoot === null ? null : await buildOf(config.webRoot),
      identity,
      limits,
      stopping: parts.signal,
      log,
    }),
  );
  const { helpFilesetId } = config.settings;
  const filesets = await list.add(
    openFilesets({
      db,
      findKeyUser,
      callRates,
      entities,
      entityChanges,
      stores: parts.filesetStores,
      partsFolder: folders.uploads,
      scanCommand: config.scanCommand,
      masterKey,
      helpFilesetId,
      log,
      limits,
    }),
  );
  const { imports } = await list.add(
    openImports({
      db,
      findKeyUser,
      engine: parts.engine,
      inspection: dataInspection,
      derivedProblems: datasets.derivedProblems,
      files: parts.ownFiles,
      partsFolder: folders.ownDataParts,
      caughtUp: () => parts.notifications.caughtUp(),
      scratchFolder: folders.ownDataScratch,
      dataFolder: folders.data,
      openFilesetFile: filesets.openFile,
      scanCommand: config.scanCommand,
      who: config.settings.ownData.who,
      dateOrder,
      masterKey,
      callRates,
      limits,
      log,
    }),
  );
  const sharingParts = {
    db,
    candidates: config.settings.sharingCandidates,
    mayShareWithEveryone: config.settings.ownData.shareWithEveryone,
  };
  const ownDatasets = await list.add(
    openOwnDatasetManagement({
      ...sharingParts,
      engines: parts.engines,
      notifier,
      who: config.settings.ownData.who,
      mayImport: imports.mayImport,
      derivedProblems: datasets.derivedProblems,
      cleanFiles: () => imports.clean(),
      files: parts.ownFiles,
      limits,
      log,
    }),
  );
  const { giveAll } = await list.add(openSharing({ ...sharingParts, things: [...sharedThings, ownDatasets.things], notifier, log }));
  await list.add(
    openDatasetFacts({
      listed: datasets.listed,
      requireReadable: datasets.schema,
      profilesOf: profiles.profilesOf,
      changesOf: async () => new Map([...(await profiles.changesOf()), ...(await parts.ownDatasets.rowChanges())]),
      topValuesOf: profiles.topValuesOf,
      groupsHolding,
      canReadFileset: filesets.canRead,
      usage,
    }),
  );
  const isEnabled = () => config.settings.feedbackEnabled;
  const files = await stores.of("files");
  await list.add(openFeedback({ db, canRead, files, isEnabled, limits: securityLimits, live: liveChanges, log }));
  await list.add(openDocs({ db, entities, entityChanges, masterKey, files, limits }));
  await list.add(openExternalPages({ pages: config.settings.externalPages, addresses, log }));
  return { filesets, imports, giveAll };
}

type ContentParts = DatasetCapabilities & Awaited<ReturnType<typeof openSearching>>;
