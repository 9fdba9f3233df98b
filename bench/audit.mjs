// @ts-check
// The audit log with ten million events: the time of its pages, and the cost of recording a small call as throughput of a
// saturated gateway and as median at a tenth of that load. Run with `node bench/audit.mjs [pages] [overhead]`.
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openAudit } from "@fairway/gateway/capabilities/audit/service";
import { connectDatabase } from "@fairway/gateway/database/connection";
import { startEmbeddedPostgres } from "@fairway/gateway/database/embedded-postgres";
import { migrate } from "@fairway/gateway/database/migrate";
import autocannon from "autocannon";
import { checkout } from "../scripts/lib/checkout.mjs";
import { seedAudit } from "./audit-events.mjs";
import { Caller } from "./lib/caller.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { table } from "./lib/markdown.mjs";
import { median } from "./lib/statistics.mjs";

const folder = `${checkout}/.build/bench-audit`;
const silent = /** @type {any} */ ({ info() {}, warn() {}, error() {}, debug() {} });

/** @type {{ what: string, filters: import("@fairway/contract/audit").AuditFilters }[]} */
const cases = [
  { what: "no filter", filters: {} },
  { what: "a busy user", filters: { username: "user0" } },
  { what: "a user with 100 events", filters: { username: "seldom" } },
  { what: "response code 500", filters: { responseCode: 500 } },
  { what: "a user and 500", filters: { username: "user7", responseCode: 500 } },
  { what: "method", filters: { method: "POST" } },
  { what: "path: half of all", filters: { path: "SEARCH" } },
  { what: "path: one dataset", filters: { path: "dataset41/" } },
  { what: "path: nowhere", filters: { path: "no such path" } },
  { what: "three hours", filters: { from: "2026-02-11T09:10:00Z", to: "2026-02-11T12:10:00Z" } },
  { what: "half a year, a user", filters: { from: "2025-08-11T09:10:00Z", to: "2026-02-11T12:10:00Z", username: "user150" } },
  {
    what: "everything at once",
    filters: { username: "user3", responseCode: 404, method: "GET", path: "dataset1", from: "2025-06-01T00:00:00Z" },
  },
];
const pages = [1, 2, 10, 50, 100, 150, 199, 200];

async function measurePages() {
  const server = await startEmbeddedPostgres({ folder: `${folder}/pages`, log: silent });
  const database = connectDatabase(server.url, { maxConnections: 5 });
  try {
    await migrate(/** @type {never} */ (database.db));
    await seedAudit(database.pool);
    const limits = { auditDays: 100_000, auditIntervalMs: 1_000, auditBufferEvents: 1_000, auditExportRows: 1_000_000 };
    const audit = await openAudit({ database, limits, dropped: { increment() {} }, log: silent });
    /** @type {(string | number)[][]} */
    const rows = [];
    for (const { what, filters } of cases) {
      // The fastest of several rounds per page, to exclude other load on the machine.
      const times = pages.map(() => Infinity);
      let total = 0;
      for (let round = 0; round < 6; round++) {
        for (const [index, page] of pages.entries()) {
          const started = performance.now();
          total = (await audit.page(filters, page)).totalElements;
          times[index] = Math.min(times[index] ?? Infinity, performance.now() - started);
        }
      }
      rows.push([what, total.toLocaleString("en"), ...[median(times), Math.max(...times)].map((time) => `${time.toFixed(0)} ms`)]);
    }
    const started = performance.now();
    const names = await audit.usernames();
    rows.push(["the usernames", names.length, `${(performance.now() - started).toFixed(0)} ms`, ""]);
    console.log(table(["pages 1 to 200 of", "reported total", "median", "slowest"], rows));
    await audit.close();
  } finally {
    await database.close();
    await server.stop();
  }
}

async function measureOverhead() {
  const program = fileURLToPath(new URL("audit-portal.mjs", import.meta.url));
  const start = (/** @type {string} */ name, /** @type {NodeJS.ProcessEnv} */ env) =>
    startProgram(["--enable-source-maps", program], { FAIRWAY_HOME: `${folder}/${name}`, UV_THREADPOOL_SIZE: "16", ...env });
  const gateways = [await start("with", {}), await start("without", { WITHOUT_AUDIT: "1" })];
  const sides = await Promise.all(
    gateways.map(async ({ origin }) => {
      const { token } = await Caller.signIn(origin, "viewer");
      return { url: `${origin}/api/favorite/datasets`, memory: `${origin}/api/datasets`, headers: { authorization: `Bearer ${token}` } };
    }),
  );
  for (const kind of /** @type {const} */ (["memory", "url"])) {
    /** @type {number[][]} */
    const rates = [[], []];
    /** @type {number[][]} */
    const medians = [[], []];
    for (let round = 0; round < 4; round++) {
      for (const [index, side] of sides.entries()) {
        const result = await autocannon({ url: side[kind], headers: side.headers, connections: 20, duration: round === 0 ? 2 : 4 });
        if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
        if (round > 0) rates[index]?.push(result.requests.average);
      }
    }
    const tenth = Math.max(...(rates[1] ?? [])) / 10;
    for (let round = 0; round < 4; round++) {
      for (const [index, side] of sides.entries()) {
        const times = await paced(side[kind], side.headers, tenth, 3_000);
        if (round > 0) medians[index]?.push(median(times));
      }
    }
    const [withAudit = 0, without = 1] = rates.map((all) => Math.max(...all));
    const [medianWith = 0, medianWithout = 1] = medians.map((all) => Math.min(...all));
    console.log(
      `${kind === "memory" ? "cached response" : "one query"}: saturated ${withAudit.toFixed(0)} of ${without.toFixed(0)} calls/s ` +
        `(${((1 - withAudit / without) * 100).toFixed(1)} % less), at ${tenth.toFixed(0)}/s median ${medianWith.toFixed(3)} of ` +
        `${medianWithout.toFixed(3)} ms (${((medianWith / medianWithout - 1) * 100).toFixed(1)} % more); rounds ${JSON.stringify({ rates, medians })}`,
    );
  }
  for (const gateway of gateways) await gateway.stop();
}

/**
 * Calls at a constant rate, whether or not earlier calls have been answered; returns the duration of each, in milliseconds.
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {number} rate a second
 * @param {number} forMs
 */
async function paced(url, headers, rate, forMs) {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  /** @type {number[]} */
  const times = [];
  /** @type {Promise<void>[]} */
  const calls = [];
  const started = performance.now();
  for (let sent = 0; performance.now() - started < forMs;) {
    const due = ((performance.now() - started) * rate) / 1_000;
    for (; sent < due; sent++) calls.push(once(url, headers, agent).then((duration) => void times.push(duration)));
    await sleep(1);
  }
  await Promise.all(calls);
  agent.destroy();
  return times;
}

/**
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {Agent} agent
 * @returns {Promise<number>}
 */
function once(url, headers, agent) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers }, (response) => {
      response.resume();
      response.once("end", () => resolve(performance.now() - started));
    });
    call.once("error", reject);
    call.end();
  });
}

const selected = process.argv.slice(2);
if (selected.length === 0 || selected.includes("pages")) await measurePages();
if (selected.length === 0 || selected.includes("overhead")) await measureOverhead();
