// @ts-check
// Tables of Parquet files for tests of query servers: the demo's own datasets, and one of 20 million rows in partitions of a day.
import { createHash } from "node:crypto";
import { link, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { demoPlatform } from "@fairway/demo/platform";
import { sqlServersFolder } from "./sql-servers.mjs";

const fromGateway = createRequire(new URL("../../gateway/package.json", import.meta.url));
const { DuckDBInstance } = /** @type {typeof import("@duckdb/node-api")} */ (fromGateway("@duckdb/node-api"));

/** @typedef {import("@fairway/contract/columns").ColumnType} ColumnType */
/**
 * The description of a table for tests.
 * @typedef {object} LakeTable
 * @property {string} id also the name of its folder in the lake
 * @property {number} rows
 * @property {readonly { readonly name: string, readonly type: ColumnType, readonly stored: string }[]} columns `stored`: DuckDB's type
 * @property {string | null} temporalField
 * @property {{ readonly latitude: string, readonly longitude: string } | null} location
 * @property {readonly { readonly column: string, readonly direction: "asc" | "desc" }[]} orderBy
 * @property {string | null} partition the column by which its files are stored apart
 */

/** Three rows have the same time, so that no order by time is unique. */
const readings = `
  select
    i as id,
    timestamp '2024-01-01' + to_milliseconds((i // 3) * 1296) as "at",
    'station ' || lpad(cast(i * 7919 % 500 as varchar), 3, '0') as station,
    (i * 1103515245 + 12345) % 100003 / 100 - 500 as "value",
    case when i % 97 > 0 then cast(i % 5 as integer) end as quality,
    (i * 37) % 18000 / 100 - 90 as latitude,
    (i * 91) % 36000 / 100 - 180 as longitude,
    cast(timestamp '2024-01-01' + to_milliseconds((i // 3) * 1296) as date) as "day"
  from range(20000000) as numbers(i)`;

/** @type {Readonly<Record<string, ColumnType>>} */
const readingTypes = {
  id: "integer",
  at: "TIMESTAMP_MILLS",
  station: "STRING",
  value: "decimal",
  quality: "integer",
  latitude: "decimal",
  longitude: "decimal",
  day: "TIMESTAMP_SECONDS",
};

/** Changes with what is written besides the rows. */
const layout = 1;
const location = { latitude: "latitude", longitude: "longitude" };
const tablesFile = "tables.json";
const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", "''")}'`;

/**
 * Generates the files once and keeps them.
 * @param {(line: string) => void} log
 * @returns {Promise<string>} their folder
 */
export async function sqlLake(log) {
  const recipes = demoPlatform.datasets;
  const state = createHash("sha256").update(JSON.stringify([recipes.map(({ entity, select }) => ({ entity, select })), readings, layout]));
  const folder = join(sqlServersFolder, `lake-${state.digest("hex").slice(0, 12)}`);
  if (await readFile(join(folder, tablesFile)).catch(() => undefined)) return folder;
  log("Writing the demo's datasets and a table of 20 million rows …");
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "3GB", temp_directory: join(unfinished, "spill") });
  const connection = await instance.connect();
  /** @type {LakeTable[]} */
  const tables = [];
  for (const { entity, sources, select } of recipes) {
    const query = select.replaceAll(/\{(\w+)\}/g, (_, name) => quoted(sources[name] ?? ""));
    await mkdir(join(unfinished, entity.id));
    await connection.run(`copy (${query}) to ${quoted(join(unfinished, entity.id, "rows.parquet"))} (format parquet, compression zstd)`);
    const types = new Map(entity.schema.columns.map(({ name, type }) => [name, type]));
    const locationOf = (/** @type {string | null | undefined} */ field) => {
      const [latitude, longitude] = entity.schema.columns.find(({ name }) => name === field)?.combined?.fields ?? [];
      return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
    };
    tables.push({
      id: entity.id,
      ...(await described(connection, join(unfinished, entity.id, "*.parquet"), (name) => types.get(name))),
      temporalField: entity.temporalField,
      location: locationOf(entity.locationField),
      orderBy: entity.orderBy ?? (entity.temporalField === null ? [] : [{ column: entity.temporalField, direction: "desc" }]),
      partition: null,
    });
  }
  await connection.run(
    `copy (${readings}) to ${quoted(join(unfinished, "readings"))}
     (format parquet, compression zstd, row_group_size 50000, partition_by ("day"), write_partition_columns true)`,
  );
  tables.push({
    id: "readings",
    ...(await described(connection, join(unfinished, "readings", "*", "*.parquet"), (name) => readingTypes[name])),
    temporalField: "at",
    location,
    orderBy: [{ column: "at", direction: "desc" }],
    partition: "day",
  });
  connection.closeSync();
  instance.closeSync();
  await rm(join(unfinished, "spill"), { recursive: true, force: true });
  await writeFile(join(unfinished, tablesFile), JSON.stringify(tables, null, 2));
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  return folder;
}

/**
 * @param {import("@duckdb/node-api").DuckDBConnection} connection
 * @param {string} files
 * @param {(name: string) => ColumnType | undefined} typeOf
 */
async function described(connection, files, typeOf) {
  const from = `read_parquet(${quoted(files)}, hive_partitioning = false)`;
  const columns = /** @type {{ column_name: string, column_type: string }[]} */ (
    (await connection.runAndReadAll(`describe select * from ${from}`)).getRowObjectsJS()
  );
  const [count] = (await connection.runAndReadAll(`select count(*)::integer as n from ${from}`)).getRowObjectsJS();
  return {
    rows: Number(count?.["n"]),
    columns: columns.map(({ column_name: name, column_type: stored }) => ({ name, type: typeOf(name) ?? "STRING", stored })),
  };
}

/**
 * Puts the files of `from` into the folder `to`, without copying them.
 * @param {string} from
 * @param {string} to on the same file system
 */
export async function linkFiles(from, to) {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    await (entry.isDirectory() ? linkFiles(source, target) : rm(target, { force: true }).then(() => link(source, target)));
  }
}
