// @ts-check
// One user exceeds their share while ten others run small searches. Measures the effect on the others, and the cost of the
// guards for a call that does not need them.
import { setTimeout as sleep } from "node:timers/promises";
import { defaultLimits } from "@fairway/contract/limits";
import { CallRate } from "@fairway/gateway/identity/call-rate";
import { Slots } from "@fairway/gateway/query/slots";
import { Caller, expectOk } from "./lib/caller.mjs";
import { median, quantile } from "./lib/statistics.mjs";
import { spreadOf, tally } from "./lib/tally.mjs";
import { crowd } from "./platform.mjs";

const heavyCalls = 50;
const people = 10;
const pauseMs = 250;
/** Time for the heavy calls to fill their owner's share and queue. */
const settleMs = 12_000;
/** Concurrent calls per caller. */
const callsPerCaller = 2;

/**
 * @typedef {{ median: number, p95: number, slowest: number }} Spread
 * @typedef {object} FairnessResult
 * @property {number} heavyCalls
 * @property {number} people
 * @property {number} seconds of each half of a round
 * @property {number} rounds
 * @property {Record<string, number>} heavyResponses
 * @property {Record<string, number>} aloneResponses
 * @property {Record<string, number>} loadedResponses
 * @property {Spread} alone values of the median round
 * @property {Spread} loaded
 * @property {number[]} ratios of the 95th percentiles, by round
 * @property {number} slowest search of all rounds during the heavy calls
 * @property {{ guardMicroseconds: number, callMicroseconds: number, share: number }} guards
 */

/** Groups of uneven lengths, which need many scans. */
const batch = {
  search: {},
  groups: Array.from({ length: 5_000 }, (_, index) => {
    const startMs = Date.UTC(1990, 0, 1) + index * 3_600_000;
    const endMs = startMs + (1 + (index % 7)) * 600_000;
    return { id: String(index), timeRange: { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() } };
  }),
  aggregations: [{ aggregation: "count", column: "*" }],
};

/** @param {number} turn */
const smallSearch = (turn) => {
  const startMs = Date.UTC(2001, 0, 1 + ((turn * 7) % 150));
  return {
    timeRange: { start: new Date(startMs).toISOString(), end: new Date(startMs + 7 * 86_400_000).toISOString() },
    paging: { offset: 0, max: 25 },
  };
};

/**
 * Alternates between runs without and with heavy calls, because other load on the machine changes over time.
 * @param {{ origin: string, seconds: number, rounds: number }} options
 * @returns {Promise<FairnessResult>}
 */
export async function measureFairness({ origin, seconds, rounds }) {
  const callers = await Promise.all(crowd.slice(0, people).map((username) => Caller.signIn(origin, username)));
  const guards = await guardCost(callers[0]);
  const heavy = tally();
  /** @type {{ alone: Spread, loaded: Spread }[]} */
  const spreads = [];
  /** @type {Record<string, number>[]} */
  const aloneResponses = [];
  /** @type {Record<string, number>[]} */
  const loadedResponses = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await smallSearches(callers, seconds);
    const stopHeavyLoad = await startHeavyLoad(origin, heavy);
    await sleep(settleMs);
    const loaded = await smallSearches(callers, seconds);
    await stopHeavyLoad();
    spreads.push({ alone: spread95(alone.times), loaded: spread95(loaded.times) });
    aloneResponses.push(alone.responses);
    loadedResponses.push(loaded.responses);
  }
  for (const caller of callers) caller.close();
  return {
    heavyCalls,
    people,
    seconds,
    rounds,
    heavyResponses: heavy.responses,
    aloneResponses: sumCounts(aloneResponses),
    loadedResponses: sumCounts(loadedResponses),
    alone: medianRound(spreads.map(({ alone }) => alone)),
    loaded: medianRound(spreads.map(({ loaded }) => loaded)),
    ratios: spreads.map(({ alone, loaded }) => loaded.p95 / alone.p95).toSorted((one, other) => one - other),
    slowest: Math.max(...spreads.map(({ loaded }) => loaded.slowest)),
    guards,
  };
}

/** @param {readonly number[]} times */
const spread95 = (times) => ({ median: median(times), p95: quantile(times, 0.95), slowest: spreadOf(times).slowest });

/**
 * The median of each value over the rounds.
 * @param {readonly Spread[]} spreads
 */
const medianRound = (spreads) => ({
  median: median(spreads.map((spread) => spread.median)),
  p95: median(spreads.map(({ p95 }) => p95)),
  slowest: median(spreads.map(({ slowest }) => slowest)),
});

/** @param {readonly Record<string, number>[]} counts */
function sumCounts(counts) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const count of counts) for (const [response, times] of Object.entries(count)) sum[response] = (sum[response] ?? 0) + times;
  return sum;
}

/**
 * @param {readonly Caller[]} callers
 * @param {number} seconds
 */
async function smallSearches(callers, seconds) {
  const counted = tally();
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    callers.map(async (caller, index) => {
      for (let turn = index; performance.now() < until; turn++) {
        await counted.time(() => caller.call("POST", "/datasets/Aviation/flights/search", smallSearch(turn)));
        await sleep(pauseMs);
      }
    }),
  );
  return counted;
}

/**
 * Runs the heavy calls of one user continuously, retrying refused ones after a pause. Returns a function to stop.
 * @param {string} origin
 * @param {ReturnType<typeof tally>} counted
 */
async function startHeavyLoad(origin, counted) {
  const first = await Caller.signIn(origin, crowd[people] ?? "");
  const callers = Array.from({ length: heavyCalls / callsPerCaller }, () => new Caller(origin, first.token));
  const stop = new AbortController();
  const loops = callers.flatMap((caller) =>
    Array.from({ length: callsPerCaller }, async () => {
      while (!stop.signal.aborted) {
        await counted.time(() => caller.call("POST", "/datasets/Tropical%20weather/storm-tracks/aggregate", batch));
        await sleep(pauseMs);
      }
    }),
  );
  return async () => {
    stop.abort();
    // The gateway abandons calls whose connection is closed.
    for (const caller of [first, ...callers]) caller.close();
    await Promise.all(loops);
  };
}

/**
 * Compares the cost of the rate limit and of acquiring a free slot with a small call over HTTP, in alternation.
 * @param {Caller | undefined} caller
 */
async function guardCost(caller) {
  if (caller === undefined) throw new Error("there is no caller");
  const { engineSlots, engineSlotsPerUser, engineQueue, engineQueuePerUser, engineWaitMs } = defaultLimits;
  const limits = { perOwner: engineSlotsPerUser, queue: engineQueue, queuePerOwner: engineQueuePerUser, waitMs: engineWaitMs };
  const slots = new Slots(
    Array.from({ length: engineSlots }, (_, slot) => slot),
    limits,
    { subject: "The query engine", work: "queries" },
  );
  const rate = new CallRate(1_000_000_000);
  const call = { signal: new AbortController().signal, owner: "reader" };
  const rounds = 5;
  const guardedTurns = 20_000;
  const calls = 200;
  /** @type {number[]} */
  const guardTimes = [];
  /** @type {number[]} */
  const callTimes = [];
  for (let round = 0; round < rounds; round++) {
    const guardsStarted = performance.now();
    for (let index = 0; index < guardedTurns; index++) {
      rate.count(`reader-${index % 64}`, "Your account");
      await slots.use(call, () => Promise.resolve(index));
    }
    guardTimes.push(((performance.now() - guardsStarted) * 1_000) / guardedTurns);
    const callsStarted = performance.now();
    for (let index = 0; index < calls; index++) expectOk(await caller.call("GET", "/datasets/Aviation/airports/schema"));
    callTimes.push(((performance.now() - callsStarted) * 1_000) / calls);
  }
  const [guardMicroseconds, callMicroseconds] = [Math.min(...guardTimes), Math.min(...callTimes)];
  return { guardMicroseconds, callMicroseconds, share: guardMicroseconds / callMicroseconds };
}
