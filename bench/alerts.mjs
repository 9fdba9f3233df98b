// @ts-check
// `node bench/alerts.mjs`, after a build: 500 alerts, each checked once a minute, beside ten people who search 3 million rows. Runs
// without and with the checks alternate, because other load on the machine changes over time.
import { setTimeout as sleep } from "node:timers/promises";
import { Caller, expectOk } from "./lib/caller.mjs";
import { cpuSeconds } from "./lib/cpu.mjs";
import { startGateway } from "./lib/gateway-process.mjs";
import { median, quantile } from "./lib/statistics.mjs";
import { tally } from "./lib/tally.mjs";
import { crowd } from "./platform.mjs";

const searchers = 10;
const owners = 10;
const alertsPerOwner = 50;
const alertsPerMinute = owners * alertsPerOwner;
const pauseMs = 250;
const rounds = 5;
const seconds = 15;
const day = 86_400_000;
const airports = ["ATL", "ORD", "DFW", "LAX", "PHX", "STL", "DTW", "MSP", "LAS", "BOS"];
const dataset = { datasetCategory: "Aviation", datasetId: "flights" };
/** One search for each airport, over all rows. Half of the alerts count them, the others look for new ones. */
const conditions = [{ kind: "new-rows" }, { kind: "above", rows: 100_000_000 }, { kind: "new-rows" }, { kind: "changed", percent: 50 }];

const people = searchers + owners;
const gateway = await startGateway();
try {
  const { origin, pid } = gateway;
  const callers = await Promise.all(crowd.slice(0, people).map((username) => Caller.signIn(origin, username)));
  const searching = callers.slice(0, searchers);
  const admin = await Caller.signIn(origin, "admin");
  const alerts = (await Promise.all(callers.slice(searchers).map(createAlerts))).flat();
  const checksDone = async () => Number(JSON.parse(expectOk(await admin.call("GET", "/admin/alerts")).text).checks);
  while ((await checksDone()) < alerts.length) await sleep(500);

  /** @type {{ alone: number[], beside: number[], aloneCpu: number, besideCpu: number, checks: number }[]} */
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await cpuOf(pid, () => search(searching));
    const before = await checksDone();
    const stopChecks = startChecks(alerts, round);
    const beside = await cpuOf(pid, () => search(searching));
    await stopChecks();
    await sleep(1_000);
    const checks = (await checksDone()) - before;
    measured.push({ alone: alone.times, beside: beside.times, aloneCpu: alone.cpu, besideCpu: beside.cpu, checks });
  }
  const ratios = measured.map(({ alone, beside }) => quantile(beside, 0.95) / quantile(alone, 0.95));
  const spread = (/** @type {number[][]} */ lists) => ({
    median: median(lists.map((list) => median(list))),
    p95: median(lists.map((list) => quantile(list, 0.95))),
  });
  const checks = measured.reduce((sum, round) => sum + round.checks, 0);
  const cpuMs = measured.map(({ aloneCpu, besideCpu, checks: done }) => ((besideCpu - aloneCpu) * 1_000) / done);
  console.log(
    JSON.stringify(
      {
        alerts: alerts.length,
        checksPerMinute: Math.round((checks * 60) / (rounds * seconds)),
        searches: measured.reduce((sum, { alone, beside }) => sum + alone.length + beside.length, 0),
        aloneMs: spread(measured.map(({ alone }) => alone)),
        besideMs: spread(measured.map(({ beside }) => beside)),
        p95Ratios: ratios.map((ratio) => Number(ratio.toFixed(2))),
        p95Ratio: Number(median(ratios).toFixed(2)),
        cpuMsPerCheck: Number(median(cpuMs).toFixed(1)),
      },
      null,
      2,
    ),
  );
  for (const caller of [...callers, admin]) caller.close();
} finally {
  await gateway.stop();
}

/**
 * The alerts of an owner, made again if they are there from a run before.
 * @param {Caller} caller
 */
async function createAlerts(caller) {
  for (const { id } of JSON.parse(expectOk(await caller.call("GET", "/alerts")).text).alerts) await caller.call("DELETE", `/alerts/${id}`);
  for (const { queryName } of JSON.parse(expectOk(await caller.call("GET", "/favorite/queries")).text)) {
    await caller.call("DELETE", "/favorite/queries", { ...dataset, queryName });
  }
  /** @type {string[]} */
  const searches = [];
  for (const value of airports) {
    const query = JSON.stringify({ filters: [{ name: "origin", operator: "=", value }] });
    searches.push((await created(caller, "/favorite/queries", { ...dataset, queryName: value, query })).id);
  }
  /** @type {{ caller: Caller, id: string }[]} */
  const own = [];
  for (let index = 0; index < alertsPerOwner; index++) {
    const draft = {
      name: `Alert ${index}`,
      savedSearchId: searches[index % searches.length],
      condition: conditions[index % conditions.length],
      everyMinutes: 1_440,
    };
    own.push({ caller, id: (await created(caller, "/alerts", draft)).id });
  }
  return own;
}

/**
 * @param {Caller} caller
 * @param {string} path
 * @param {object} draft
 * @returns {Promise<{ id: string }>}
 */
async function created(caller, path, draft) {
  const { status, text } = await caller.call("POST", path, draft);
  if (status !== 201) throw new Error(`answered ${status}: ${text}`);
  return JSON.parse(text);
}

/**
 * Makes alerts due at an even rate, each once a minute, as those are whose minutes are spread.
 * @param {{ caller: Caller, id: string }[]} alerts
 * @param {number} round
 */
function startChecks(alerts, round) {
  const stopping = new AbortController();
  const perRound = Math.ceil((alertsPerMinute * seconds) / 60);
  const work = (async () => {
    /** @type {Promise<unknown>[]} */
    const pending = [];
    for (let turn = round * perRound; !stopping.signal.aborted; turn++) {
      const { caller, id } = /** @type {{ caller: Caller, id: string }} */ (alerts[(turn * 51) % alerts.length]);
      pending.push(caller.call("POST", `/alerts/${id}/check`));
      await sleep(60_000 / alertsPerMinute);
    }
    await Promise.all(pending);
  })();
  return async () => {
    stopping.abort();
    await work;
  };
}

/** @param {readonly Caller[]} callers */
async function search(callers) {
  const counted = tally();
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    callers.map(async (caller, index) => {
      for (let turn = index; performance.now() < until; turn++) {
        const startMs = Date.UTC(2001, 0, 1 + ((turn * 7) % 150));
        const body = {
          timeRange: { start: new Date(startMs).toISOString(), end: new Date(startMs + 7 * day).toISOString() },
          filters: [{ name: "origin", operator: "=", value: airports[turn % airports.length] }],
          paging: { offset: 0, max: 25 },
        };
        await counted.time(() => caller.call("POST", "/datasets/Aviation/flights/search", body));
        await sleep(pauseMs);
      }
    }),
  );
  if (Object.keys(counted.responses).some((status) => status !== "200")) throw new Error(JSON.stringify(counted.responses));
  return counted.times;
}

/**
 * @param {number} pid
 * @param {() => Promise<number[]>} work
 */
async function cpuOf(pid, work) {
  const before = await cpuSeconds(pid);
  const times = await work();
  return { times, cpu: (await cpuSeconds(pid)) - before };
}
