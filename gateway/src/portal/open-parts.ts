import { join } from "node:path";
import { reservedFolder } from "@fairway/contract/filesets";
import { cacSettings as cacSettingsSchema } from "#openid/cac-settings.ts";
import { ConfiguredS3 } from "#entities/configured-s3.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { openEntityChanges } from "#entities/entity-changes.ts";
import { type LiveConfiguration, liveConfiguration as openLiveConfiguration } from "#entities/live-configuration.ts";
import { entityStore } from "#entities/store.ts";
import { Metrics } from "#http/metrics.ts";
import { FlowDefinitions } from "#flow-definitions/flow-definitions.ts";
import { CallRates, settleIntervalMs } from "#identity/call-rates.ts";
import { openIdentity } from "#identity/identity.ts";
import { openPasswordPolicy } from "#identity/password-policy.ts";
import { LiveChanges } from "#database/live-changes.ts";
import { OpenIdProvider } from "#openid/provider.ts";
import { openOwnDatasets } from "#own-data/own-datasets.ts";
import { OwnFiles } from "#own-data/own-files.ts";
import { OwnStores } from "#own-data/own-stores.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import type { Foundation } from "#portal/portal.ts";
import { BucketFiles } from "#query/bucket/bucket-files.ts";
import { BucketSource } from "#query/bucket/bucket-source.ts";
import { openCacheFolder } from "#query/bucket/cache-folder.ts";
import { FileCache } from "#query/bucket/file-cache.ts";
import { openDuckDb } from "#query/duckdb/engine.ts";
import { importedFiles } from "#query/imported/imported-files.ts";
import { RemoteImports } from "#query/imported/remote-imports.ts";
import { openTempFolder } from "#query/duckdb/temp-folder.ts";
import { EngineRegistry, openedEngine } from "#query/engines.ts";
import { ConfiguredPresto } from "#query/presto/configured-engine.ts";
import { RestEngine } from "#query/rest/engine.ts";
import { runEvery } from "#process/run-every.ts";
import { type Platform, seedPlatform } from "#seed/seed.ts";
import type { ShutdownStack } from "#process/shutdown-stack.ts";
import { FilesetStores } from "#entities/fileset-stores.ts";
import { localDiskStores, plainFolder } from "#storage/local-disk.ts";
import type { S3Settings } from "#storage/s3-settings.ts";

/** Shared dependencies of the capabilities. */
export type Parts = Awaited<ReturnType<typeof openParts>>;

/** Everything that is opened is closed by `shutdown`, even if a later step fails. */
export async function openParts(foundation: Foundation, shutdown: ShutdownStack, platform: Platform | undefined) {
  const { config, log, database, notifications, masterKey } = foundation;
  const folders = {
    data: join(config.home, "datasets"),
    exports: join(config.home, "exports"),
    /** The files of the store `own-data`. */
    ownData: join(config.home, "own-data", "kept"),
    ownDataParts: join(config.home, "own-data", "parts"),
    ownDataScratch: join(config.home, "own-data", "scratch"),
    filesets: join(config.home, "files"),
    // On the same file system as the files, which finished uploads become.
    uploads: join(config.home, "files", reservedFolder, "uploads"),
  };
  const stores = localDiskStores(config.home);
  const metrics = new Metrics();
  for (const [name, pool] of [
    ["database", database.pool],
    ["database_long", database.longRunning.pool],
  ] as const) {
    const what = name === "database" ? "short statements" : "statements that may take long";
    metrics.gauge(`fairway_${name}_connections_max`, `Connections to the database that ${what} may have.`, () => pool.maxConnections);
    metrics.gauge(`fairway_${name}_connections_open`, `Connections to the database for ${what}.`, () => pool.metrics.open);
    metrics.gauge(`fairway_${name}_connections_busy`, `Connections to the database that run ${what}.`, () => pool.metrics.busy);
    metrics.gauge(`fairway_${name}_waiting`, `Calls that wait for a connection for ${what}.`, () => pool.metrics.waiting);
  }
  const entities = entityStore(database.db, log, masterKey);
  const entityChanges = await openEntityChanges(notifications);
  const liveChanges = shutdown.use(await LiveChanges.open({ notifications, log }));
  const liveConfiguration = openLiveConfiguration(entities, entityChanges);
  const passwordPolicy = await openPasswordPolicy({
    rules: config.passwordRules,
    minCharacters: config.limits.passwordMinCharacters,
    portalTitle: async () => (await liveConfiguration.current())?.appTitle || config.settings.appTitle,
  });
  const callRates = new CallRates(database.db);
  shutdown.use(
    runEvery(
      settleIntervalMs,
      () => callRates.settle(),
      (error) => {
        // An outage of the database is logged where it is noticed.
        if (!(error instanceof DatabaseUnavailable)) log.warn({ err: error }, "call counts could not be shared with the other gateways");
      },
    ),
  );
  const addresses = new AddressPolicy(config.upstreamAddresses);
  const provider = config.oidc && new OpenIdProvider({ settings: config.oidc, policy: addresses, log });
  const identity = shutdown.use(
    await openIdentity({
      database,
      masterKey,
      notifications,
      callRates,
      passwordPolicy,
      securityLimits: config.securityLimits,
      secondFactorForAdministrators: config.secondFactorForAdministrators,
      publicUrl: config.publicUrl,
      provider,
      localUsernames: platform?.accounts.users.map(({ username }) => username) ?? [],
      log,
    }),
  );
  const setup = platform ? undefined : await identity.ensureFirstAdministrator(config.firstAdministrator);
  if (platform) {
    const { signal, print } = foundation;
    shutdown.defer(
      await seedPlatform({
        platform,
        files: await stores.of("files"),
        folder: folders.data,
        filesetFolder: folders.filesets,
        entities,
        identity,
        pool: database.pool,
        log,
        signal,
        print,
      }),
    );
  }

  // The operator's card issuer, or the demo platform's.
  const platformCards = config.cac === undefined ? await platform?.cards?.() : undefined;
  if (platformCards) shutdown.use(platformCards);

  const flowDefinitions = shutdown.use(new FlowDefinitions());
  metrics.gauge("fairway_flow_comparisons_running", "Flows that worker threads read.", () => flowDefinitions.metrics.running);
  metrics.gauge("fairway_flow_comparisons_waiting", "Flows that wait for a worker thread.", () => flowDefinitions.metrics.waiting);
  const s3Settings: S3Settings = {
    ...config.s3,
    // Files are scanned before they reach the service.
    directUploads: config.s3.directUploads && config.scanCommand === undefined,
    limits: config.limits,
    addresses,
  };
  const ownS3 = shutdown.use(
    // The SDK is loaded by portals that use it only.
    new ConfiguredS3(liveConfiguration, async (address) => (await import("#storage/s3.ts")).s3Stores(address, s3Settings, "own data")),
  );
  const ownStores = new OwnStores({
    db: database.db,
    bucket: config.settings.ownData.bucket,
    disk: await stores.of("own-data"),
    s3: () => ownS3.current(),
  });
  const reserved = () => ownStores.buckets();
  const filesetStores = shutdown.use(
    new FilesetStores({
      configuration: liveConfiguration,
      disk: localDiskStores(folders.filesets, plainFolder),
      s3: s3Settings,
      reserved,
      portalUrl: config.publicUrl,
      log,
    }),
  );
  await filesetStores.refresh();
  const ownDatasets = await openOwnDatasets(database.db, notifications);
  ownDatasets.onChanged(() => ownStores.lookForBuckets());
  const engines = await openEngines(foundation, shutdown, { metrics, folders, liveConfiguration, addresses, ownStores });

  return {
    ...foundation,
    folders,
    metrics,
    entities,
    entityChanges,
    ownDatasets,
    liveChanges,
    liveConfiguration,
    passwordPolicy,
    identity,
    callRates,
    addresses,
    provider,
    flowDefinitions,
    cacSettings: config.cac ?? (platformCards && cacSettingsSchema.parse(platformCards.settings)),
    categories: categoriesOf(config.settings.categories, platform),
    flows: platform?.flowGroups ?? [],
    boards: platform?.boards ?? [],
    alerts: platform?.alerts ?? [],
    ...engines,
    ownFiles: new OwnFiles({ stores: ownStores, folder: folders.ownData, cache: engines.bucketFiles.cache }),
    stores,
    filesetStores,
    onListening: (address: string) => {
      platformCards?.serve(address);
      if (setup) foundation.print(setupMessage(config.publicUrl ?? address, setup.setupToken));
    },
  };
}

interface EngineParts {
  readonly metrics: Metrics;
  readonly folders: { readonly data: string; readonly exports: string; readonly ownData: string; readonly ownDataScratch: string };
  readonly liveConfiguration: LiveConfiguration;
  readonly addresses: AddressPolicy;
  readonly ownStores: OwnStores;
}

async function openEngines(
  { config, log }: Foundation,
  shutdown: ShutdownStack,
  { metrics, folders, liveConfiguration, addresses, ownStores }: EngineParts,
) {
  const { home, limits, keystoreFolder, upstreamAddresses: allowedAddresses } = config;
  const temp = shutdown.use(await openTempFolder(join(home, "engine"), { alone: config.databaseUrl === undefined, log }));
  const queueWait = metrics.histogram(
    "fairway_engine_queue_wait_seconds",
    "Time that queries waited for a slot of the engine.",
    [0.001, 0.01, 0.1, 0.5, 1, 5, 20],
  );
  const cacheFolder = shutdown.use(await openCacheFolder(config.s3Datasets.cacheFolder, { alone: config.databaseUrl === undefined, log }));
  const duckDb = shutdown.use(
    await openDuckDb({
      dataFolder: folders.data,
      tempFolder: temp.path,
      copyFolder: join(home, "converted"),
      cacheFolder: cacheFolder.path,
      importedFolder: folders.ownData,
      exportFolder: folders.exports,
      writeFolder: folders.ownDataScratch,
      limits,
      log,
      onWaited: (waitedMs) => queueWait.observe(waitedMs / 1_000),
    }),
  );
  metrics.gauge("fairway_engine_running_queries", "Queries that the engine works on.", () => duckDb.metrics.running);
  metrics.gauge("fairway_engine_waiting_queries", "Queries that wait for a slot of the engine.", () => duckDb.metrics.waiting);
  const service = shutdown.use(
    // The SDK is loaded by portals that use it only.
    new ConfiguredS3(liveConfiguration, async (address) =>
      (await import("#storage/s3-objects.ts")).openBucketReader(address, { ...config.s3, limits, addresses }),
    ),
  );
  const bucketFiles = shutdown.use(
    new BucketFiles({
      cache: await FileCache.open({
        folder: cacheFolder.path,
        maxBytes: limits.s3CacheBytes,
        downloadsAtOnce: limits.s3DownloadsAtOnce,
        waitMs: limits.engineWaitMs,
      }),
      service: () => service.current(),
      allowed: config.s3Datasets.buckets,
      reserved: () => ownStores.buckets(),
      limits,
    }),
  );
  const { cache } = bucketFiles;
  const remote = shutdown.use(new RemoteImports({ folder: folders.ownData, locations: ownStores, cache, fetchMs: limits.s3FetchMs }));
  const engine = duckDb.over(await importedFiles({ folder: folders.ownData, others: new BucketSource(bucketFiles), remote }));
  for (const [name, what, read] of [
    ["cache_bytes", "Bytes of copies of files of datasets on S3.", () => cache.metrics.bytes],
    ["cache_max_bytes", "Bytes that these copies may have (LIMIT_S3_CACHE_BYTES).", () => limits.s3CacheBytes],
    ["cache_held_bytes", "Bytes of copies that running queries hold or wait for.", () => cache.metrics.heldBytes],
    ["cache_files", "Copies of files of datasets on S3.", () => cache.metrics.files],
    ["downloads_running", "Files of datasets on S3 that are being copied or wait for it.", () => cache.metrics.downloads],
  ] as const) {
    metrics.gauge(`fairway_s3_${name}`, what, read);
  }
  for (const [name, what, read] of [
    ["cache_hits", "Files that queries found copied already.", () => cache.metrics.hits],
    ["cache_misses", "Files that queries had to have copied.", () => cache.metrics.misses],
    ["cache_evictions", "Copies that were removed to make room.", () => cache.metrics.evictions],
    ["downloaded_bytes", "Bytes of files of datasets that were copied from S3.", () => cache.metrics.downloadedBytes],
    ["download_failures", "Files of datasets that could not be copied from S3.", () => cache.metrics.failures],
  ] as const) {
    metrics.total(`fairway_s3_${name}_total`, what, read);
  }

  const rest = shutdown.use(new RestEngine({ keystoreFolder, allowedAddresses, limits, log }));
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
  const tables = new ConfiguredPresto({
    configuration: liveConfiguration,
    signIn: config.presto,
    addresses,
    exportFolder: folders.exports,
    limits,
    log,
  });
  metrics.gauge("fairway_tables_running_queries", "Queries that the Trino or Presto server works on.", () => tables.metrics.running);
  metrics.gauge(
    "fairway_tables_waiting_queries",
    "Queries that wait for a slot of the Trino or Presto server.",
    () => tables.metrics.waiting,
  );
  const definitions = { files: openedEngine(engine), tables, rest: openedEngine(rest) };
  const engines = shutdown.use(new EngineRegistry(definitions, log));
  return { engine, engines, bucketFiles };
}

/** The operator's categories come first and override the demo's. */
function categoriesOf(configured: Platform["categories"], platform: Platform | undefined): Platform["categories"] {
  const known = new Set(configured.map(({ id }) => id));
  return [...configured, ...(platform?.categories ?? []).filter(({ id }) => !known.has(id))];
}

/** The token is in the fragment, so that no server or proxy logs it. */
function setupMessage(origin: string, token: string): string {
  return `Nobody can sign in yet. Create the first administrator at ${origin}/setup#token=${token}`;
}
