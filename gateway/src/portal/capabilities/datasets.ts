import { openCatalog } from "#capabilities/catalog/capability.ts";
import { openDatasetAnnouncements } from "#capabilities/dataset-announcements/capability.ts";
import { openDatasetUsage } from "#capabilities/dataset-facts/capability.ts";
import { openDatasetProfiles } from "#capabilities/dataset-profiles/capability.ts";
import { openDatasetQuality } from "#capabilities/dataset-quality/capability.ts";
import { openDatasets } from "#capabilities/datasets/capability.ts";
import { openDescriptions } from "#capabilities/descriptions/capability.ts";
import { openNotifications } from "#capabilities/notifications/capability.ts";
import type { CapabilityList } from "#http/capability.ts";
import type { Parts } from "#portal/open-parts.ts";

/** The datasets: who may read them, and everything that is said about them. */
export async function openDatasetCapabilities(parts: Parts, list: CapabilityList) {
  const { config, database, log, entities, entityChanges, liveChanges, liveConfiguration, engines } = parts;
  const { limits, securityLimits, publicUrl } = config;
  const { db } = database;
  const datasets = await list.add(
    openDatasets({
      entities,
      entityChanges,
      ownDatasets: parts.ownDatasets,
      engines,
      categories: parts.categories,
      masterKey: parts.masterKey,
      hasRowsPerReader: ({ kind }) => kind === "table" && config.presto.asUser,
    }),
  );
  const { canRead, scopeKeys: scopeKeysOf } = datasets;
  const dateOrder = async () => (await liveConfiguration.current())?.dateOrder ?? null;
  const portalTitle = async () => (await liveConfiguration.current())?.appTitle || config.settings.appTitle || "Fairway";
  const { notifier, mailSender } = await list.add(
    openNotifications({
      db,
      canRead,
      scopeKeysOf,
      mail: config.mail,
      publicUrl,
      portalTitle,
      limits: securityLimits,
      live: liveChanges,
      log,
    }),
  );
  const { communityDescriptions } = await list.add(
    openDescriptions({
      db,
      schemaOf: datasets.schema,
      schemasOf: datasets.schemas,
      canRead,
      scopeKeysOf,
      notifier,
      limits: securityLimits,
    }),
  );
  const { indexable, schemas: schemasOf } = datasets;
  const catalog = await list.add(openCatalog({ db, schemasOf, communityDescriptions, indexable, entityChanges, log }));
  // Its `profilesOf` and `measurementsOf` are for capabilities that show figures of datasets.
  const profiles = await list.add(
    openDatasetProfiles({
      db,
      pool: database.longRunning.pool,
      figureView: datasets.figures,
      listed: datasets.listed,
      profiledDatasets: datasets.portalDatasets,
      ownDatasets: parts.ownDatasets,
      use: datasets.useForPortal,
      entityChanges,
      limits,
      log,
    }),
  );
  const { profilesOf, measurementsOf } = profiles;
  const { figures: figureView, listed, portalDatasets: measuredDatasets } = datasets;
  await list.add(openDatasetQuality({ db, figureView, listed, measuredDatasets, profilesOf, measurementsOf, entityChanges, log }));
  await list.add(openDatasetAnnouncements({ db, canRead, exists: datasets.exists }));
  const { usage } = await list.add(openDatasetUsage({ db, log }));
  return { datasets, canRead, notifier, mailSender, portalTitle, catalog, profiles, usage, dateOrder };
}

export type DatasetCapabilities = Awaited<ReturnType<typeof openDatasetCapabilities>>;
