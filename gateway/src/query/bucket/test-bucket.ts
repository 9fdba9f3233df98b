import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { ColumnType } from "@fairway/contract/columns";
import { type Limits, defaultLimits } from "@fairway/contract/limits";
import type { DuckDbEngine } from "#query/duckdb/engine.ts";
import { type EngineBench, datasetOver, engineBench } from "#query/duckdb/test-files.ts";
import type { QueryableDataset } from "#query/engine.ts";
import { openBucketReader } from "#storage/s3-objects.ts";
import type { S3Address, S3Settings } from "#storage/s3-settings.ts";
import { BucketFiles } from "./bucket-files.ts";
import { BucketSource } from "./bucket-source.ts";
import { FileCache } from "./file-cache.ts";

/** For tests: the engine over a service with buckets. */
export interface BucketBench {
  readonly engine: DuckDbEngine;
  readonly files: BucketFiles;
  readonly cache: FileCache;
  readonly cacheFolder: string;
  readonly local: EngineBench;
  /** The content of a file that DuckDB writes. */
  fileOf(select: string, format?: "parquet" | "csv" | "json"): Promise<Buffer>;
  close(): Promise<void>;
}

interface Options {
  readonly limits?: Partial<Limits>;
  readonly allowed?: readonly string[];
  readonly settings: S3Settings;
  /** Undefined = the configuration names no service. */
  readonly address: S3Address | undefined;
  readonly cacheFolder?: string;
}

export async function bucketBench({
  limits: changed = {},
  allowed = ["lake"],
  settings,
  address,
  cacheFolder,
}: Options): Promise<BucketBench> {
  const limits = { ...defaultLimits, engineWaitMs: 2_000, ...changed };
  const root = await mkdtemp(path.join(tmpdir(), "fairway-bucket-"));
  const folder = cacheFolder ?? path.join(root, "cache");
  const cache = await FileCache.open({
    folder,
    maxBytes: limits.s3CacheBytes,
    downloadsAtOnce: limits.s3DownloadsAtOnce,
    waitMs: limits.engineWaitMs,
  });
  const local = await engineBench({ limits, cacheFolder: folder });
  const reader = address && openBucketReader(address, settings);
  const files = new BucketFiles({ cache, service: () => Promise.resolve(reader), allowed, limits });
  return {
    engine: local.engine.over(new BucketSource(files)),
    files,
    cache,
    cacheFolder: folder,
    local,
    fileOf: async (select, format = "parquet") => {
      const target = path.join(root, `file.${format}`);
      const instance = await DuckDBInstance.create(":memory:");
      const connection = await instance.connect();
      await connection.run(`copy (${select}) to '${target}' (format ${format})`);
      connection.closeSync();
      instance.closeSync();
      return readFile(target);
    },
    close: async () => {
      await files.close();
      reader?.close();
      await local.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export const datasetIn = (
  glob: string,
  columns: Readonly<Record<string, ColumnType>>,
  overrides: Parameters<typeof datasetOver>[2] = {},
): QueryableDataset => datasetOver(glob, columns, overrides);

/** Files in the cache, without their folders. */
export async function cachedFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => path.relative(folder, path.join(parentPath, name)));
}
