import { access, constants } from "node:fs/promises";
import { sql } from "kysely";
import { openAlerts } from "#capabilities/alerts/capability.ts";
import { openApiKeys } from "#capabilities/api-keys/capability.ts";
import { openAssistants } from "#capabilities/assistants/capability.ts";
import { openAuditing } from "#capabilities/audit/capability.ts";
import { openAuth } from "#capabilities/auth/capability.ts";
import { openCatalog } from "#capabilities/catalog/capability.ts";
import { openBoards } from "#capabilities/boards/capability.ts";
import { openCac } from "#capabilities/cac/capability.ts";
import { openConfiguration } from "#capabilities/configuration/capability.ts";
import { storeReading } from "#capabilities/dataset-administration/reading-storage.ts";
import { openDatasetAdministration, openDatasetWarnings } from "#capabilities/dataset-administration/capability.ts";
import { openDatasetAnnouncements } from "#capabilities/dataset-announcements/capability.ts";
import { openDatasetFacts, openDatasetUsage } from "#capabilities/dataset-facts/capability.ts";
import { openDatasetGroups } from "#capabilities/dataset-groups/capability.ts";
import { openDatasetProfiles } from "#capabilities/dataset-profiles/capability.ts";
import { openDatasetQuality } from "#capabilities/dataset-quality/capability.ts";
import { openDatasets } from "#capabilities/datasets/capability.ts";
import { openDescriptions } from "#capabilities/descriptions/capability.ts";
import { openDocs } from "#capabilities/docs/capability.ts";
import { openEntities } from "#capabilities/entities/capability.ts";
import { openExporting } from "#capabilities/exports/capability.ts";
import { openExternalPages } from "#capabilities/external-pages/capability.ts";
import { openFavorites } from "#capabilities/favorites/capability.ts";
import { openFeedback } from "#capabilities/feedback/capability.ts";
import { bucketWarnings } from "#capabilities/filesets/bucket-warnings.ts";
import { openFilesets } from "#capabilities/filesets/capability.ts";
import { openFlowDeployments } from "#capabilities/flow-deployments/capability.ts";
import { openFlowDifferences } from "#capabilities/flow-differences/capability.ts";
import { openFlows } from "#capabilities/flows/capability.ts";
import { openGraphTemplates } from "#capabilities/graph-templates/capability.ts";
import { openHealth } from "#capabilities/health/capability.ts";
import { openJolt } from "#capabilities/jolt/capability.ts";
import { openLive } from "#capabilities/live/capability.ts";
import { openNotices } from "#capabilities/notices/capability.ts";
import { openNotifications } from "#capabilities/notifications/capability.ts";
import { openOidc } from "#capabilities/oidc/capability.ts";
import { openPreferences } from "#capabilities/preferences/capability.ts";
import { openProfile } from "#capabilities/profile/capability.ts";
import { openSavedSearches } from "#capabilities/saved-searches/capability.ts";
import { openSearch } from "#capabilities/search/capability.ts";
import { openSessions } from "#capabilities/sessions/capability.ts";
import { openSettings } from "#capabilities/settings/capability.ts";
import { openSetup } from "#capabilities/setup/capability.ts";
import { openSignInMethods } from "#capabilities/sign-in-methods/capability.ts";
import { openStartPage } from "#capabilities/start-page/capability.ts";
import { openTools } from "#capabilities/tools/capability.ts";
import type { CapabilityList } from "#http/capability.ts";
import type { ApiKeyReader } from "#http/gatekeeper.ts";
import { buildOf } from "#http/web-build.ts";
import { findByUsername } from "#identity/accounts.ts";
import type { Parts } from "#portal/open-parts.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { version } from "#process/version.ts";
import { gatewaysTakeReadings } from "#database/gateway-lock.ts";

/**
 * Opens every capability. Capabilities never import each other; dependencies between them are passed here. Every added
 * capability is served, documented in the API reference, measured, and closed in reverse order.
 */
export async function openCapabilities(
  parts: Parts,
  list: CapabilityList,
  release: string | undefined,
): Promise<{ apiKeyReader: ApiKeyReader }> {
  const { config, database, notifications, masterKey, log, metrics } = parts;
  const {
    entities,
    entityChanges,
    liveChanges,
    liveConfiguration,
    identity,
    passwordPolicy,
    engine,
    engines,
    stores,
    folders,
    addresses,
    callRates,
  } = parts;
  const { limits, securityLimits, publicUrl, keystoreFolder } = config;
  const { db } = database;

  const findUser = (username: string) => findByUsername(db, username);
  const { audit } = await list.add(openAuditing({ database, limits: securityLimits, findUser, metrics, log }));

  await list.add(openAuth({ identity }));
  await list.add(openSignInMethods({ identity }));
  const cac = await list.add(openCac({ settings: parts.cacSettings, identity, publicUrl, addresses, log }));
  const oidc = await list.add(openOidc({ provider: parts.provider, identity, publicUrl, masterKey }));
  await list.add(openSessions({ identity, signInsOf: (userId) => audit.signInsOf(userId) }));
  await list.add(openSetup({ identity }));
  const { downloadable: downloadableTools } = await list.add(openTools({ folder: config.toolsFolder }));
  const { demo, passwordRules } = config;
  await list.add(
    openSettings({
      file: config.settings,
      limits,
      demo,
      scansUploads: config.scanCommand !== undefined,
      passwordRules,
      cac: cac.publicConfiguration,
      oidc: oidc.publicConfiguration,
      downloadableTools,
      liveConfiguration,
    }),
  );

  const datasets = await list.add(
    openDatasets({
      entities,
      entityChanges,
      engines,
      categories: parts.categories,
      hasRowsPerReader: ({ kind }) => kind === "table" && config.presto.asUser,
    }),
  );
  const { canRead } = datasets;
  const dateOrder = async () => (await liveConfiguration.current())?.dateOrder ?? null;
  const portalTitle = async () => (await liveConfiguration.current())?.appTitle || config.settings.appTitle || "Fairway";
  const { notifier } = await list.add(
    openNotifications({ db, canRead, mail: config.mail, publicUrl, portalTitle, limits: securityLimits, live: liveChanges, log }),
  );
  const { communityDescriptions } = await list.add(
    openDescriptions({ db, schemaOf: datasets.schema, schemasOf: datasets.schemas, canRead, notifier, limits: securityLimits }),
  );
  const { indexable, schemas: schemasOf } = datasets;
  const catalog = await list.add(openCatalog({ db, schemasOf, communityDescriptions, indexable, entityChanges, log }));
  // Its `profilesOf` and `measurementsOf` are for capabilities that show figures of datasets.
  const profiles = await list.add(
    openDatasetProfiles({
      db,
      pool: database.longRunning.pool,
      requireReadable: datasets.schema,
      listed: datasets.listed,
      internalDatasets: datasets.internalDatasets,
      use: datasets.useForPortal,
      entityChanges,
      limits,
      log,
    }),
  );
  const { profilesOf, measurementsOf } = profiles;
  const { schema: requireReadable, internalDatasets } = datasets;
  await list.add(openDatasetQuality({ db, canRead, requireReadable, internalDatasets, profilesOf, measurementsOf, entityChanges, log }));
  await list.add(openDatasetAnnouncements({ db, canRead, exists: datasets.exists }));
  const { usage } = await list.add(openDatasetUsage({ db, log }));
  await list.add(openStartPage({ start: config.settings.start, canRead }));
  const search = await list.add(openSearch({ datasets, limits, onSearch: (dataset) => usage.count(dataset) }));
  await list.add(
    openExporting({
      db,
      searches: search,
      canRead,
      stores,
      scratchFolder: folders.exports,
      // With the embedded database, the home folder is locked by one gateway.
      alone: config.databaseUrl === undefined,
      limits,
      metrics,
      live: liveChanges,
      log,
    }),
  );
  await list.add(openFavorites({ db, canRead }));
  await list.add(openPreferences({ db, canRead }));
  const { groupsHolding } = await list.add(openDatasetGroups({ db, find: datasets.find }));
  await list.add(openSavedSearches({ db, canRead }));
  const boards = await list.add(openBoards({ db, canRead, limits }));
  await boards.seed(parts.boards);
  const alerts = await list.add(
    openAlerts({
      db,
      searches: search,
      canRead,
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
  await list.add(openAssistants({ db, publicUrl, log }));
  await list.add(openGraphTemplates({ db, canRead }));
  const flows = await list.add(openFlows({ db, entities, entityChanges, notifier, selfAccept: config.settings.flows.selfAccept, limits }));
  const { flowDefinitions: definitions } = parts;
  const { environmentFacts } = await list.add(openFlowDeployments({ db, entities, addresses, flows, definitions, live: liveChanges, log }));
  await list.add(openFlowDifferences({ flows, definitions, entities, entityChanges, environmentFacts }));
  await flows.seed(parts.flows);
  const { onChanged: onNoticesChanged } = await list.add(openNotices({ db, entities, entityChanges, live: liveChanges, log }));
  await list.add(
    openLive({
      liveChanges,
      onNoticesChanged,
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
  await list.add(
    openDatasetFacts({
      listed: datasets.listed,
      requireReadable: datasets.schema,
      profilesOf: profiles.profilesOf,
      changesOf: profiles.changesOf,
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

  const embeddedDatabase = config.databaseUrl === undefined;
  const metadata = { db, version, release, embeddedDatabase, engine, engineSlots: limits.engineSlots, catalog };
  const configuration = await list.add(openConfiguration({ liveConfiguration, addresses, metrics, metadata, log }));
  const reachable = {
    dataset: canRead,
    fileset: filesets.canRead,
    ecosystem: configuration.canUseEcosystem,
  };
  const apiKeys = await list.add(
    openApiKeys({ db, masterKey, identity, notifications, callRates, reachable, limits, securityLimits, log }),
  );

  const jolt = await list.add(openJolt());
  const readingsAreTaken = () => gatewaysTakeReadings(db);
  const datasetWarnings = await list.add(openDatasetWarnings({ engines, keystoreFolder }));
  const { administrations, recordOwnChange } = await list.add(
    openEntities({
      database,
      identity,
      passwordPolicy,
      key: masterKey,
      onChanged: entityChanges.report,
      addresses,
      jolt: jolt.runner,
      storeReading: storeReading(engines, readingsAreTaken, dateOrder),
      warnings: { ...datasetWarnings.checks, bucket: bucketWarnings(parts.filesetStores) },
      limits: securityLimits,
      log,
    }),
  );
  await list.add(openProfile({ identity, recordOwnChange }));
  await list.add(
    openDatasetAdministration({
      db,
      entities,
      datasets: administrations["datasets/internal"],
      readingsAreTaken,
      engine,
      engines,
      requestProfile: profiles.requestProfile,
      dataFolder: folders.data,
      buckets: parts.bucketFiles,
      dateOrder,
      sampleRows: limits.sampleRows,
      log,
    }),
  );

  const checks = {
    database: async () => void (await sql`select 1`.execute(db)),
    engine: () => engine.ping(),
    store: () => access(folders.data, constants.R_OK | constants.W_OK),
  };
  await list.add(openHealth({ checks, metrics, stopping: parts.signal }));
  return { apiKeyReader: apiKeys.reader };
}
