// @ts-check
// People who search for minutes as people do: they look at what came before they ask again. With the memory that it takes.
import { setTimeout as sleep } from "node:timers/promises";
import { demoPassword } from "@fairway/contract/api";
import { Caller, expectOk } from "./lib/caller.mjs";
import { cpuSeconds } from "./lib/cpu.mjs";
import { memoryOf } from "./lib/memory.mjs";
import { mb, ratio, verdict } from "./lib/report.mjs";
import { quantile } from "./lib/statistics.mjs";
import { allAnswered, tallied, talliedHead, tally } from "./lib/tally.mjs";
import { graphBody } from "./further-cases.mjs";
import { crowd } from "./platform.mjs";
import { searchBody, searchCases, weekOfFlights } from "./search-cases.mjs";

const flights = "/datasets/Aviation/flights";
const pauseMs = { least: 2_000, most: 8_000 };
/** Of memory, which takes the system some time to add up. */
const sampleMs = 2_000;
const maxMs = 500;

/** @typedef {{ kind: string, ask: (caller: Caller, turn: number) => Promise<{ status: number }> }} Step */

/** Steps of a person, one after another, each about other rows. @type {readonly Step[]} */
const steps = [
  {
    kind: "page of a week, with its count",
    ask: async (caller, turn) => {
      const { paging, ...search } = weekOfFlights(turn);
      const [page, count] = await Promise.all([
        caller.call("POST", `${flights}/search`, { ...search, paging }),
        caller.call("POST", `${flights}/aggregate/count/*`, search),
      ]);
      return { status: Math.max(page.status, count.status) };
    },
  },
  {
    kind: "the same by delay",
    ask: (caller, turn) =>
      caller.call("POST", `${flights}/search`, { ...weekOfFlights(turn), sort: [{ column: "delay", direction: "desc" }] }),
  },
  {
    kind: "graph of 168 hours × 3 columns",
    ask: (caller, turn) => {
      const startMs = Date.parse(weekOfFlights(turn).timeRange.start);
      const endMs = startMs + 168 * 3_600_000;
      return caller.call("POST", `${flights}/aggregate`, graphBody({ startMs, endMs, column: "destination", value: "ATL" }, 3_600_000));
    },
  },
  {
    kind: "breakdown of a week by origin",
    ask: (caller, turn) => {
      const { paging: _paging, ...search } = weekOfFlights(turn);
      const by = [{ kind: "value", column: "origin", top: { count: 20 } }];
      return caller.call("POST", `${flights}/breakdown`, { search, by, measures: [{ aggregation: "avg", column: "delay" }], fresh: true });
    },
  },
  {
    kind: "page of two days of 20 million positions",
    ask: (caller, turn) => {
      const page = searchCases.find(({ path, paged }) => paged && path.includes("positions"));
      if (page === undefined) throw new Error("there is no page of positions");
      return caller.call("POST", page.path, searchBody(page.params(turn), page));
    },
  },
];

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [50, 200].map((count) => ({
  name: `people${count}`,
  title: `${count} people for five minutes`,
  needs: ["portal"],
  onlyByName: true,
  run: async ({ portal: { origin, pid }, many }) => {
    const callers = await signInPeople(origin, count);
    const counted = steps.map(() => tally());
    const [before, cpuBefore, startedMs] = [await memoryOf(pid), await cpuSeconds(pid), performance.now()];
    const untilMs = startedMs + many(300, 15) * 1_000;
    const peak = { gateway: 0, postgres: 0 };
    /** The most in each minute. @type {number[]} */
    const byMinute = [];
    const sample = async () => {
      const now = await memoryOf(pid);
      peak.gateway = Math.max(peak.gateway, now?.gateway ?? 0);
      peak.postgres = Math.max(peak.postgres, now?.postgres ?? 0);
      const minute = Math.floor((performance.now() - startedMs) / 60_000);
      byMinute[minute] = Math.max(byMinute[minute] ?? 0, now?.gateway ?? 0);
    };
    await Promise.all([
      ...callers.map(async (caller, person) => {
        // They do not come all at once.
        await sleep((person * pauseMs.most) / count);
        for (let turn = person; performance.now() < untilMs; turn++) {
          const place = turn % steps.length;
          await counted[place]?.time(() => /** @type {Step} */ (steps[place]).ask(caller, turn));
          await sleep(pauseOf(person, turn));
        }
      }),
      (async () => {
        for (; performance.now() < untilMs; await sleep(sampleMs)) await sample();
      })(),
    ]);
    const seconds = (performance.now() - startedMs) / 1_000;
    const cores = ((await cpuSeconds(pid)) - cpuBefore) / seconds;
    const calls = counted.reduce((sum, { times }) => sum + times.length, 0);
    for (const caller of callers) caller.close();
    const rows = [];
    for (const [place, { kind }] of steps.entries()) {
      const one = counted[place] ?? tally();
      rows.push([kind, ...tallied(one, 0.95), verdict(allAnswered(one) && quantile(one.times, 0.95) <= maxMs)]);
    }
    const memory = (/** @type {"gateway" | "postgres"} */ name) =>
      before === undefined ? mb(undefined) : `${mb(peak[name])} at most (${mb(before[name])} before)`;
    return {
      text: `Each person with an account of their own does one step after another, with pauses of ${pauseMs.least / 1_000} to ${pauseMs.most / 1_000} s, for ${Math.round(seconds)} s. Targets: every call is answered; 95% of each kind take at most ${maxMs} ms.`,
      head: ["step", ...talliedHead(0.95), "target"],
      rows,
      notes: [
        `${(calls / seconds).toFixed(1)} steps per second; the gateway used ${ratio(cores)} cores. Memory of the gateway: ${memory("gateway")}; of PostgreSQL: ${memory("postgres")}. The gateway's by minute: ${byMinute.map((most) => mb(most)).join(", ")}.`,
      ],
    };
  },
}));

/** The same pauses in every run, on average in the middle. @param {number} person @param {number} turn */
const pauseOf = (person, turn) => pauseMs.least + ((person * 7_919 + turn * 104_729) % 1_000) * ((pauseMs.most - pauseMs.least) / 1_000);

/** Adds the accounts that the platform lacks, because existing data is never updated. @param {string} origin @param {number} count */
async function signInPeople(origin, count) {
  const names = Array.from({ length: count }, (_, index) => `reader-${index + 1}`);
  if (count > crowd.length) {
    const admin = await Caller.signIn(origin, "admin");
    /** @type {{ username: string, groups: unknown[] }[]} */
    const users = JSON.parse(expectOk(await admin.call("GET", "/admin/users")).text);
    const known = new Map(users.map((user) => [user.username, user]));
    const groups = known.get(crowd[0] ?? "")?.groups ?? [];
    for (const username of names.filter((name) => !known.has(name))) {
      const password = { setPassword: true, value: demoPassword, requirePasswordChange: false };
      const draft = { username, firstName: "Reader", lastName: username, email: `${username}@fairway.example`, groups, password };
      expectOk(await admin.call("POST", "/admin/users", draft), 201);
    }
    admin.close();
  }
  /** @type {Caller[]} */
  const callers = [];
  // Sign-ins are checked two at a time anyway.
  for (const name of names) callers.push(await Caller.signIn(origin, name));
  return callers;
}
