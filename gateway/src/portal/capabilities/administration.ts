import { access, constants } from "node:fs/promises";
import { sql } from "kysely";
import { openApiKeys } from "#capabilities/api-keys/capability.ts";
import { openConfiguration } from "#capabilities/configuration/capability.ts";
import { completeDataset } from "#capabilities/dataset-administration/derived-warnings.ts";
import { storeReading } from "#capabilities/dataset-administration/reading-storage.ts";
import { openDatasetAdministration, openDatasetWarnings } from "#capabilities/dataset-administration/capability.ts";
import { openEntities } from "#capabilities/entities/capability.ts";
import { bucketWarnings } from "#capabilities/filesets/bucket-warnings.ts";
import { openHealth } from "#capabilities/health/capability.ts";
import { openJolt } from "#capabilities/jolt/capability.ts";
import { openProfile } from "#capabilities/profile/capability.ts";
import type { CapabilityList } from "#http/capability.ts";
import type { Parts } from "#portal/open-parts.ts";
import { version } from "#process/version.ts";
import { gatewaysTakeReadings } from "#database/gateway-lock.ts";
import type { DatasetCapabilities } from "./datasets.ts";
import type { openContent } from "./content.ts";

/** The configuration by administrators, keys with which programs call the portal, and answers for monitoring. */
export async function openAdministration(
  parts: Parts,
  list: CapabilityList,
  { release, filesets, imports, giveAll, ...opened }: AdministrationParts,
) {
  const { config, database, notifications, masterKey, log, metrics, entities, entityChanges, liveConfiguration } = parts;
  const { identity, passwordPolicy, engine, engines, folders, addresses, callRates } = parts;
  const { limits, securityLimits, keystoreFolder } = config;
  const { db } = database;
  const { canRead, catalog, profiles, dateOrder, datasets } = opened;
  const { derivedProblems, grantCounts } = datasets;
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
  const datasetWarnings = await list.add(openDatasetWarnings({ derivedProblems, grantCounts, engines, keystoreFolder }));
  const { administrations, recordOwnChange } = await list.add(
    openEntities({
      database,
      identity,
      passwordPolicy,
      key: masterKey,
      onChanged: entityChanges.report,
      addresses,
      jolt: jolt.runner,
      completeDataset: completeDataset(entities, derivedProblems, storeReading(engines, readingsAreTaken, dateOrder)),
      warnings: { ...datasetWarnings.checks, bucket: bucketWarnings(parts.filesetStores) },
      giveAll,
      limits: securityLimits,
      log,
    }),
  );
  imports.administerBy(administrations["datasets/internal"]);
  await list.add(openProfile({ identity, recordOwnChange }));
  await list.add(
    openDatasetAdministration({
      db,
      entities,
      datasets: administrations["datasets/internal"],
      readingsAreTaken,
      engine,
      engines,
      useAs: datasets.useAs,
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
  return apiKeys.reader;
}

interface AdministrationParts extends DatasetCapabilities, Awaited<ReturnType<typeof openContent>> {
  /** Describes the running build. */
  readonly release: string | undefined;
}
