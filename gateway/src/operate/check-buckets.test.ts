import { configuration } from "@fairway/contract/entity-schemas";
import pino from "pino";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "#config/config.ts";
import { internalDatasets, storedTypes } from "#entities/entity-types.ts";
import { entityStore } from "#entities/store.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { FakeS3, fail } from "#testing/fake-s3.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { secretKey } from "#testing/secret-key.ts";
import { checkBuckets } from "./check-buckets.ts";
import { Findings } from "./finding.ts";

it("reads what datasets may read, and says which datasets may not, and whether the disk can hold the copies", async () => {
  const s3 = await FakeS3.start();
  onTestFinished(() => s3.stop());
  const { db } = await testDatabaseForOneTest();
  const entities = entityStore(db, pino({ level: "silent" }), secretKey);
  const home = await temporaryFolder();
  const check = async (env: Record<string, string>, s3CacheBytes = 1_000_000) => {
    const findings = new Findings("datasets on S3");
    const access = { FAIRWAY_S3_ACCESS_KEY_ID: "key", FAIRWAY_S3_SECRET_ACCESS_KEY: "secret", FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.1" };
    const config = readConfig({ FAIRWAY_HOME: home, ...access, ...env }, { demo: false });
    await checkBuckets(findings, entities, { ...config, limits: { ...config.limits, s3CacheBytes } });
    expect(findings.all.filter(({ level, why, todo }) => (level === "problem" || level === "warning") && !(why && todo))).toEqual([]);
    return findings.all.map(({ level, what }) => `${level}: ${what}`);
  };
  expect(await check({})).toEqual(["fine: No dataset is on S3."]);
  const buckets = { FAIRWAY_S3_DATASET_BUCKETS: "lake/open,other" };
  expect((await check(buckets))[0]).toBe(
    "problem: FAIRWAY_S3_DATASET_BUCKETS names buckets, but the enabled Configuration names no S3 service.",
  );
  await entities.create(storedTypes.config, configuration.parse({ name: "live", s3URL: s3.address.url }), { enabled: true });
  const of = (id: string, glob: string) => buildDataset({ id, source: { kind: "files", glob, format: "csv" } });
  await entities.create(internalDatasets, of("inside", "s3://lake/open/*.csv"), { enabled: true });
  await entities.create(internalDatasets, of("outside", "s3://lake/*.csv"), { enabled: true });
  await entities.create(internalDatasets, of("disabled", "s3://lake/*.csv"), { enabled: false });
  await entities.create(internalDatasets, of("local", "a/*.csv"), { enabled: true });
  s3.put("lake", "open/a.csv", "n\n1\n");
  const found = await check(buckets);
  expect(found.slice(0, -1)).toEqual([
    "problem: The dataset 'outside' reads s3://lake/*.csv, which FAIRWAY_S3_DATASET_BUCKETS does not allow.",
    `fine: Datasets can read 'lake/open' of ${s3.address.url}.`,
    "problem: The file store has no bucket 'other'. An administrator has to create it, or to correct the source of the dataset.",
  ]);
  expect(found.at(-1)).toMatch(/^fine: Copies of files on S3 may take 0\.0 GB of the [\d.]+ GB of the disk of .*cache\/s3\.$/);
  expect(s3.requests).toEqual(["LIST open/"]);
  s3.fault = (_, response) => (fail(response, 403, "AccessDenied"), true);
  expect((await check(buckets, 9e14)).filter((one) => !one.includes("'outside'"))).toEqual([
    expect.stringContaining("problem: The file store does not allow the portal to do this in the bucket 'lake'."),
    expect.stringContaining("problem: The file store does not allow the portal to do this in the bucket 'other'."),
    expect.stringMatching(/^warning: Copies of files on S3 may take 900000\.0 GB/),
  ]);
});
