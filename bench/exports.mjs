// @ts-check
// Compares an export of a million rows over HTTP, from start to finished file, with DuckDB's own COPY of the same rows, and
// measures how much memory the gateway uses for it.
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Caller, expectOk } from "./lib/caller.mjs";
import { duckDb } from "./lib/gateway-modules.mjs";
import { dataFolder } from "./lib/gateway-process.mjs";
import { watchGrowth } from "./lib/memory.mjs";
import { compared, comparedHead, mb, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { positionCount, positionsSpan } from "./positions.mjs";

const rows = 1_000_000;
const pollIntervalMs = 20;

/** The newest million rows. */
const stepMs = Math.floor(((positionsSpan.endMs - positionsSpan.startMs) * 1_000) / positionCount) / 1_000;
const timeRange = {
  start: new Date(positionsSpan.endMs - Math.floor((rows - 1) * stepMs)).toISOString(),
  end: new Date(positionsSpan.endMs).toISOString(),
};
const columns = ["at", "vessel", "status", "port", "speed", "latitude", "longitude", "hazardous"];

const cases = [
  { what: "CSV", format: "csv", options: "format csv" },
  { what: "JSON", format: "json", options: "format json, array true" },
  { what: "Parquet", format: "parquet", options: "format parquet, compression zstd" },
  { what: "CSV, sorted by speed", format: "csv", options: "format csv", sort: "speed" },
];

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "exports",
    title: "Exporting everything",
    needs: ["portal"],
    run: async ({ portal: { origin, pid }, many }) => {
      const caller = await Caller.signIn(origin, "viewer");
      const folder = await mkdtemp(join(tmpdir(), "fairway-bench-exports-"));
      const instance = await duckDb.DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) });
      const connection = await instance.connect();
      await connection.run("set TimeZone = 'UTC'");
      await connection.run("set parquet_metadata_cache = true");
      const results = [];
      for (const { what, format, options, sort } of cases) {
        const where = `where "at" >= make_timestamp_ms(${Date.parse(timeRange.start)}) and "at" <= make_timestamp_ms(${Date.parse(timeRange.end)})`;
        const select = `select ${columns.map((name) => `"${name}"`).join(", ")} from read_parquet('${dataFolder}/measurements/positions/rows.parquet') ${where}`;
        const copy = `copy (${select}${sort === undefined ? "" : ` order by ${sort} desc`}) to '${folder}/rows.${format}' (${options})`;
        const raw = async () => (await connection.run(copy)).rowsChanged;
        const search = { timeRange, filters: [], ...(sort === undefined ? {} : { sort: [{ column: sort, direction: "desc" }] }) };
        const body = { format, search, ...(format === "csv" ? { columns } : {}) };
        const http = () => runExport(caller, body);
        const written = await http();
        const copied = await raw();
        if (written !== copied) throw new Error(`${what}: the gateway wrote ${written} rows and DuckDB ${copied}`);
        const growthMb = await watchGrowth(pid, http);
        const times = await compareInTurns({ rounds: many(5), turns: many(4) }, http, raw);
        console.log(`  ${what}`);
        const reached = times.ratio <= 2 && (sort !== undefined || growthMb === undefined || growthMb < 100);
        results.push([what, written.toLocaleString("en-US"), ...compared(times), mb(growthMb), verdict(reached)]);
      }
      connection.closeSync();
      instance.closeSync();
      caller.close();
      await rm(folder, { recursive: true });
      return {
        text: "Target: at most twice the time of DuckDB's own COPY of the same rows, which uses every core; less than 100 MB of additional memory in the gateway if nothing is sorted.",
        head: ["file", "rows", ...comparedHead("export", "COPY"), "memory", "target"],
        rows: results,
      };
    },
  },
];

/**
 * Runs an export to completion, deletes its file and returns the number of rows.
 * @param {Caller} caller
 * @param {unknown} body
 * @returns {Promise<number>}
 */
async function runExport(caller, body) {
  const response = expectOk(await caller.call("POST", "/datasets/Measurements/positions/export", body), 202);
  const { exportId } = /** @type {{ exportId: string }} */ (JSON.parse(response.text));
  for (;;) {
    const text = expectOk(await caller.call("GET", `/exports/${exportId}`)).text;
    const state = /** @type {import("@fairway/contract/exports").ExportState} */ (JSON.parse(text));
    if (state.status === "done") {
      await caller.call("DELETE", `/exports/${exportId}`);
      return state.rows;
    }
    if (state.status !== "running") throw new Error(`the export ended as ${state.status}: ${state.failure}`);
    await sleep(pollIntervalMs);
  }
}
