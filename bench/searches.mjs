// @ts-check
// Signed-in searches over HTTP, compared with the same query run directly in DuckDB on the same file.
import { availableParallelism } from "node:os";
import { areaCases } from "./area-cases.mjs";
import { furtherCases, graphCases } from "./further-cases.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { duckDb } from "./lib/gateway-modules.mjs";
import { dataFolder } from "./lib/gateway-process.mjs";
import { compared, comparedHead, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { searchBody, searchCases } from "./search-cases.mjs";

/** @typedef {import("./search-cases.mjs").SearchCase} SearchCase */

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "searches",
    title: "Searching",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const connection = await openDuckDb();
      const caller = await Caller.signIn(origin, "viewer");
      const rows = [];
      for (const searchCase of [...searchCases, ...areaCases, ...furtherCases, ...graphCases]) {
        const { dataset, range, question, maxRatio = 1.5 } = searchCase;
        const [http, raw] = [httpQuery(caller, searchCase), await duckDbQuery(connection, searchCase)];
        await requireSameResult(searchCase, http, raw);
        const times = await compareInTurns({ rounds: many(5), turns: many(12) }, http, raw);
        console.log(`  ${dataset}, ${range}: ${question}`);
        rows.push([dataset, range, question, ...compared(times), verdict(times.ours <= maxRatio * times.theirs + 5)]);
      }
      caller.close();
      connection.closeSync();
      return {
        text: "Target: over HTTP at most 1.5 times DuckDB alone plus 5 ms; for the newest row of each vessel 1.3 times plus 5 ms.",
        head: ["dataset", "time range", "question", ...comparedHead("HTTP", "DuckDB"), "target"],
        rows,
      };
    },
  },
];

/** DuckDB with the gateway's settings, but without its memory limit, which these queries do not reach. */
export async function openDuckDb() {
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
 */
async function duckDbQuery(connection, searchCase) {
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
