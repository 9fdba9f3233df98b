import { mkdir, realpath } from "node:fs/promises";
import { totalmem } from "node:os";
import { DuckDBInstance } from "@duckdb/node-api";

export interface InstanceOptions {
  /** The only folder that queries may read, besides `copyFolder`, `cacheFolder` and `importedFolder`. Created if missing. */
  readonly dataFolder: string;
  /** Holds converted copies of text files. Created if missing. */
  readonly copyFolder: string;
  /** Holds copies of files of buckets. Default: none. Created if missing. */
  readonly cacheFolder?: string | undefined;
  /** Holds files that users have brought. Default: none. Created if missing. */
  readonly importedFolder?: string | undefined;
  /** Folder to which large sorts spill. Created if missing. */
  readonly tempFolder: string;
  /** Default: half of the memory available to this process. */
  readonly memoryLimitMb?: number;
  /** Default 10,000. */
  readonly tempLimitMb?: number;
  /** Default: one per core. */
  readonly threads?: number;
  /** The only file that may be written. Default: none. */
  readonly writes?: string;
  /** Default true. False saves the buffers that it needs; a single thread preserves the order anyway. */
  readonly preservesOrder?: boolean;
}

export interface LockedInstance {
  readonly instance: DuckDBInstance;
  /** The folders with links resolved: paths must start with one of them. */
  readonly dataFolder: string;
  readonly copyFolder: string;
}

/**
 * An in-memory DuckDB that can read the data folder and the copies of its files, and nothing else: no extensions, no network, no
 * other files, and no way to change that. The lockdown is complete before the first query can run.
 */
export async function openLockedInstance(options: InstanceOptions): Promise<LockedInstance> {
  const resolved = async (folder: string): Promise<string> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return realpath(folder);
  };
  const [dataFolder, copyFolder, tempFolder] = await Promise.all(
    [options.dataFolder, options.copyFolder, options.tempFolder].map(resolved),
  );
  if (dataFolder === undefined || copyFolder === undefined || tempFolder === undefined) throw new Error("a folder is missing");
  const others = [options.cacheFolder, options.importedFolder].filter((folder) => folder !== undefined);
  const readable = [dataFolder, copyFolder, ...(await Promise.all(others.map(resolved)))];
  const instance = await DuckDBInstance.create(":memory:", {
    ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
    memory_limit: `${options.memoryLimitMb ?? defaultMemoryMb()}MB`,
    temp_directory: tempFolder,
    max_temp_directory_size: `${options.tempLimitMb ?? 10_000}MB`,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
  });
  const connection = await instance.connect();
  const settings = [
    "set global TimeZone = 'UTC'",
    "set global parquet_metadata_cache = true",
    // Otherwise it refuses whole files whose GeoParquet metadata are incomplete; see `parquet-geometries.ts`.
    "set global enable_geoparquet_conversion = false",
    `set global allowed_directories = [${readable.map((folder) => literal(`${folder}/`)).join(", ")}]`,
    `set global preserve_insertion_order = ${options.preservesOrder ?? true}`,
    ...(options.writes === undefined ? [] : [`set global allowed_paths = [${literal(options.writes)}]`]),
    "set global enable_external_access = false",
    "set global lock_configuration = true",
  ];
  for (const setting of settings) await connection.run(setting);
  connection.closeSync();
  return { instance, dataFolder, copyFolder };
}

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function defaultMemoryMb(): number {
  const constrained = process.constrainedMemory();
  const available = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.max(512, Math.floor(available / 2 / 1_000_000));
}
