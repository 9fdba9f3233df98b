// @ts-check
// Many people at once, and what one of them can do to the others.
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { demoPassword } from "@fairway/contract/api";
import { sendBurst } from "../scripts/hostile/lib/burst.mjs";
import { measureBeside } from "./lib/beside.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { counts, verdict } from "./lib/report.mjs";
import { allAnswered, atFixedRate, tallied, talliedHead, tally } from "./lib/tally.mjs";
import { crowd } from "./platform.mjs";
import { searchBody, searchCases, weekOfFlights } from "./search-cases.mjs";

const smallPauseMs = 100;

/** A sort of all twenty million rows by two columns. */
const heavyPath = "/datasets/Measurements/positions/search";
const heavySearch = {
  paging: { offset: 0, max: 25 },
  sort: [
    { column: "port", direction: "asc" },
    { column: "speed", direction: "desc" },
  ],
};

/** Groups of uneven lengths, which need many scans. */
const heavyGraph = {
  search: {},
  groups: Array.from({ length: 5_000 }, (_, index) => {
    const startMs = Date.UTC(1990, 0, 1) + index * 3_600_000;
    const endMs = startMs + (1 + (index % 7)) * 600_000;
    return { id: String(index), timeRange: { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() } };
  }),
  aggregations: [{ aggregation: "count", column: "*" }],
};
const heavyCalls = 50;
const callsPerCaller = 2;
/** Time for the heavy calls to fill their owner's share and queue. */
const settleMs = 12_000;
const callsAtOnce = 1_200;

/** @type {(caller: Caller, turn: number) => Promise<import("./lib/caller.mjs").ApiResponse>} */
const anySearch = (caller, turn) => {
  const searchCase = /** @type {import("./search-cases.mjs").SearchCase} */ (searchCases[turn % searchCases.length]);
  return caller.call("POST", searchCase.path, searchBody(searchCase.params(turn), searchCase));
};

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "crowd",
    title: "A crowd",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => ({
      text: "64 users search both large datasets continuously, while ten others sign in and ten ask for the list of datasets every second. Targets: every call is answered; 99% of sign-ins and lists take less than 500 ms.",
      ...(await measureLoad({ origin, people: crowd, seconds: many(20, 3), work: anySearch })),
    }),
  },
  {
    name: "heavy",
    title: "Heavy searches",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const work = (/** @type {Caller} */ caller) => caller.call("POST", heavyPath, heavySearch);
      const { head, rows } = await measureLoad({ origin, people: crowd.slice(0, 16), seconds: many(20, 3), work });
      const idle = await timesUntilIdle(origin, many(12));
      const [, ...times] = tallied(idle);
      return {
        text: "The same with 16 users who sort all 20 million rows, four at a time because the engine has four slots. Then a caller disconnects during such a sort, and the engine's metric shows when it is idle. Further target: within 200 ms.",
        head,
        rows: [...rows, ["from disconnect to idle engine", "–", ...times, verdict(Math.max(...idle.times) < 200)]],
      };
    },
  },
  {
    name: "fairness",
    title: "Fair shares",
    needs: ["portal"],
    run: async ({ portal: { origin, pid }, many }) => {
      const callers = await signInAll(origin, crowd.slice(0, 10));
      const heavy = tally();
      const { head, rows } = await measureBeside({
        pid,
        callers,
        call: (caller, turn) => caller.call("POST", "/datasets/Aviation/flights/search", weekOfFlights(turn)),
        pauseMs: 250,
        rounds: many(5),
        seconds: many(10, 3),
        startLoad: async () => {
          const end = await startHeavyGraphs(origin, heavy);
          await sleep(many(settleMs, 1_000));
          return end;
        },
        maxRatio: 2,
        maxMs: 5_000,
      });
      for (const caller of callers) caller.close();
      return {
        text: `One user keeps ${heavyCalls} aggregate calls of 5,000 uneven groups running; ten others search flights of a week with pauses of 250 ms. Targets: nobody else is refused or waits for 5 s; 95% take at most twice as long as alone.`,
        head,
        rows: [...rows, ["heavy calls", counts(heavy.responses), "–", "–", "–", "–"]],
        notes: ["Heavy calls that were still running or waiting when a round ended were closed and count as broken."],
      };
    },
  },
  {
    name: "bursts",
    title: "One person's bursts",
    needs: ["portal"],
    run: async ({ portal: { origin, pid }, many }) => {
      const [person, other] = await signInAll(origin, ["viewer", "editor"]);
      /** @type {Record<string, number>} */
      const answers = {};
      const { head, rows } = await measureBeside({
        pid,
        callers: other ? [other] : [],
        call: (caller) => caller.call("GET", "/boards"),
        pauseMs: 20,
        rounds: many(5),
        seconds: many(4, 2),
        startLoad: async () => {
          const over = new AbortController();
          const bursts = (async () => {
            while (!over.signal.aborted) {
              const burst = { url: `${origin}/api/boards`, method: "GET", token: person?.token ?? "", calls: callsAtOnce };
              for (const [status, times] of Object.entries(await sendBurst(burst))) answers[status] = (answers[status] ?? 0) + times;
            }
          })();
          return async () => {
            over.abort();
            await bursts;
          };
        },
        maxRatio: Infinity,
        maxMs: 1_000,
      });
      for (const caller of [person, other]) caller?.close();
      return {
        text: `One person sends ${callsAtOnce.toLocaleString("en-US")} calls of \`GET /boards\` at once, again and again, while another one makes one such call after another with pauses of 20 ms. Target: no refusal, and at most 1 s.`,
        head,
        rows: [...rows, ["calls of the bursts", counts(answers), "–", "–", "–", verdict(Object.keys(answers).join() === "200")]],
      };
    },
  },
];

/** @param {string} origin @param {readonly string[]} usernames */
const signInAll = (origin, usernames) => Promise.all(usernames.map((username) => Caller.signIn(origin, username)));

/**
 * People who do the same without a pause, beside sign-ins and small calls at a fixed rate.
 * @param {{ origin: string, people: readonly string[], seconds: number, work: typeof anySearch }} options
 */
async function measureLoad({ origin, people, seconds, work }) {
  const callers = await signInAll(origin, people);
  const bystander = await Caller.signIn(origin, "viewer");
  const [searches, lists, signIns] = [tally(), tally(), tally()];
  const until = performance.now() + seconds * 1_000;
  await Promise.all([
    ...callers.map(async (caller, person) => {
      for (let turn = person; performance.now() < until; turn++) await searches.time(() => work(caller, turn));
    }),
    atFixedRate(smallPauseMs, until, () => lists.time(() => bystander.call("GET", "/datasets"))),
    atFixedRate(smallPauseMs, until, (turn) => {
      const caller = new Caller(origin);
      const body = { username: crowd[turn % crowd.length], password: demoPassword };
      return signIns.time(() => caller.call("POST", "/auth/login", body)).finally(() => caller.close());
    }),
  ]);
  for (const caller of [...callers, bystander]) caller.close();
  const isFast = (/** @type {import("./lib/tally.mjs").Tally} */ { times }) =>
    times.filter((time) => time >= 500).length <= times.length / 100;
  return {
    head: ["", ...talliedHead(), "target"],
    rows: [
      ["searches", ...tallied(searches), verdict(allAnswered(searches))],
      ["`GET /datasets`", ...tallied(lists), verdict(allAnswered(lists) && isFast(lists))],
      ["sign-ins", ...tallied(signIns), verdict(allAnswered(signIns) && isFast(signIns))],
    ],
  };
}

/** @param {string} origin @param {number} turns */
async function timesUntilIdle(origin, turns) {
  const operator = await Caller.signIn(origin, "admin");
  const running = async () => {
    const { text } = expectOk(await operator.call("GET", "/metrics"));
    return Number(/^fairway_engine_running_queries (\d+)/m.exec(text)?.[1]);
  };
  const counted = tally();
  for (let turn = 0; turn < turns; turn++) {
    const leaving = new AbortController();
    const headers = { "content-type": "application/json", authorization: `Bearer ${operator.token}` };
    const call = request(`${origin}/api${heavyPath}`, { method: "POST", headers, signal: leaving.signal });
    call.on("error", () => {});
    call.end(JSON.stringify(heavySearch));
    while ((await running()) === 0) await sleep(5);
    // Abort in the middle of the query, not at its start.
    await sleep(100);
    await counted.time(async () => {
      leaving.abort();
      while ((await running()) > 0) await sleep(2);
      return { status: 200 };
    });
  }
  operator.close();
  return counted;
}

/**
 * Runs the heavy calls of one user continuously, retrying refused ones after a pause. Returns a function to stop.
 * @param {string} origin
 * @param {import("./lib/tally.mjs").Tally} counted
 */
async function startHeavyGraphs(origin, counted) {
  const first = await Caller.signIn(origin, crowd[10] ?? "");
  const callers = Array.from({ length: heavyCalls / callsPerCaller }, () => new Caller(origin, first.token));
  const stop = new AbortController();
  const loops = [...callers, ...callers].map(async (caller) => {
    while (!stop.signal.aborted) {
      await counted.time(() => caller.call("POST", "/datasets/Tropical%20weather/storm-tracks/aggregate", heavyGraph));
      await sleep(250);
    }
  });
  return async () => {
    stop.abort();
    // The gateway abandons calls whose connection is closed.
    for (const caller of [first, ...callers]) caller.close();
    await Promise.all(loops);
  };
}
