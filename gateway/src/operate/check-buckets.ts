import { access, constants, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { isBucketGlob, parseBucketGlob } from "@fairway/contract/bucket-globs";
import type { Config } from "#config/config.ts";
import { internalDatasets, storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { allowsPattern } from "#query/bucket/bucket-files.ts";
import { StoreFailed } from "#storage/storage.ts";
import type { Findings } from "./finding.ts";

const answerMs = 15_000;
const gigabyte = 1_000_000_000;
const guide = "See Datasets on S3 in the operator guide";

/** Buckets of datasets, and the folder for copies of their files. */
export async function checkBuckets(findings: Findings, entities: Pick<EntityStore, "list">, config: Config): Promise<void> {
  const datasets = (await entities.list(internalDatasets)).flatMap(({ body: { id, source }, enabled }) =>
    enabled && source.kind === "files" && isBucketGlob(source.glob) ? [{ id, glob: source.glob }] : [],
  );
  const { buckets } = config.s3Datasets;
  if (buckets.length === 0 && datasets.length === 0) {
    findings.fine("No dataset is on S3.");
    return;
  }
  for (const { id, glob } of datasets) {
    const parsed = parseBucketGlob(glob);
    if (parsed !== undefined && allowsPattern(parsed, buckets)) continue;
    findings.problem(`The dataset '${id}' reads ${glob}, which FAIRWAY_S3_DATASET_BUCKETS does not allow.`, {
      why: "It cannot be searched.",
      todo: "Add its bucket or folder, or have an administrator correct or disable the dataset.",
    });
  }
  await checkLocations(findings, entities, config);
  await checkCache(findings, config);
}

async function checkLocations(findings: Findings, entities: Pick<EntityStore, "list">, config: Config): Promise<void> {
  const { buckets } = config.s3Datasets;
  const configuration = (await entities.list(storedTypes.config)).find(({ enabled }) => enabled)?.body;
  if (buckets.length === 0) return;
  if (configuration === undefined || configuration.s3URL === "") {
    findings.problem("FAIRWAY_S3_DATASET_BUCKETS names buckets, but the enabled Configuration names no S3 service.", {
      why: "No dataset on S3 can be searched.",
      todo: "Have an administrator set s3URL of the enabled Configuration.",
    });
    return;
  }
  const { openBucketReader } = await import("#storage/s3-objects.ts");
  const settings = { ...config.s3, limits: config.limits, addresses: new AddressPolicy(config.upstreamAddresses) };
  const reader = openBucketReader({ url: configuration.s3URL, region: configuration.s3Region }, settings);
  try {
    for (const location of buckets) {
      const [bucket = "", ...folders] = location.split("/");
      const prefix = folders.map((folder) => `${folder}/`).join("");
      try {
        await reader.list(bucket, { prefix, oneLevel: true, next: undefined }, AbortSignal.timeout(answerMs));
        findings.fine(`Datasets can read '${location}' of ${configuration.s3URL}.`);
      } catch (error) {
        const isSlow = error instanceof Error && error.name === "TimeoutError";
        if (!(error instanceof StoreFailed) && !isSlow) throw error;
        findings.problem(isSlow ? `The file store did not list '${location}' in time.` : error.message, {
          why: `Datasets in '${location}' cannot be searched.`,
          todo: `${guide}: the bucket, the credentials and their rights, the address.`,
        });
      }
    }
  } finally {
    reader.close();
  }
}

async function checkCache(findings: Findings, { s3Datasets, limits }: Config): Promise<void> {
  const folder = await existing(s3Datasets.cacheFolder);
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) {
    findings.problem(`This user cannot write to ${folder}, where copies of files on S3 are kept.`, {
      why: "The portal does not start.",
      todo: "Make the portal's user the owner of the folder, or correct s3.cacheFolder of the settings.",
    });
    return;
  }
  const disk = await statfs(folder);
  const total = disk.blocks * disk.bsize;
  const text = `Copies of files on S3 may take ${(limits.s3CacheBytes / gigabyte).toFixed(1)} GB of the ${(total / gigabyte).toFixed(1)} GB of the disk of ${s3Datasets.cacheFolder}.`;
  if (limits.s3CacheBytes < total / 2) findings.fine(text);
  else {
    findings.warning(text, {
      why: "A disk that the copies fill stops everything else that writes to it.",
      todo: "Lower LIMIT_S3_CACHE_BYTES, or give s3.cacheFolder of the settings a larger disk of its own.",
    });
  }
}

/** The folder, or the nearest one above that exists. */
async function existing(folder: string): Promise<string> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : existing(dirname(folder));
}
