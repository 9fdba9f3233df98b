// @ts-check
// Compares small signed-in calls with a minimal Fastify app under the same load.
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { Caller } from "./lib/caller.mjs";
import { startProgram } from "./lib/gateway-process.mjs";

/**
 * @typedef {object} SmallCallResult
 * @property {string} call
 * @property {string} what
 * @property {boolean} inMemory whether the response needs no database query
 * @property {number} ours calls per second in the best round
 * @property {number} hello
 * @property {number} ratio
 * @property {[number, number]} spread
 */

const calls = [
  {
    call: "GET /datasets/{category}/{datasetId}/schema",
    path: "/api/datasets/Aviation/airports/schema",
    what: "one query in PostgreSQL for its descriptions, 2 kB",
    inMemory: false,
  },
  { call: "GET /datasets", path: "/api/datasets", what: "the cached list of all, 4 kB", inMemory: true },
  { call: "GET /favorite/datasets", path: "/api/favorite/datasets", what: "one query in PostgreSQL", inMemory: false },
];

/**
 * @param {{ origin: string, rounds: number, seconds: number }} options
 * @returns {Promise<SmallCallResult[]>}
 */
export async function measureSmallCalls({ origin, rounds, seconds }) {
  const caller = await Caller.signIn(origin, "viewer");
  const headers = { authorization: `Bearer ${caller.token}` };
  const hello = await startProgram([fileURLToPath(new URL("hello.mjs", import.meta.url))]);
  const sides = [{ url: `${hello.origin}/api/hello` }, ...calls.map(({ path }) => ({ url: origin + path, headers }))];
  /** @type {number[][]} calls a second, by round and side */
  const measured = [];
  try {
    for (const side of sides) await load(side, 1);
    for (let round = 0; round < rounds; round++) {
      /** @type {number[]} */
      const rates = [];
      for (const side of sides) rates.push(await load(side, seconds));
      measured.push(rates);
    }
  } finally {
    caller.close();
    await hello.stop();
  }
  const best = (/** @type {number} */ side) => Math.max(...measured.map((rates) => rates[side] ?? 0));
  return calls.map(({ call, what, inMemory }, index) => {
    const ratios = measured.map((rates) => (rates[index + 1] ?? 0) / (rates[0] ?? 1));
    const [ours, theirs] = [best(index + 1), best(0)];
    return { call, what, inMemory, ours, hello: theirs, ratio: ours / theirs, spread: [Math.min(...ratios), Math.max(...ratios)] };
  });
}

/**
 * Answered calls per second.
 * @param {{ url: string, headers?: Record<string, string> }} side
 * @param {number} seconds
 */
async function load(side, seconds) {
  const result = await autocannon({ ...side, connections: 20, duration: seconds });
  if (result.non2xx + result.errors > 0) throw new Error(`${side.url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}
