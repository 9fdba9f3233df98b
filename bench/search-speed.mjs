// @ts-check
// Compares a signed-in search over HTTP with the same query run directly in DuckDB on the same file.
import { availableParallelism } from "node:os";
import { Caller, expectOk } from "./lib/caller.mjs";
import { duckDb } from "./lib/gateway-modules.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { areaCases } from "./area-cases.mjs";
import { furtherCases, graphCases } from "./further-cases.mjs";
import { searchBody, searchCases } from "./search-cases.mjs";

/** @typedef {import("./lib/statistics.mjs").Comparison} Comparison */
/** @typedef {import("./search-cases.mjs").SearchCase} SearchCase */
/** @typedef {Comparison & Pick<SearchCase, "dataset" | "range" | "question"> & { maxRatio: number }} SearchResult */

/**
 * @param {{ origin: string, dataFolder: string, rounds: number, turns: number }} options
 * @returns {Promise<SearchResult[]>}
 */
export async function measureSearches({ origin, dataFolder, rounds, turns }) {
  const connection = await openDuckDb();
  const caller = await Caller.signIn(origin, "viewer");
  /** @type {SearchResult[]} */
  const results = [];
  for (const searchCase of [...searchCases, ...areaCases, ...furtherCases, ...graphCases]) {
    const raw = await duckDbQuery(connection, searchCase, dataFolder);
    const http = httpQuery(caller, searchCase);
    await requireSameResult(searchCase, http, raw);
    const times = await compareInTurns({ rounds, turns }, http, raw);
    console.log(`  ${searchCase.dataset}, ${searchCase.range}: ${searchCase.question}`);
    results.push({
      dataset: searchCase.dataset,
      range: searchCase.range,
      question: searchCase.question,
      maxRatio: searchCase.maxRatio ?? 1.5,
      ...times,
    });
  }
  caller.close();
  return results;
}

/** DuckDB with the gateway's settings, but without its memory limit, which these queries do not reach. */
async function openDuckDb() {
  const instance = await duckDb.DuckDBInstance.create(":memory:", {
    threads: String(availableParallelism()),
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  await connection.run("set parquet_metadata_cache = true");
  return connection;
}

/**
 * Prepares the statement once, which the gateway cannot do.
 * @param {import("@duckdb/node-api").DuckDBConnection} connection
 * @param {SearchCase} searchCase
 * @param {string} dataFolder
 */
async function duckDbQuery(connection, searchCase, dataFolder) {
  const [, , id = ""] = searchCase.path.split("/").slice(1);
  const folder = searchCase.path.includes("/Aviation/") ? "aviation" : "measurements";
  const prepared = await connection.prepare(searchCase.sql.replaceAll("{file}", `'${dataFolder}/${folder}/${id}/rows.parquet'`));
  return async (/** @type {number} */ turn) => {
    const { startMs, endMs, value } = searchCase.params(turn);
    prepared.bindBigInt(1, BigInt(startMs));
    prepared.bindBigInt(2, BigInt(endMs));
    prepared.bindVarchar(3, value);
    const rows = await (await prepared.run()).getRows();
    return rows[0]?.[0];
  };
}

/**
 * @param {Caller} caller
 * @param {SearchCase} searchCase
 */
function httpQuery(caller, searchCase) {
  return async (/** @type {number} */ turn) => {
    const params = searchCase.params(turn);
    const response = await caller.call("POST", searchCase.path, searchCase.body?.(params) ?? searchBody(params, searchCase));
    return searchCase.read(expectOk(response).text);
  };
}

/**
 * Both must return the same value before they are timed. This also warms up both.
 * @param {SearchCase} searchCase
 * @param {(turn: number) => Promise<unknown>} http
 * @param {(turn: number) => Promise<unknown>} raw
 */
async function requireSameResult({ dataset, range, question }, http, raw) {
  for (let turn = 0; turn < 4; turn++) {
    const [ours, theirs] = [await http(turn), await raw(turn)];
    if (Math.abs(Number(ours) - Number(theirs)) > 1e-6 * Math.abs(Number(theirs)) || theirs === undefined) {
      throw new Error(`${dataset}, ${range}, ${question}: the gateway returned ${String(ours)}, but DuckDB ${String(theirs)}`);
    }
  }
}
