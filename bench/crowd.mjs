// @ts-check
// 64 users search continuously, one query after another each, while others keep signing in.
import { setTimeout as sleep } from "node:timers/promises";
import { demoPassword } from "@fairway/contract/api";
import { Caller } from "./lib/caller.mjs";
import { spreadOf, tally } from "./lib/tally.mjs";
import { crowd } from "./platform.mjs";
import { searchBody, searchCases } from "./search-cases.mjs";

const loginIntervalMs = 100;

/**
 * @typedef {object} CrowdResult
 * @property {number} people
 * @property {number} seconds
 * @property {number} searches
 * @property {Record<string, number>} responses counts by status; `broken` means no response
 * @property {{ median: number, p99: number, slowest: number }} searchMs
 * @property {number} logins
 * @property {Record<string, number>} loginResponses
 * @property {{ median: number, p99: number, slowest: number }} loginMs
 */

/**
 * @param {{ origin: string, seconds: number }} options
 * @returns {Promise<CrowdResult>}
 */
export async function measureCrowd({ origin, seconds }) {
  const people = await Promise.all(crowd.map((username) => Caller.signIn(origin, username)));
  const until = performance.now() + seconds * 1_000;
  const searches = tally();
  const logins = tally();
  const searching = people.map(async (caller, person) => {
    for (let turn = person; performance.now() < until; turn++) {
      const searchCase = searchCases[turn % searchCases.length];
      if (searchCase === undefined) throw new Error("there are no search cases");
      await searches.time(() => caller.call("POST", searchCase.path, searchBody(searchCase.params(turn), searchCase)));
    }
  });
  const signingIn = (async () => {
    /** @type {Promise<void>[]} */
    const pending = [];
    // At a fixed rate, whether or not the previous sign-in has finished.
    for (let turn = 0; performance.now() < until; turn++) {
      const caller = new Caller(origin);
      const body = { username: crowd[turn % crowd.length], password: demoPassword };
      pending.push(logins.time(() => caller.call("POST", "/auth/login", body)).finally(() => caller.close()));
      await sleep(loginIntervalMs);
    }
    await Promise.all(pending);
  })();
  await Promise.all([...searching, signingIn]);
  for (const caller of people) caller.close();
  return {
    people: people.length,
    seconds,
    searches: searches.times.length,
    responses: searches.responses,
    searchMs: spreadOf(searches.times),
    logins: logins.times.length,
    loginResponses: logins.responses,
    loginMs: spreadOf(logins.times),
  };
}
