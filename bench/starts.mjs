// @ts-check
// `node bench/starts.mjs`: how long `npm start` takes on clones of the last commit, in all and step by step, as medians of some starts:
//   cold-empty  a fresh clone and an empty cache of npm
//   cold        a fresh clone and a filled cache
//   home        an installed and built clone, and a new home
//   warm        the same clone and home again
// Steps overlap: the server, the web app and the clients are built at the same time.
//   --runs=N          starts of each kind (default 5)
//   --only=home,warm  some kinds
import { execFileSync } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "../scripts/lib/checkout.mjs";
import { median } from "./lib/statistics.mjs";
import { timedStart } from "./lib/timed-start.mjs";

const kinds = /** @type {const} */ (["cold-empty", "cold", "home", "warm"]);
const { values: options } = parseArgs({ options: { runs: { type: "string", default: "5" }, only: { type: "string" } } });
const runs = Number(options.runs);
const only = options.only?.split(",") ?? kinds;
if (!Number.isInteger(runs) || runs < 1 || !only.every((kind) => kinds.some((known) => known === kind))) {
  console.error(`Usage: node bench/starts.mjs [--runs=N] [--only=${kinds.join(",")}]`);
  process.exit(2);
}

const folder = join(checkout, ".build/bench-starts");
const [clone, home, cache] = [join(folder, "clone"), join(folder, "home"), join(folder, "npm-cache")];
const remove = (/** @type {string} */ path) => rm(path, { recursive: true, force: true, maxRetries: 5 });
const freshClone = async () => {
  await Promise.all([remove(clone), remove(home)]);
  execFileSync("git", ["clone", "--quiet", checkout, clone]);
};
const start = () => timedStart({ folder: clone, home, env: { npm_config_cache: cache } });

await remove(folder);
await mkdir(folder, { recursive: true });
try {
  await freshClone();
  if (!only.includes("cold-empty")) {
    console.log("Filling the cache, which is not measured …");
    await start();
  }
  await measure("cold-empty", () => Promise.all([freshClone(), remove(cache)]));
  await measure("cold", freshClone);
  await measure("home", () => remove(home));
  await measure("warm", async () => undefined);
} finally {
  await remove(folder);
}

/**
 * @param {(typeof kinds)[number]} kind
 * @param {() => Promise<unknown>} prepare
 */
async function measure(kind, prepare) {
  if (!only.includes(kind)) return;
  /** @type {import("./lib/timed-start.mjs").TimedStart[]} */
  const starts = [];
  /** @type {number[]} */
  const loads = [];
  while (starts.length < runs) {
    await prepare();
    loads.push(loadavg()[0] ?? 0);
    starts.push(await start());
  }
  const seconds = starts.map((one) => one.seconds);
  console.log(`${kind}: ${median(seconds).toFixed(1)} s (${seconds.map((one) => one.toFixed(1)).join(", ")})`);
  console.log(`  load average before each: ${loads.map((load) => load.toFixed(1)).join(", ")}`);
  for (const step of new Set(starts.flatMap(({ steps }) => [...steps.keys()]))) {
    console.log(
      `${median(starts.map(({ steps }) => steps.get(step) ?? 0))
        .toFixed(1)
        .padStart(8)} s  ${step}`,
    );
  }
}
