// @ts-check
// 64 people search without a pause, each one question after the other, while others keep signing in.
import { setTimeout as sleep } from "node:timers/promises";
import { demoPassword } from "@fairway/contract/api";
import { Caller } from "./lib/caller.mjs";
import { spreadOf, tally } from "./lib/tally.mjs";
import { crowd } from "./platform.mjs";
import { searchBody, searchCases } from "./search-cases.mjs";

const loginEveryMs = 100;

/**
 * @typedef {object} CrowdResult
 * @property {number} people
 * @property {number} seconds
 * @property {number} searches
 * @property {Record<string, number>} answers how many by status; `broken` had no answer at all
 * @property {{ median: number, p99: number, slowest: number }} searchMs
 * @property {number} logins
 * @property {Record<string, number>} loginAnswers
 * @property {{ median: number, p99: number, slowest: number }} loginMs
 */

/**
 * @param {{ origin: string, seconds: number }} parts
 * @returns {Promise<CrowdResult>}
 */
export async function measureCrowd({ origin, seconds }) {
  const people = await Promise.all(crowd.map((username) => Caller.signIn(origin, username)));
  const until = performance.now() + seconds * 1_000;
  const searches = tally();
  const logins = tally();
  const searching = people.map(async (caller, person) => {
    for (let turn = person; performance.now() < until; turn++) {
      const one = searchCases[turn % searchCases.length];
      if (one === undefined) throw new Error("there is nothing to ask");
      await searches.time(() => caller.call("POST", one.path, searchBody(one.asked(turn), one)));
    }
  });
  const signingIn = (async () => {
    /** @type {Promise<void>[]} */
    const underWay = [];
    // By the clock, whether or not the last one is through: people do not wait for each other.
    for (let turn = 0; performance.now() < until; turn++) {
      const caller = new Caller(origin);
      const body = { username: crowd[turn % crowd.length], password: demoPassword };
      underWay.push(logins.time(() => caller.call("POST", "/auth/login", body)).finally(() => caller.close()));
      await sleep(loginEveryMs);
    }
    await Promise.all(underWay);
  })();
  await Promise.all([...searching, signingIn]);
  for (const caller of people) caller.close();
  return {
    people: people.length,
    seconds,
    searches: searches.times.length,
    answers: searches.answers,
    searchMs: spreadOf(searches.times),
    logins: logins.times.length,
    loginAnswers: logins.answers,
    loginMs: spreadOf(logins.times),
  };
}
