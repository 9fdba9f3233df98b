// @ts-check
// How long `npm start` takes on clones of the last commit, and how much memory the portal uses.
import { execFileSync } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "../scripts/lib/checkout.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { memoryOf } from "./lib/memory.mjs";
import { mb, verdict } from "./lib/report.mjs";
import { median } from "./lib/statistics.mjs";
import { timedStart } from "./lib/timed-start.mjs";
import { searchBody, searchCases } from "./search-cases.mjs";

const folder = join(checkout, ".build/bench-starts");
const [clone, home, cache] = [join(folder, "clone"), join(folder, "home"), join(folder, "npm-cache")];
const remove = (/** @type {string} */ path) => rm(path, { recursive: true, force: true, maxRetries: 5 });
const freshClone = async () => {
  await Promise.all([remove(clone), remove(home)]);
  execFileSync("git", ["clone", "--quiet", checkout, clone]);
};

/** Each needs what those before it have left. @type {readonly { kind: string, starts: number, maxSeconds?: number, prepare: () => Promise<unknown> }[]} */
const kinds = [
  { kind: "a fresh clone and an empty cache of npm", starts: 1, maxSeconds: 60, prepare: () => Promise.all([freshClone(), remove(cache)]) },
  { kind: "a fresh clone and a filled cache", starts: 2, prepare: freshClone },
  { kind: "an installed and built clone, and a new home", starts: 3, prepare: () => remove(home) },
  { kind: "the same clone and home again", starts: 5, maxSeconds: 3, prepare: async () => undefined },
];

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "starts",
    title: "Starting",
    needs: [],
    run: async ({ many }) => {
      await remove(folder);
      await mkdir(folder, { recursive: true });
      const rows = [];
      try {
        // With --short, one fresh clone is enough.
        for (const { kind, starts: count, maxSeconds, prepare } of kinds.filter((_, index) => index !== many(-1, 1))) {
          /** @type {import("./lib/timed-start.mjs").TimedStart[]} */
          const starts = [];
          while (starts.length < many(count)) {
            await prepare();
            starts.push(await timedStart({ folder: clone, home, env: { npm_config_cache: cache } }));
          }
          const seconds = starts.map((one) => one.seconds);
          const steps = [...new Set(starts.flatMap((one) => [...one.steps.keys()]))].map(
            (step) => `${step} ${median(starts.map((one) => one.steps.get(step) ?? 0)).toFixed(1)}`,
          );
          const each = seconds.map((one) => one.toFixed(1)).join(", ");
          const reached = maxSeconds === undefined ? "–" : `${verdict(median(seconds) < maxSeconds)} (${maxSeconds} s)`;
          rows.push([kind, median(seconds).toFixed(1), each, steps.join(", "), reached]);
          console.log(`  ${kind}`);
        }
      } finally {
        await remove(folder);
      }
      return {
        text: "`npm start` on clones of the last commit, until the portal's address is printed. Steps overlap: the server, the web app and the clients are built at the same time.",
        head: ["", "seconds", "each", "steps", "target"],
        rows,
      };
    },
  },
  {
    name: "memory",
    title: "Memory",
    needs: ["portal"],
    run: async ({ portal: { origin, pid }, many }) => {
      const idle = await memoryOf(pid);
      const callers = await Promise.all(Array.from({ length: 8 }, () => Caller.signIn(origin, "viewer")));
      const turns = many(40, 4);
      await Promise.all(
        callers.map(async (caller, person) => {
          for (let turn = 0; turn < turns; turn++) {
            const one = /** @type {import("./search-cases.mjs").SearchCase} */ (searchCases[(person + turn) % searchCases.length]);
            expectOk(await caller.call("POST", one.path, searchBody(one.params(turn), one)));
          }
        }),
      );
      for (const caller of callers) caller.close();
      const after = await memoryOf(pid);
      return {
        text: `The portal, before and after ${callers.length * turns} searches of eight users.`,
        head: ["", "gateway", "PostgreSQL"],
        rows: [
          ["before", mb(idle?.gateway), mb(idle?.postgres)],
          ["after", mb(after?.gateway), mb(after?.postgres)],
        ],
      };
    },
  },
];
