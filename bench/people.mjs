// @ts-check
// Many people who search, think, and search again, each with an own account, session and connection, as their tabs do.
import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { checkout } from "../scripts/lib/checkout.mjs";
import { Caller } from "./lib/caller.mjs";
import { cpuSeconds, cpuSecondsOfTree } from "./lib/cpu.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { median, quantile } from "./lib/statistics.mjs";
import { memoryOf } from "./memory.mjs";

const day = 86_400_000;
const flights = "/datasets/Aviation/flights";
const span = { startMs: Date.UTC(2001, 0, 1), days: 180 };
const airports = ["ATL", "ORD", "DFW", "LAX", "PHX", "STL", "DTW", "MSP", "LAS", "BOS", "DEN", "IAH"];
const pollMs = 60_000;
const signInsAtOnce = 8;

/** @param {number} index */
export const usernameOf = (index) => `person-${index + 1}`;

/**
 * @typedef {object} CallSpread
 * @property {string} name
 * @property {number} count
 * @property {number} median milliseconds, like the others
 * @property {number} p95
 * @property {number} p99
 *
 * @typedef {object} PeopleResult
 * @property {number} people
 * @property {number} thinkSeconds mean of the exponentially distributed pauses
 * @property {number} seconds that were measured
 * @property {CallSpread[]} calls
 * @property {Record<string, number>} responses by status, or by the reason why there was none
 * @property {number} resent calls that were sent again because the connection had been closed while it was idle
 * @property {number} signInCpuMs of the gateway, per sign-in
 * @property {number} gatewayCores CPU seconds of the gateway per second
 * @property {number} databaseCores
 * @property {number} cpuMsPerAction of the gateway, with the polls
 * @property {number} actions
 * @property {{ gateway: number, postgres: number } | undefined} memory MB before anybody signed in
 * @property {{ gateway: number, postgres: number } | undefined} memoryAfter
 * @property {number} queueWaitMs mean wait for a slot of the engine
 * @property {number} loopLagMs largest 99th percentile of the event loop's delay between two looks at it
 * @property {number} connectionsBusy most connections to the database that were busy at a look
 */

/** @typedef {{ caller: Caller, index: number, random: () => number, time: (name: string, call: () => Promise<import("./lib/caller.mjs").ApiResponse>) => Promise<string> }} Person */

/** @type {{ name: string, share: number, run: (person: Person) => Promise<void> }[]} */
const actions = [
  {
    name: "search",
    share: 62,
    run: async ({ caller, random, time }) => {
      const search = weekOf(random);
      // As the web app does: the rows and their count at the same time.
      await Promise.all([
        time("page of a week", () => caller.call("POST", `${flights}/search`, { ...search, sort: newest, paging: { offset: 0, max: 25 } })),
        time("count of a week", () => caller.call("POST", `${flights}/aggregate/count/*`, search)),
      ]);
    },
  },
  {
    name: "next page",
    share: 20,
    run: async ({ caller, random, time }) => {
      const body = { ...weekOf(random), sort: newest, paging: { offset: 25, max: 25 } };
      await time("next page", () => caller.call("POST", `${flights}/search`, body));
    },
  },
  {
    name: "graph",
    share: 8,
    run: async ({ caller, random, time }) => {
      const { timeRange, filters } = weekOf(random);
      const startMs = Date.parse(timeRange.start);
      const groups = Array.from({ length: 7 }, (_, index) => ({ id: String(index), timeRange: rangeOf(startMs + index * day, day) }));
      const body = {
        search: { filters },
        groups,
        aggregations: [
          { aggregation: "count", column: "*" },
          { aggregation: "avg", column: "delay" },
        ],
      };
      await time("graph of a week by day", () => caller.call("POST", `${flights}/aggregate`, body));
    },
  },
  {
    name: "dataset",
    share: 7,
    run: async ({ caller, time }) => {
      await time("description of a dataset", () => caller.call("GET", `${flights}/describe`));
    },
  },
  {
    name: "save",
    share: 3,
    run: async ({ caller, time }) => {
      const dataset = { datasetCategory: "Aviation", datasetId: "flights" };
      await time("a favorite", () => caller.call("POST", "/favorite/datasets", dataset));
    },
  },
];
const newest = [{ column: "date", direction: "desc" }];
const totalShare = actions.reduce((sum, { share }) => sum + share, 0);

/** @param {() => number} random */
function weekOf(random) {
  const startMs = span.startMs + Math.floor(random() * (span.days - 7)) * day;
  const value = airports[Math.floor(random() * airports.length)] ?? "";
  return { timeRange: rangeOf(startMs, 7 * day), filters: [{ name: "origin", operator: "=", value }] };
}

/** @param {number} startMs @param {number} ms */
const rangeOf = (startMs, ms) => ({ start: new Date(startMs).toISOString(), end: new Date(startMs + ms).toISOString() });

/**
 * @param {{ people: number, thinkSeconds: number, seconds: number }} options
 * @returns {Promise<PeopleResult>}
 */
export async function measurePeople({ people, thinkSeconds, seconds }) {
  const home = `${checkout}/.build/bench-people`;
  const portal = fileURLToPath(new URL("people-portal.mjs", import.meta.url));
  const gateway = await startProgram(["--enable-source-maps", portal], {
    FAIRWAY_HOME: home,
    FAIRWAY_BENCH_PEOPLE: String(people),
    LOG_LEVEL: "warn",
    UV_THREADPOOL_SIZE: "16",
  });
  const stopping = new AbortController();
  // Everybody waits for it.
  setMaxListeners(0, stopping.signal);
  try {
    const postmaster = Number((await readFile(`${home}/postgres/data/postmaster.pid`, "utf8")).split("\n")[0]);
    const memory = await memoryOf(gateway.pid);
    const beforeSignIns = await cpuSeconds(gateway.pid);
    const callers = await signInAll(gateway.origin, people);
    const signInCpuMs = ((await cpuSeconds(gateway.pid)) - beforeSignIns) * (1_000 / people);

    let isMeasured = false;
    /** @type {Map<string, number[]>} */
    const times = new Map();
    /** @type {Record<string, number>} */
    const responses = {};
    let done = 0;
    /** @type {Person["time"]} */
    const time = async (name, call) => {
      const started = performance.now();
      const status = await call().then(
        (response) => String(response.status),
        (/** @type {NodeJS.ErrnoException} */ error) => `broken: ${error.code ?? error.message}`,
      );
      if (isMeasured) {
        times.set(name, [...(times.get(name) ?? []), performance.now() - started]);
        responses[status] = (responses[status] ?? 0) + 1;
      }
      return status;
    };
    const work = callers.map(async (caller, index) => {
      const person = { caller, index, random: randomOf(index + 1), time };
      const pause = (/** @type {number} */ ms) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
      const polling = (async () => {
        await pause(person.random() * pollMs);
        while (!stopping.signal.aborted) {
          await time("poll for notifications", () => caller.call("GET", "/notifications"));
          await pause(pollMs);
        }
      })();
      await pause(person.random() * thinkSeconds * 1_000);
      while (!stopping.signal.aborted) {
        await choose(person.random()).run(person);
        if (isMeasured) done += 1;
        await pause(Math.min(-Math.log(1 - person.random()), 5) * thinkSeconds * 1_000);
      }
      await polling;
      caller.close();
    });
    await sleep(thinkSeconds * 1_000);

    const look = async () => ({
      gateway: await cpuSeconds(gateway.pid),
      database: await cpuSecondsOfTree(postmaster),
      metrics: await metricsOf(gateway.origin),
      ms: performance.now(),
    });
    const before = await look();
    const resentBefore = Caller.resent;
    isMeasured = true;
    let [loopLagMs, connectionsBusy] = [0, 0];
    while (performance.now() - before.ms < seconds * 1_000) {
      await sleep(5_000);
      const metrics = await metricsOf(gateway.origin);
      loopLagMs = Math.max(loopLagMs, (metrics["fairway_nodejs_eventloop_lag_p99_seconds"] ?? 0) * 1_000);
      connectionsBusy = Math.max(connectionsBusy, metrics["fairway_database_connections_busy"] ?? 0);
    }
    isMeasured = false;
    const after = await look();
    const memoryAfter = await memoryOf(gateway.pid);
    stopping.abort();
    await Promise.all(work);
    const elapsed = (after.ms - before.ms) / 1_000;
    const grown = (/** @type {string} */ name) => (after.metrics[name] ?? 0) - (before.metrics[name] ?? 0);
    return {
      people,
      thinkSeconds,
      seconds: elapsed,
      calls: [...times].map(([name, list]) => ({
        name,
        count: list.length,
        median: median(list),
        p95: quantile(list, 0.95),
        p99: quantile(list, 0.99),
      })),
      responses,
      resent: Caller.resent - resentBefore,
      signInCpuMs,
      gatewayCores: (after.gateway - before.gateway) / elapsed,
      databaseCores: (after.database - before.database) / elapsed,
      cpuMsPerAction: ((after.gateway - before.gateway) * 1_000) / done,
      actions: done,
      memory,
      memoryAfter,
      queueWaitMs: (grown("fairway_engine_queue_wait_seconds_sum") / grown("fairway_engine_queue_wait_seconds_count")) * 1_000,
      loopLagMs,
      connectionsBusy,
    };
  } finally {
    stopping.abort();
    await gateway.stop();
  }
}

/** @param {string} origin @param {number} people */
async function signInAll(origin, people) {
  /** @type {Caller[]} */
  const callers = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: signInsAtOnce }, async () => {
      while (next < people) {
        const index = next++;
        callers[index] = await Caller.signIn(origin, usernameOf(index));
      }
    }),
  );
  return callers;
}

/** @param {number} value from 0 to 1 */
function choose(value) {
  let left = value * totalShare;
  const chosen = actions.find(({ share }) => (left -= share) < 0) ?? actions[0];
  if (chosen === undefined) throw new Error("there are no actions");
  return chosen;
}

/**
 * The same numbers in every run. Park and Miller's generator.
 * @param {number} seed
 */
function randomOf(seed) {
  let state = (seed * 7_919) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * Sums of the samples of each metric.
 * @param {string} origin
 */
async function metricsOf(origin) {
  const text = await (await fetch(`${origin}/api/metrics`)).text();
  /** @type {Record<string, number>} */
  const values = {};
  for (const line of text.split("\n")) {
    const [, name, value] = /^(\w+)(?:\{[^}]*\})? (\S+)$/.exec(line) ?? [];
    if (name !== undefined) values[name] = (values[name] ?? 0) + Number(value);
  }
  return values;
}
