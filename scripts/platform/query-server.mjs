// @ts-check
// A Trino of its own with the demo's datasets as tables (decision 0476), which can be killed and started again.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { linkFiles, sqlLake } from "../lib/sql-lake.mjs";
import { installSqlServer, runStatement, startSqlServer } from "../lib/sql-servers.mjs";

const schema = "hive.demo";
const lakeFolder = "fairway";
/** By DuckDB's types. */
const columnTypes = /** @type {Readonly<Record<string, string>>} */ ({
  VARCHAR: "varchar",
  BIGINT: "bigint",
  INTEGER: "integer",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  DATE: "date",
  TIMESTAMP: "timestamp(6)",
});

/** @typedef {Awaited<ReturnType<typeof startQueryServer>>} QueryServer */

/**
 * Downloads the server and writes the tables' files, unless they are there.
 * @param {(line: string) => void} log
 * @returns {Promise<string>} the folder of the files
 */
export async function installQueryServer(log) {
  await installSqlServer("trino", log);
  return sqlLake(log);
}

/** @param {string} files the folder of the files */
export async function startQueryServer(files) {
  const server = await startSqlServer("trino");
  try {
    await linkFiles(files, join(server.lake, lakeFolder));
    /** @type {readonly import("../lib/sql-lake.mjs").LakeTable[]} */
    const described = JSON.parse(await readFile(join(files, "tables.json"), "utf8"));
    await runStatement(server, `create schema if not exists ${schema}`);
    /** The table of each dataset. @type {Map<string, string>} */
    const tables = new Map();
    for (const { id, columns, partition } of described) {
      // Registering the partitions of the largest table takes longer, and it is none of the demo's.
      if (partition !== null) continue;
      const table = `${schema}.${id.replaceAll("-", "_")}`;
      const list = columns.map(({ name, stored }) => `"${name}" ${columnTypes[stored] ?? stored}`).join(", ");
      const location = `${server.locationRoot}/${lakeFolder}/${id}`;
      await runStatement(server, `create table ${table} (${list}) with (format = 'PARQUET', external_location = '${location}')`);
      tables.set(id, table);
    }
    const { title, url, kill, start, stop } = server;
    return { title, url, tables, kill, restart: start, stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
