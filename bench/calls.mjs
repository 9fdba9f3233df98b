// @ts-check
// Small calls, sign-ins and keys, each compared with the least that such an answer takes.
import { fileURLToPath } from "node:url";
import { demoPassword } from "@fairway/contract/api";
import autocannon from "autocannon";
import { Caller, expectOk } from "./lib/caller.mjs";
import { argon2 } from "./lib/gateway-modules.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { compared, comparedHead, range, ratio, verdict } from "./lib/report.mjs";
import { median } from "./lib/statistics.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { weekOfFlights } from "./search-cases.mjs";

/** Answers that need no database have to reach the target. */
const smallCalls = [
  { path: "/datasets/Aviation/airports/schema", what: "one query in PostgreSQL for its descriptions, 2 kB", inMemory: false },
  { path: "/datasets", what: "the cached list of all, 4 kB", inMemory: true },
  { path: "/favorite/datasets", what: "one query in PostgreSQL", inMemory: false },
];
const minRate = 0.3;

const people = 8;
/** Default of `limits.passwordChecksAtOnce`. */
const checksAtOnce = 2;

const flights = "/datasets/Aviation/flights";
const keyName = "measured";
/** @type {readonly { question: string, method: string, path: string, body: (turn: number) => unknown }[]} */
const keyQuestions = [
  { question: "sample of 25 flights", method: "GET", path: `${flights}/sample`, body: () => undefined },
  { question: "page of 25 flights of a week", method: "POST", path: `${flights}/search`, body: weekOfFlights },
];

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "smallCalls",
    title: "Small calls",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const caller = await Caller.signIn(origin, "viewer");
      const hello = await startProgram([fileURLToPath(new URL("hello.mjs", import.meta.url))]);
      const headers = { authorization: `Bearer ${caller.token}` };
      const sides = [{ url: `${hello.origin}/api/hello` }, ...smallCalls.map(({ path }) => ({ url: `${origin}/api${path}`, headers }))];
      /** Answered calls per second, by round and side. @type {number[][]} */
      const rates = [];
      try {
        for (let round = -1; round < many(5); round++) {
          /** @type {number[]} */
          const measured = [];
          for (const side of sides) measured.push(await answeredPerSecond(side, round < 0 ? 1 : many(3)));
          // The first one compiles.
          if (round >= 0) rates.push(measured);
        }
      } finally {
        caller.close();
        await hello.stop();
      }
      const best = (/** @type {number} */ side) => Math.max(...rates.map((round) => round[side] ?? 0));
      return {
        text: `Target: at least ${minRate} times the calls per second of a minimal Fastify app, if the response needs no database.`,
        head: ["call", "answered from", "calls per second", "hello", "ratio", "ratio by round", "target"],
        rows: smallCalls.map(({ path, what, inMemory }, index) => {
          const [ours, theirs, ratios] = [best(index + 1), best(0), rates.map((round) => (round[index + 1] ?? 0) / (round[0] ?? 1))];
          const reached = inMemory ? verdict(ours / theirs >= minRate) : "–";
          const spread = range([Math.min(...ratios), Math.max(...ratios)]);
          return [`\`GET ${path}\``, what, ours.toFixed(0), theirs.toFixed(0), ratio(ours / theirs), spread, reached];
        }),
      };
    },
  },
  {
    name: "apiKeys",
    title: "With an API key",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const user = await Caller.signIn(origin, "editor");
      // Left over from an interrupted run.
      await user.call("DELETE", `/apiKeys/${keyName}`);
      const draft = { name: keyName, datasets: [{ datasetCategory: "Aviation", datasetId: "flights" }] };
      const program = new Caller(origin, JSON.parse(expectOk(await user.call("POST", "/apiKeys", draft), 201).text).key);
      const rows = [];
      for (const { question, method, path, body } of keyQuestions) {
        const ask = (/** @type {Caller} */ caller) => async (/** @type {number} */ turn) =>
          void expectOk(await caller.call(method, path, body(turn)));
        for (const caller of [user, program]) for (let turn = 0; turn < 10; turn++) await ask(caller)(turn);
        // A key may make 600 calls a minute.
        const times = await compareInTurns({ rounds: many(5), turns: 25 }, ask(program), ask(user));
        rows.push([question, ...compared(times), verdict(times.ours <= 1.1 * times.theirs + 0.5)]);
      }
      program.close();
      await user.call("DELETE", `/apiKeys/${keyName}`);
      user.close();
      return {
        text: "Target: at most 1.1 times the same call with a user's access token plus half a millisecond.",
        head: ["question", ...comparedHead("key", "token"), "target"],
        rows,
      };
    },
  },
  {
    name: "signIns",
    title: "Signing in",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const callers = Array.from({ length: people }, () => new Caller(origin));
      const encoded = await argon2.hash(demoPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
      const signIn = async (/** @type {number} */ lane) =>
        void expectOk(
          await /** @type {Caller} */ (callers[lane]).call("POST", "/auth/login", { username: "viewer", password: demoPassword }),
        );
      const check = async () => {
        if (!(await argon2.verify(encoded, demoPassword))) throw new Error("the password does not match itself");
      };
      await ratePerSecond(signIn, people, 1);
      /** @type {{ ours: number, bare: number }[]} */
      const measured = [];
      while (measured.length < many(5)) {
        const ours = await ratePerSecond(signIn, people, many(4));
        measured.push({ ours, bare: await ratePerSecond(check, checksAtOnce, many(4)) });
      }
      for (const caller of callers) caller.close();
      const ratios = measured.map(({ ours, bare }) => ours / bare);
      const rate = (/** @type {"ours" | "bare"} */ side) => median(measured.map((round) => round[side])).toFixed(0);
      const spread = range([Math.min(...ratios), Math.max(...ratios)]);
      return {
        text: "Eight users sign in continuously, compared with bare Argon2 checks of the same password, two at a time like the gateway. Target: at least 0.7 of that rate.",
        head: ["sign-ins per second", "bare checks per second", "ratio", "ratio by round", "target"],
        rows: [[rate("ours"), rate("bare"), ratio(median(ratios)), spread, verdict(median(ratios) >= 0.7)]],
      };
    },
  },
];

/**
 * @param {{ url: string, headers?: Record<string, string> }} side
 * @param {number} seconds
 */
async function answeredPerSecond(side, seconds) {
  const result = await autocannon({ ...side, connections: 20, duration: seconds });
  if (result.non2xx + result.errors > 0) throw new Error(`${side.url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
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
      for (; performance.now() - started < seconds * 1_000; done++) await work(lane);
    }),
  );
  return done / ((performance.now() - started) / 1_000);
}
