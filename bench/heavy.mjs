// @ts-check
// Sixteen users keep every slot of the engine busy with slow queries. Measures other users' calls meanwhile, and how fast the
// engine stops an abandoned query.
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { demoPassword } from "@fairway/contract/api";
import { Caller, expectOk } from "./lib/caller.mjs";
import { spreadOf, tally } from "./lib/tally.mjs";
import { crowd } from "./platform.mjs";

const people = 16;
const path = "/datasets/Measurements/positions/search";
/** A sort of all twenty million rows by two columns. */
const heavy = {
  paging: { offset: 0, max: 25 },
  sort: [
    { column: "port", direction: "asc" },
    { column: "speed", direction: "desc" },
  ],
};
const pauseMs = 100;

/**
 * @typedef {{ median: number, p99: number, slowest: number }} Spread
 * @typedef {object} HeavyResult
 * @property {number} people
 * @property {number} seconds
 * @property {Record<string, number>} responses of the heavy searches
 * @property {Spread} searchMs
 * @property {Record<string, number>} smallResponses
 * @property {Spread} smallMs
 * @property {Record<string, number>} loginResponses
 * @property {Spread} loginMs
 * @property {Spread} cancelMs from the caller's disconnect until the engine is idle
 */

/**
 * @param {{ origin: string, seconds: number }} options
 * @returns {Promise<HeavyResult>}
 */
export async function measureHeavy({ origin, seconds }) {
  const callers = await Promise.all(crowd.slice(0, people).map((username) => Caller.signIn(origin, username)));
  const [searches, small, logins] = [tally(), tally(), tally()];
  const until = performance.now() + seconds * 1_000;
  /** @param {() => Promise<void>} call */
  const atFixedRate = async (call) => {
    /** @type {Promise<void>[]} */
    const pending = [];
    for (; performance.now() < until; await sleep(pauseMs)) pending.push(call());
    await Promise.all(pending);
  };
  const bystander = await Caller.signIn(origin, "viewer");
  await Promise.all([
    ...callers.map(async (caller) => {
      while (performance.now() < until) await searches.time(() => caller.call("POST", path, heavy));
    }),
    atFixedRate(() => small.time(() => bystander.call("GET", "/datasets"))),
    atFixedRate(() => {
      const caller = new Caller(origin);
      return logins
        .time(() => caller.call("POST", "/auth/login", { username: "viewer", password: demoPassword }))
        .finally(() => caller.close());
    }),
  ]);
  for (const caller of [...callers, bystander]) caller.close();
  const cancelMs = await measureCancel(origin);
  return {
    people,
    seconds,
    responses: searches.responses,
    searchMs: spreadOf(searches.times),
    smallResponses: small.responses,
    smallMs: spreadOf(small.times),
    loginResponses: logins.responses,
    loginMs: spreadOf(logins.times),
    cancelMs: spreadOf(cancelMs),
  };
}

/** @param {string} origin */
async function measureCancel(origin) {
  const operator = await Caller.signIn(origin, "admin");
  const running = async () => {
    const { text } = expectOk(await operator.call("GET", "/metrics"));
    return Number(/^fairway_engine_running_queries (\d+)/m.exec(text)?.[1]);
  };
  /** @type {number[]} */
  const times = [];
  for (let turn = 0; turn < 12; turn++) {
    const leaving = new AbortController();
    const headers = { "content-type": "application/json", authorization: `Bearer ${operator.token}` };
    const call = request(`${origin}/api${path}`, { method: "POST", headers, signal: leaving.signal });
    call.on("error", () => {});
    call.end(JSON.stringify(heavy));
    while ((await running()) === 0) await sleep(5);
    // Abort in the middle of the query, not at its start.
    await sleep(100);
    const abortedAt = performance.now();
    leaving.abort();
    while ((await running()) > 0) await sleep(2);
    times.push(performance.now() - abortedAt);
  }
  operator.close();
  return times;
}
