import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import type { DatasetRef } from "@fairway/contract/datasets";
import { sql } from "kysely";
import { buildApp } from "#app.ts";
import { cacSettings as cacSettingsSchema } from "#cac-settings.ts";
import { openApiKeyCallers } from "#capabilities/api-keys/callers.ts";
import { openAudit } from "#capabilities/audit/service.ts";
import { CardIssuer } from "#capabilities/cac/issuer.ts";
import { cacConfigurationOf } from "#capabilities/cac/routes.ts";
import { GraphiteSender } from "#capabilities/configuration/graphite.ts";
import { liveConfiguration } from "#capabilities/configuration/live.ts";
import { metadataReader } from "#capabilities/configuration/metadata.ts";
import { configuredUi, opens } from "#capabilities/configuration/routes.ts";
import { DataWarnings } from "#capabilities/dataset-administration/data-warnings.ts";
import { keystoreWarnings } from "#capabilities/dataset-administration/keystore-warnings.ts";
import { SchemaUpdates } from "#capabilities/dataset-administration/schema-updates.ts";
import { datasetService } from "#capabilities/datasets/service.ts";
import { cleanRevisions } from "#capabilities/entities/cleaning.ts";
import { openAdministration } from "#capabilities/entities/open.ts";
import { ownChanges } from "#capabilities/entities/own-changes.ts";
import { openExports } from "#capabilities/exports/service.ts";
import { cleanFeedback } from "#capabilities/feedback/cleaning.ts";
import { searchService } from "#capabilities/search/service.ts";
import { publicSettings } from "#capabilities/settings.ts";
import { entitiesChannel, entityStore } from "#entities/store.ts";
import type { SignedInUser } from "#http/handlers.ts";
import { Metrics } from "#http/metrics.ts";
import { Refusal } from "#http/refusal.ts";
import { findByUsername } from "#identity/accounts.ts";
import { CallRate } from "#identity/call-rate.ts";
import { openIdentity } from "#identity/identity.ts";
import { openPasswordPolicy } from "#identity/password-policy.ts";
import { JoltRunner } from "#jolt/runner.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import type { Foundation, Service } from "#portal.ts";
import { openDuckDb } from "#query/duckdb/engine.ts";
import { engines } from "#query/engines.ts";
import { RestEngine } from "#query/rest/engine.ts";
import { Keystores } from "#query/rest/keystore.ts";
import { type Platform, seedPlatform } from "#seed.ts";
import { localDiskStores } from "#storage/local-disk.ts";
import { Unwinding } from "#unwinding.ts";
import { version } from "#version.ts";

/** How often Graphite is told; its own storage begins at ten seconds. */
const graphiteEveryMs = 10_000;

/**
 * Opens every part on the foundation, fills an empty portal, and joins all of it to the app. `platform` is the demo's; without
 * it production starts. `release` is what administrators read about the running build.
 */
export async function openService(foundation: Foundation, platform?: Platform, release?: string): Promise<Service> {
  const parts = new Unwinding();
  try {
    const { app, listening } = await openParts(foundation, parts, platform, release);
    return { app, listening, close: () => parts.run() };
  } catch (error) {
    // What failed tells more than what could not be closed after it.
    await parts.run().catch((failures: unknown) => foundation.log.warn({ err: failures }, "some parts could not be closed"));
    throw error;
  }
}

async function openParts(
  foundation: Foundation,
  parts: Unwinding,
  platform: Platform | undefined,
  release: string | undefined,
): Promise<Required<Omit<Service, "close">>> {
  const { config, log, database, notifications, masterKey, signal } = foundation;
  const dataFolder = join(config.home, "datasets");
  const exportFolder = join(config.home, "exports");
  const metrics = new Metrics();
  const stores = localDiskStores(config.home);
  const entities = entityStore(database.db, log, masterKey);
  const live = liveConfiguration(entities);
  const passwordPolicy = await openPasswordPolicy({
    rules: config.passwordRules,
    minCharacters: config.limits.passwordMinCharacters,
    portalTitle: async () => (await live.current())?.appTitle || config.settings.appTitle,
  });
  const identity = await openIdentity({
    database,
    masterKey,
    notifications,
    passwordPolicy,
    securityLimits: config.securityLimits,
    accessTokenSeconds: config.accessTokenSeconds,
    secondFactorForAdministrators: config.secondFactorForAdministrators,
    publicUrl: config.publicUrl,
    localUsernames: platform?.accounts.users.map(({ username }) => username) ?? [],
    log,
  });
  parts.add(() => identity.close());
  const setup = platform ? undefined : await identity.ensureFirstAdministrator(config.firstAdministrator);
  if (platform) {
    const endPlatform = await seedPlatform({
      platform,
      folder: dataFolder,
      entities,
      identity,
      pool: database.pool,
      log,
      signal,
      say: foundation.say,
    });
    parts.add(endPlatform);
  }

  // The operator's own issuer, or the one that the platform brings.
  const ownCards = config.cac === undefined ? await platform?.cards?.() : undefined;
  if (ownCards) parts.add(() => ownCards.close());
  const cacSettings = config.cac ?? (ownCards && cacSettingsSchema.parse(ownCards.settings));
  const policy = new AddressPolicy(config.upstreamAddresses);
  const issuer = cacSettings && new CardIssuer({ settings: cacSettings, policy, log });

  const [tempFolder, copyFolder] = [join(config.home, "engine"), join(config.home, "converted")];
  const engine = await openDuckDb({ dataFolder, tempFolder, copyFolder, exportFolder, limits: config.limits, log });
  parts.add(() => engine.close());
  metrics.gauge("fairway_engine_running_queries", "Queries that the engine works on.", () => engine.metrics.running);
  metrics.gauge("fairway_engine_waiting_queries", "Queries that wait for a slot of the engine.", () => engine.metrics.waiting);

  const { keystoreFolder, upstreamAddresses: allowedAddresses, limits } = config;
  const rest = new RestEngine({ keystoreFolder, allowedAddresses, limits, log });
  parts.add(() => rest.close());
  metrics.gauge("fairway_upstream_running_calls", "Calls of upstream services under way.", () => rest.metrics.running);
  metrics.gauge("fairway_upstream_waiting_calls", "Calls of upstream services that wait for their turn.", () => rest.metrics.waiting);

  metrics.gauge(
    "fairway_upstream_running_reads",
    "Large answers of upstream services that worker threads read.",
    () => rest.metrics.readers.running,
  );
  metrics.gauge(
    "fairway_upstream_waiting_reads",
    "Large answers of upstream services that wait for a worker thread.",
    () => rest.metrics.readers.waiting,
  );

  const allEngines = engines({ files: engine, rest });
  const datasets = datasetService({
    entities,
    engines: allEngines,
    categories: categoriesOf(config.settings.categories, platform),
  });
  const search = searchService({ datasets, limits: config.limits });
  const canRead = (user: SignedInUser, ref: DatasetRef) => found(datasets.find(user, ref.datasetCategory, ref.datasetId));
  // Of filesets there are none yet.
  const fileset = () => Promise.resolve(false);
  const ecosystem = async (user: SignedInUser, name: string) =>
    (await live.ecosystems()).some((one) => one.name === name && opens(one, user));
  const reachable = { dataset: canRead, fileset, ecosystem };
  const heard = (type: string | undefined) => {
    datasets.changed();
    live.changed(type);
  };
  await notifications.on(entitiesChannel, heard);
  notifications.onReconnect(() => heard(undefined));
  const addresses = new AddressPolicy(allowedAddresses);
  const graphite = new GraphiteSender({ configuration: live, metrics, addresses, log, everyMs: graphiteEveryMs });
  parts.add(() => graphite.close());

  const exports = await openExports({
    searches: search,
    canRead,
    folder: exportFolder,
    // An embedded database holds the folder for one gateway.
    alone: config.databaseUrl === undefined,
    limits: config.limits,
    counts: {
      rows: metrics.counter("fairway_export_rows_total", "Rows of finished exports."),
      bytes: metrics.counter("fairway_export_bytes_total", "Bytes of finished exports."),
      failures: metrics.counter("fairway_export_failures_total", "Exports that failed."),
    },
    log,
  });
  parts.add(() => exports.close());
  metrics.gauge("fairway_exports_running", "Exports that are being written.", () => exports.running);

  const apiKeyCallers = await openApiKeyCallers({ db: database.db, masterKey, identity, notifications, limits, log });

  const dataWarnings = new DataWarnings(allEngines);
  parts.add(() => dataWarnings.close());
  const jolt = new JoltRunner();
  metrics.gauge("fairway_jolt_waiting_runs", "Jolt chains that wait for their worker thread.", () => jolt.metrics.waiting);
  parts.add(() => jolt.close());
  const administration = openAdministration({
    db: database.longRunning.db,
    identity,
    passwordPolicy,
    revisionsPerEntity: config.securityLimits.revisionsPerEntity,
    stored: { key: masterKey, heard },
    addresses,
    warnings: { data: dataWarnings.check, keystore: keystoreWarnings(new Keystores(keystoreFolder)) },
    jolt,
  });

  const updates = new SchemaUpdates({
    db: database.db,
    entities,
    engine,
    save: (id, columns, by) =>
      administration["datasets/internal"].amend(id, "schema", by, (entity) => ({ ...entity, schema: { columns } })),
    log,
  });
  parts.add(() => updates.close());

  const audit = await openAudit({
    database,
    limits: config.securityLimits,
    dropped: metrics.counter("fairway_audit_dropped_total", "Calls that are missing in the audit log."),
    log,
  });
  parts.add(() => audit.close());
  metrics.gauge("fairway_audit_waiting", "Calls that wait to be written into the audit log.", () => audit.recorder.waiting);

  const files = await stores.of("files");
  const feedbackCleaning = cleanFeedback({ db: database.db, files, hours: config.securityLimits.feedbackFileHours, log });
  parts.add(() => feedbackCleaning.close());

  const revisionCleaning = cleanRevisions({ db: database.longRunning.db, days: config.securityLimits.revisionDays, log });
  parts.add(() => revisionCleaning.close());

  const told = publicSettings(config.settings, config.limits, {
    demo: config.demo,
    cac: cacConfigurationOf(cacSettings),
    passwordRules: config.passwordRules,
  });
  const app = await buildApp({
    log,
    version,
    trustedProxies: config.trustedProxies,
    accountRate: new CallRate(config.limits.userCallsPerMinute),
    allowedHosts: config.allowedHosts,
    webRoot: config.webRoot,
    origins: {
      frames: config.settings.externalPages.map(({ url }) => new URL(url).origin),
      tiles: config.settings.mapTiles === null ? [] : [new URL(config.settings.mapTiles.url).origin],
    },
    settings: { ...told, ui: async () => configuredUi(await told.ui(), live) },
    readiness: {
      checks: {
        database: async () => void (await sql`select 1`.execute(database.db)),
        engine: () => engine.ping(),
        store: () => access(dataFolder, constants.R_OK | constants.W_OK),
      },
    },
    metrics,
    identity,
    noteOwnChange: ownChanges({
      db: database.db,
      keeper: administration.users.keeper,
      revisionsPerEntity: config.securityLimits.revisionsPerEntity,
    }),
    cac: { issuer, publicUrl: config.publicUrl },
    datasets,
    search,
    exports,
    columnValues: { datasets, limits: config.limits },
    mapResults: { datasets, limits: config.limits },
    graphs: { datasets, limits: config.limits },
    favorites: { db: database.db, canRead },
    datasetGroups: { db: database.db, find: (user, category, id) => datasets.find(user, category, id) },
    savedSearches: { db: database.db, canRead },
    audit: { ...audit, findUser: (username) => findByUsername(database.db, username) },
    notices: { db: database.db, entities },
    feedback: {
      db: database.db,
      canRead,
      files,
      mostPerHour: config.securityLimits.feedbackPerHour,
      mostWaiting: config.securityLimits.feedbackFilesWaiting,
      mostBytes: config.securityLimits.feedbackFilesBytes,
      enabled: () => config.settings.feedbackEnabled,
    },
    graphTemplates: { db: database.db, canRead },
    administration,
    datasetAdministration: { datasets: administration["datasets/internal"], updates, engine, dataFolder, sampleRows: limits.sampleRows },
    ecosystems: live,
    torchServices: { live, addresses },
    metadata: metadataReader({
      db: database.db,
      version,
      release,
      embeddedDatabase: config.databaseUrl === undefined,
      engine,
      engineSlots: limits.engineSlots,
    }),
    jolt,
    userAdministration: { db: database.db, identity, users: administration.users },
    apiKeys: { db: database.db, masterKey, callers: apiKeyCallers, identity, reachable, limits },
  });
  return {
    app,
    listening(address) {
      ownCards?.serve(address);
      if (setup) foundation.say(setupOffer(config.publicUrl ?? address, setup.setupToken));
    },
  };
}

/** The operator's words win over the demo's; the operator's order comes first. */
function categoriesOf(configured: Platform["categories"], platform: Platform | undefined): Platform["categories"] {
  const known = new Set(configured.map(({ id }) => id));
  return [...configured, ...(platform?.categories ?? []).filter(({ id }) => !known.has(id))];
}

/** The token stands in the fragment, so that no server and no proxy on the way writes it into a log. */
function setupOffer(origin: string, token: string): string {
  return `Nobody can sign in yet. Create the first administrator at ${origin}/setup#token=${token}`;
}

const found = (dataset: Promise<unknown>): Promise<boolean> =>
  dataset.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.code === "not-found") return false;
      throw error;
    },
  );
