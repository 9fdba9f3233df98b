// @ts-check
// 500 alerts, each checked once a minute, beside ten people who search 3 million rows.
import { setTimeout as sleep } from "node:timers/promises";
import { alertLimits } from "@fairway/contract/alerts";
import { measureBeside } from "./lib/beside.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { crowd } from "./platform.mjs";
import { airports, weekOfFlights } from "./search-cases.mjs";

const searchers = 10;
const owners = 10;
const dataset = { datasetCategory: "Aviation", datasetId: "flights" };
/** One search for each airport, over all rows. Half of the alerts count them, the others look for new ones. */
const conditions = [{ kind: "new-rows" }, { kind: "above", rows: 100_000_000 }, { kind: "new-rows" }, { kind: "changed", percent: 50 }];

/** @typedef {{ caller: Caller, id: string }} Alert */

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "alerts",
    title: "Alerts",
    needs: ["portal"],
    run: async ({ portal: { origin, pid }, many }) => {
      const callers = await Promise.all(crowd.slice(0, searchers + owners).map((username) => Caller.signIn(origin, username)));
      const admin = await Caller.signIn(origin, "admin");
      const checksDone = async () => Number(JSON.parse(expectOk(await admin.call("GET", "/admin/alerts")).text).checks);
      const ownCallers = callers.slice(searchers);
      for (const caller of ownCallers) await removeAlerts(caller);
      const before = await checksDone();
      const alerts = (await Promise.all(ownCallers.map((caller) => createAlerts(caller, many(50, 5))))).flat();
      while ((await checksDone()) < before + alerts.length) await sleep(500);
      // No alert is checked sooner again.
      await sleep(alertLimits.askSeconds * 1_000);
      const [rounds, seconds] = [many(5), many(15, 4)];
      let checks = 0;
      const measured = await measureBeside({
        pid,
        callers: callers.slice(0, searchers),
        call: (caller, turn) => {
          const filters = [{ name: "origin", operator: "=", value: airports[turn % airports.length] }];
          return caller.call("POST", "/datasets/Aviation/flights/search", { ...weekOfFlights(turn), filters });
        },
        pauseMs: 250,
        rounds,
        seconds,
        startLoad: async (round) => {
          const done = await checksDone();
          const stop = startChecks(alerts, round * seconds);
          return async () => {
            await stop();
            await sleep(1_000);
            checks += (await checksDone()) - done;
          };
        },
        maxRatio: 1.5,
        maxMs: Infinity,
      });
      for (const caller of ownCallers) await removeAlerts(caller);
      for (const caller of [...callers, admin]) caller.close();
      return {
        text: `${alerts.length} alerts over 3 million flights, half for new rows and half for the number of rows of a filter without a time range, each checked once a minute, evenly, while ten others search a week with pauses of 250 ms. Target: 95% of the searches take at most 1.5 times as long.`,
        ...measured,
        notes: [
          `${Math.round((checks * 60) / (rounds * seconds))} checks were done a minute; each took ${((measured.cpuSeconds * 1_000) / Math.max(1, checks)).toFixed(1)} ms of the gateway's CPU time, with the call that asked for it.`,
        ],
      };
    },
  },
];

/** Removes the alerts and searches of a run before. @param {Caller} caller */
async function removeAlerts(caller) {
  for (const { id } of JSON.parse(expectOk(await caller.call("GET", "/alerts")).text).alerts) await caller.call("DELETE", `/alerts/${id}`);
  for (const { queryName } of JSON.parse(expectOk(await caller.call("GET", "/favorite/queries")).text)) {
    await caller.call("DELETE", "/favorite/queries", { ...dataset, queryName });
  }
}

/** @param {Caller} caller @param {number} count @returns {Promise<Alert[]>} */
async function createAlerts(caller, count) {
  /** @type {string[]} */
  const searches = [];
  for (const queryName of airports) {
    const query = JSON.stringify({ filters: [{ name: "origin", operator: "=", value: queryName }] });
    searches.push(JSON.parse(expectOk(await caller.call("POST", "/favorite/queries", { ...dataset, queryName, query }), 201).text).id);
  }
  /** @type {Alert[]} */
  const own = [];
  for (let index = 0; index < count; index++) {
    const savedSearchId = searches[index % searches.length];
    const draft = { name: `Alert ${index}`, savedSearchId, condition: conditions[index % conditions.length], everyMinutes: 1_440 };
    own.push({ caller, id: JSON.parse(expectOk(await caller.call("POST", "/alerts", draft), 201).text).id });
  }
  return own;
}

/**
 * Makes alerts due at an even rate, each once a minute, as those are whose minutes are spread.
 * @param {readonly Alert[]} alerts
 * @param {number} fromSecond
 */
function startChecks(alerts, fromSecond) {
  const stopping = new AbortController();
  const work = (async () => {
    /** @type {Promise<unknown>[]} */
    const pending = [];
    for (let turn = Math.ceil((alerts.length * fromSecond) / 60); !stopping.signal.aborted; turn++) {
      const { caller, id } = /** @type {Alert} */ (alerts[(turn * 51) % alerts.length]);
      pending.push(caller.call("POST", `/alerts/${id}/check`));
      await sleep(60_000 / alerts.length);
    }
    await Promise.all(pending);
  })();
  return async () => {
    stopping.abort();
    await work;
  };
}
