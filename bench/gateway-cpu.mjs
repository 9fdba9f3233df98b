// @ts-check
// The CPU time of small calls with one gateway and with two, in turns: with the same callers, and with twice as many for two. With
// the same callers, each of two gateways has half of the work, and Node takes more CPU time per call the fewer calls come together.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { demoPassword } from "@fairway/contract/api";
import { startEmbeddedPostgres } from "@fairway/gateway/database/embedded-postgres";
import { Caller } from "./lib/caller.mjs";
import { cpuSeconds, cpuSecondsOfTree } from "./lib/cpu.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { median } from "./lib/statistics.mjs";

/**
 * @typedef {object} GatewayCpuResult
 * @property {string} call
 * @property {string} what
 * @property {number} one CPU milliseconds of the gateway per call, the median round, without what it uses when idle
 * @property {number} two CPU milliseconds of both gateways together per call
 * @property {number} database CPU milliseconds of PostgreSQL per call, with two gateways
 * @property {number} callsPerSecond with two gateways: work that is due at intervals weighs less the more calls there are
 * @property {number} ratio the median of the rounds' ratios
 * @property {[number, number]} spread
 * @property {number} busy like `two`, with twice as many callers, so that each gateway is as busy as the only one
 * @property {number} busyRatio the median of the rounds' ratios of `busy` to `one`
 * @property {[number, number]} busySpread
 */

const silent = /** @type {any} */ ({ info() {}, warn() {}, error() {}, debug() {}, fatal() {}, trace() {} });
const administrator = "admin";
const idleSeconds = 20;
/** Until the second gateway, which gets half of the calls, runs compiled code as well. */
const warmUpRounds = 3;
const rows = Array.from({ length: 1_000 }, (_, index) => `Port ${index},${(index * 37) % 101}.25`);
const favorite = { datasetCategory: "Harbors", datasetId: "ports" };

/** @type {{ call: string, what: string, method: string, path: string, body?: unknown, ok: number, share?: number }[]} */
const calls = [
  { call: "GET /datasets", what: "a list from memory", method: "GET", path: "/datasets", ok: 200 },
  { call: "GET /favorite/datasets", what: "one statement", method: "GET", path: "/favorite/datasets", ok: 200 },
  { call: "GET /notifications", what: "what an open tab asks once a minute", method: "GET", path: "/notifications", ok: 200 },
  { call: "POST /favorite/datasets", what: "a write", method: "POST", path: "/favorite/datasets", body: favorite, ok: 201 },
  {
    call: "POST /datasets/…/search",
    what: "25 of 1,000 rows of a CSV file",
    method: "POST",
    path: "/datasets/Harbors/ports/search",
    body: { filters: [{ name: "depth", operator: ">", value: "50" }], paging: { offset: 0, max: 25 } },
    ok: 200,
    share: 0.2,
  },
];

/**
 * @param {{ rounds: number, turns: number, callers: number }} options `turns` calls of each of the callers in a round
 * @returns {Promise<{ idle: { gateway: number, database: number }, calls: GatewayCpuResult[] }>} `idle`: CPU milliseconds per second of
 *   one gateway, and of PostgreSQL for each gateway
 */
export async function measureGatewayCpu({ rounds, turns, callers }) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-bench-gateways-"));
  const postgres = await startEmbeddedPostgres({ folder: join(folder, "postgres"), log: silent, settings: { max_connections: "150" } });
  const home = join(folder, "home");
  const start = () =>
    startProgram(["--enable-source-maps", "scripts/portal.mjs", "--production"], {
      FAIRWAY_HOME: home,
      DATABASE_URL: postgres.url,
      FAIRWAY_ADMIN_USERNAME: administrator,
      FAIRWAY_ADMIN_PASSWORD: demoPassword,
      LIMIT_AUDIT_DAYS: "1",
      LOG_LEVEL: "warn",
      UV_THREADPOOL_SIZE: "16",
    });
  await mkdir(join(home, "datasets/harbors"), { recursive: true });
  await writeFile(join(home, "datasets/harbors/ports.csv"), ["port,depth", ...rows].join("\n"));
  const gateways = [await start(), await start()];
  try {
    await createDataset(gateways[0]?.origin ?? "");
    const postmaster = Number((await readFile(join(folder, "postgres/data/postmaster.pid"), "utf8")).split("\n")[0]);
    const sides = [gateways.slice(0, 1), gateways, gateways];
    const first = await Caller.signIn(gateways[0]?.origin ?? "", administrator);
    // The same number of callers and of connections, whether there is one gateway or two; then twice as many.
    const people = sides.map((side, place) =>
      Array.from({ length: place === 2 ? 2 * callers : callers }, (_, index) => new Caller(originOf(side, index), first.token)),
    );
    const look = async (/** @type {readonly { pid: number }[]} */ side) => ({
      seconds: performance.now() / 1_000,
      database: await cpuSecondsOfTree(postmaster),
      gateways: (await Promise.all(side.map(({ pid }) => cpuSeconds(pid)))).reduce((sum, one) => sum + one, 0),
    });
    const since = async (/** @type {Awaited<ReturnType<typeof look>>} */ before, /** @type {readonly { pid: number }[]} */ side) => {
      const now = await look(side);
      return {
        seconds: now.seconds - before.seconds,
        database: now.database - before.database,
        gateways: now.gateways - before.gateways,
      };
    };
    const beforeIdle = await look(gateways);
    await sleep(idleSeconds * 1_000);
    const idle = await since(beforeIdle, gateways);
    // CPU seconds per second of one gateway.
    const idleRate = idle.gateways / gateways.length / idle.seconds;
    const idleDatabase = idle.database / idle.seconds;
    /** @type {GatewayCpuResult[]} */
    const results = [];
    for (const { call, what, method, path, body, ok, share = 1 } of calls) {
      const turnsOfCall = Math.max(1, Math.round(turns * share));
      const load = (/** @type {Caller[]} */ list, /** @type {number} */ count) =>
        Promise.all(
          list.map(async (caller) => {
            for (let turn = 0; turn < count; turn++) {
              const { status, text } = await caller.call(method, path, body);
              if (status !== ok) throw new Error(`${call} answered ${status}: ${text.slice(0, 300)}`);
            }
          }),
        );
      for (const list of people) await load(list, turnsOfCall * warmUpRounds);
      /** @type {{ one: number, two: number, busy: number, database: number, callsPerSecond: number }[]} */
      const measured = [];
      for (let round = 0; round < rounds; round++) {
        const perCall = [0, 0, 0];
        let [database, callsPerSecond] = [0, 0];
        for (const index of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
          const side = sides[index] ?? [];
          const before = await look(side);
          await load(people[index] ?? [], turnsOfCall);
          const spent = await since(before, side);
          const made = turnsOfCall * (people[index]?.length ?? 0);
          perCall[index] = ((spent.gateways - idleRate * side.length * spent.seconds) * 1_000) / made;
          if (index !== 1) continue;
          database = ((spent.database - idleDatabase * spent.seconds) * 1_000) / made;
          callsPerSecond = made / spent.seconds;
        }
        const [one = 0, two = 0, busy = 0] = perCall;
        measured.push({ one, two, busy, database, callsPerSecond });
      }
      const ratios = measured.map(({ one, two }) => two / one);
      const busyRatios = measured.map(({ one, busy }) => busy / one);
      results.push({
        call,
        what,
        one: median(measured.map(({ one }) => one)),
        two: median(measured.map(({ two }) => two)),
        database: median(measured.map(({ database }) => database)),
        callsPerSecond: median(measured.map(({ callsPerSecond }) => callsPerSecond)),
        ratio: median(ratios),
        spread: [Math.min(...ratios), Math.max(...ratios)],
        busy: median(measured.map(({ busy }) => busy)),
        busyRatio: median(busyRatios),
        busySpread: [Math.min(...busyRatios), Math.max(...busyRatios)],
      });
    }
    for (const caller of [first, ...people.flat()]) caller.close();
    return { idle: { gateway: idleRate * 1_000, database: (idleDatabase * 1_000) / gateways.length }, calls: results };
  } finally {
    for (const gateway of gateways) await gateway.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {readonly { origin: string }[]} side @param {number} caller */
const originOf = (side, caller) => side[caller % side.length]?.origin ?? "";

/** @param {string} origin */
async function createDataset(origin) {
  const caller = await Caller.signIn(origin, administrator);
  const inspected = await caller.call("POST", "/admin/datasets/internal/inspect", { path: "harbors/ports.csv" });
  const { dataset } = JSON.parse(inspected.text);
  const created = await caller.call("POST", "/admin/datasets/internal", {
    ...dataset,
    id: favorite.datasetId,
    category: favorite.datasetCategory,
  });
  if (created.status !== 201) throw new Error(`the dataset could not be created: ${created.text.slice(0, 500)}`);
  caller.close();
}
