import type { DatasetQuality, QualityReport } from "@fairway/contract/dataset-quality";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import pino from "pino";
import { type DatasetApp, buildDataset, datasetApp, buildColumn } from "./dataset-app.ts";
import { type DatasetQualities, openDatasetQuality } from "../capabilities/dataset-quality/capability.ts";

export const columns: InternalDataset["schema"]["columns"] = [
  ...buildDataset().schema.columns,
  buildColumn("name", "STRING"),
  buildColumn("at", "TIMESTAMP_MILLS"),
];

export const timed: Partial<InternalDataset> = { schema: { columns }, temporalField: "at" };

export const opened = {} as { app: DatasetApp; quality: DatasetQualities; other: DatasetQualities; isPersonal: boolean };

const open = () => {
  const { figures: figureView, listed, portalDatasets: measuredDatasets } = opened.app.service;
  const { profilesOf, measurementsOf } = opened.app.profiles;
  return openDatasetQuality({
    db: opened.app.database.db,
    figureView,
    listed,
    measuredDatasets,
    profilesOf,
    measurementsOf,
    entityChanges: { subscribe: () => undefined },
    log: pino({ level: "silent" }),
    intervalMs: 600_000,
  });
};

export async function openQuality(): Promise<void> {
  opened.isPersonal = false;
  opened.app = await datasetApp({ hasRowsPerReader: () => opened.isPersonal });
  opened.quality = open();
  opened.other = open();
  opened.app.serve(opened.quality);
}

export async function resetQuality(): Promise<void> {
  for (const table of ["entities", "dataset_profiles", "dataset_measurements", "dataset_quality"] as const)
    await opened.app.database.db.deleteFrom(table).execute();
  opened.app.service.changed();
}

export async function closeQuality(): Promise<void> {
  await Promise.all([opened.quality.close?.(), opened.other.close?.()]);
  await opened.app.close();
}

/** Replaces the rows, measures them, and evaluates the measurement in two gateways at once. */
export async function load(rows: number, name = "'x'", ids = ["rows"]): Promise<void> {
  const select = `select i as id, ${name}::varchar as name, timestamp '2020-01-01' + to_hours(i::integer) as at from range(${rows}) t(i)`;
  await opened.app.bench.prepare(`copy (${select}) to 'FOLDER/rows.parquet' (format parquet)`);
  for (const id of ids) await opened.app.profiles.requestProfile(id);
  await opened.app.profiles.runProfiler();
  await Promise.all([opened.quality.evaluate(), opened.other.evaluate()]);
}

export const read = async (id = "rows", roles: readonly string[] = []) =>
  (await opened.app.call<QualityReport>(roles, "GET", `/datasets/Tests/${id}/quality`)).body;

export const list = async (caller: Parameters<DatasetApp["call"]>[0] = [], path = "/datasets/quality") =>
  (await opened.app.call<DatasetQuality[]>(caller, "GET", path)).body;
