// @ts-check
// What a search costs over HTTP, signed in, against the same question put straight to DuckDB over the same file.
import { availableParallelism } from "node:os";
import { Caller, expectOk } from "./lib/caller.mjs";
import { duckDb } from "./lib/gateway-modules.mjs";
import { comparedInTurns } from "./lib/turns.mjs";
import { areaCases } from "./area-cases.mjs";
import { furtherCases, graphCases } from "./further-cases.mjs";
import { searchBody, searchCases } from "./search-cases.mjs";

/** @typedef {import("./lib/statistics.mjs").Comparison} Comparison */
/** @typedef {import("./search-cases.mjs").SearchCase} SearchCase */
/** @typedef {Comparison & Pick<SearchCase, "dataset" | "range" | "question"> & { most: number }} SearchResult */

/**
 * @param {{ origin: string, dataFolder: string, rounds: number, turns: number }} parts
 * @returns {Promise<SearchResult[]>}
 */
export async function measureSearches({ origin, dataFolder, rounds, turns }) {
  const connection = await openRaw();
  const caller = await Caller.signIn(origin, "viewer");
  /** @type {SearchResult[]} */
  const results = [];
  for (const one of [...searchCases, ...areaCases, ...furtherCases, ...graphCases]) {
    const raw = await rawQuestion(connection, one, dataFolder);
    const http = httpQuestion(caller, one);
    await agree(one, http, raw);
    const times = await comparedInTurns({ rounds, turns }, http, raw);
    console.log(`  ${one.dataset}, ${one.range}: ${one.question}`);
    results.push({ dataset: one.dataset, range: one.range, question: one.question, most: one.most ?? 1.5, ...times });
  }
  caller.close();
  return results;
}

/** DuckDB with the gateway's own settings; its memory limit is far above what these questions need. */
async function openRaw() {
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
 * Prepared once, which the gateway cannot do.
 * @param {import("@duckdb/node-api").DuckDBConnection} connection
 * @param {SearchCase} one
 * @param {string} dataFolder
 */
async function rawQuestion(connection, one, dataFolder) {
  const [, , id = ""] = one.path.split("/").slice(1);
  const folder = one.path.includes("/Aviation/") ? "aviation" : "measurements";
  const prepared = await connection.prepare(one.sql.replaceAll("{file}", `'${dataFolder}/${folder}/${id}/rows.parquet'`));
  return async (/** @type {number} */ turn) => {
    const { startMs, endMs, value } = one.asked(turn);
    prepared.bindBigInt(1, BigInt(startMs));
    prepared.bindBigInt(2, BigInt(endMs));
    prepared.bindVarchar(3, value);
    const rows = await (await prepared.run()).getRows();
    return rows[0]?.[0];
  };
}

/**
 * @param {Caller} caller
 * @param {SearchCase} one
 */
function httpQuestion(caller, one) {
  return async (/** @type {number} */ turn) => {
    const asked = one.asked(turn);
    const answer = await caller.call("POST", one.path, one.body?.(asked) ?? searchBody(asked, one));
    return one.read(expectOk(answer).text);
  };
}

/**
 * Both must say the same before either is timed; this warms both up, too.
 * @param {SearchCase} one
 * @param {(turn: number) => Promise<unknown>} http
 * @param {(turn: number) => Promise<unknown>} raw
 */
async function agree({ dataset, range, question }, http, raw) {
  for (let turn = 0; turn < 4; turn++) {
    const [ours, theirs] = [await http(turn), await raw(turn)];
    if (Math.abs(Number(ours) - Number(theirs)) > 1e-6 * Math.abs(Number(theirs)) || theirs === undefined) {
      throw new Error(`${dataset}, ${range}, ${question}: the gateway says ${String(ours)} and DuckDB ${String(theirs)}`);
    }
  }
}
