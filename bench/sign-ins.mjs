// @ts-check
// Compares sign-ins per second with bare password checks, with the same package, parameters and concurrency.
import { demoPassword } from "@fairway/contract/api";
import { argon2 } from "./lib/gateway-modules.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { median } from "./lib/statistics.mjs";

/** @typedef {{ ours: number, bare: number, ratio: number, spread: [number, number] }} SignInResult a second */

const people = 8;
/** Default of `limits.passwordChecksAtOnce`. */
const checksAtOnce = 2;

/**
 * @param {{ origin: string, rounds: number, seconds: number }} options
 * @returns {Promise<SignInResult>}
 */
export async function measureSignIns({ origin, rounds, seconds }) {
  const callers = Array.from({ length: people }, () => new Caller(origin));
  const encoded = await argon2.hash(demoPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const signIn = async (/** @type {number} */ lane) => {
    expectOk(await /** @type {Caller} */ (callers[lane]).call("POST", "/auth/login", { username: "viewer", password: demoPassword }));
  };
  const compare = async () => {
    if (!(await argon2.verify(encoded, demoPassword))) throw new Error("the password does not match itself");
  };
  await ratePerSecond(signIn, people, 1);
  /** @type {{ ours: number, bare: number }[]} */
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    measured.push({ ours: await ratePerSecond(signIn, people, seconds), bare: await ratePerSecond(compare, checksAtOnce, seconds) });
  }
  for (const caller of callers) caller.close();
  const ratios = measured.map(({ ours, bare }) => ours / bare);
  return {
    ours: median(measured.map(({ ours }) => ours)),
    bare: median(measured.map(({ bare }) => bare)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/**
 * Runs `work` in parallel lanes, each repeating it without a pause, and returns the number of runs per second.
 * @param {(lane: number) => Promise<void>} work
 * @param {number} lanes
 * @param {number} seconds
 */
async function ratePerSecond(work, lanes, seconds) {
  const started = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() - started < seconds * 1_000) {
        await work(lane);
        done++;
      }
    }),
  );
  return done / ((performance.now() - started) / 1_000);
}
