// @ts-check
// `npm run nightly`: what is too long for `npm test`, piece by piece. A release needs a night that is green at its commit. What each
// piece said is kept with the commit below `.build/nightly`: the same command goes on with the pieces that are not green there yet.
// Ends with `N passed, N failed`.
//   -- NAME …   only these pieces
//   --list      prints their names
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hasProgram } from "./lib/programs.mjs";
import { checkout } from "./lib/checkout.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { isKeycloakInstalled } from "./lib/keycloak.mjs";
import { isNifiInstalled } from "./lib/nifi.mjs";
import { isGreen, keptGreen, runNight } from "./lib/night.mjs";
import { missingForSqlServer } from "./lib/sql-servers.mjs";

const node = (/** @type {string[]} */ ...args) => [process.execPath, ...args];

/** @type {readonly import("./lib/night.mjs").Piece[]} */
const pieces = [
  { name: "tests", command: node("scripts/test.mjs", "--night", "--no-browser") },
  { name: "screens", command: node("scripts/test.mjs", "--night", "--only=screens") },
  { name: "journeys", command: node("scripts/test.mjs", "--night", "--only=journeys") },
  { name: "mutation", command: node("scripts/mutation/run.mjs") },
  { name: "hostile", command: node("scripts/hostile/run.mjs") },
  { name: "nifi", command: node("scripts/test-nifi.mjs"), missing: () => missingFor(isNifiInstalled()) },
  { name: "keycloak", command: node("scripts/test-keycloak.mjs"), missing: () => missingFor(isKeycloakInstalled()) },
  { name: "trino", command: node("scripts/test-engines.mjs", "--only=trino"), missing: () => missingForSqlServer("trino") },
  { name: "presto", command: node("scripts/test-engines.mjs", "--only=presto"), missing: () => missingForSqlServer("presto") },
  { name: "containers", command: node("scripts/test-containers.mjs") },
  { name: "upgrade", command: node("scripts/upgrade/run.mjs") },
  { name: "platform", command: node("scripts/test-platform.mjs") },
  { name: "platform-faults", command: node("scripts/test-platform.mjs", "--faults") },
];

const { values, positionals: wanted } = parseArgs({ options: { list: { type: "boolean", default: false } }, allowPositionals: true });
if (values.list) {
  for (const { name } of pieces) console.log(name);
  process.exit(0);
}
const unknown = wanted.filter((name) => !pieces.some((piece) => piece.name === name));
if (unknown.length > 0) {
  console.error(`There is no piece ${unknown.join(", ")}. Pieces: ${pieces.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}

await ensureInstalled((line) => console.log(line), { forTests: true });

const interrupted = new AbortController();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => interrupted.abort());

const commit = git("rev-parse", "HEAD");
const isCommitted = git("status", "--porcelain") === "";
if (!isCommitted) console.log("There are uncommitted changes, so the results of this night are not kept.");
const folder = join(checkout, ".build/nightly");
const keptCommit = isCommitted ? commit : undefined;
const outcomes = await runNight({
  pieces: pieces.filter(({ name }) => wanted.length === 0 || wanted.includes(name)),
  commit: keptCommit,
  folder,
  log: (line) => console.log(line),
  signal: interrupted.signal,
});

console.log("");
for (const { name, outcome } of outcomes) {
  const mark = isGreen(outcome) ? (outcome.passed === 0 ? "–" : "✓") : "✗";
  console.log(`${mark} ${name.padEnd(16)} ${outcome.passed} passed, ${outcome.failed} failed`);
}
/** @type {string[]} */
const left = [];
for (const { name } of pieces) {
  const own = outcomes.find((one) => one.name === name);
  if (own === undefined ? (await keptGreen(folder, name, keptCommit)) === undefined : !isGreen(own.outcome)) left.push(name);
}
if (left.length > 0) console.log(`Not green yet: ${left.join(", ")}.`);
else if (isCommitted) console.log(`The night is green at ${commit}.`);
for (const { name, outcome } of outcomes) {
  for (const what of outcome.notRun) console.log(`not run: ${what.startsWith(name) ? what : `${name}: ${what}`}`);
}
const sum = (/** @type {"passed" | "failed"} */ key) => outcomes.reduce((total, { outcome }) => total + outcome[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") === 0 && !interrupted.signal.aborted ? 0 : 1);

/** @param {string[]} args */
function git(...args) {
  return execFileSync("git", args, { cwd: checkout, encoding: "utf8" }).trim();
}

/**
 * The missing requirement for a server that runs on Java and that Maven downloads.
 * @param {boolean} isInstalled
 */
async function missingFor(isInstalled) {
  const absent = [];
  for (const program of isInstalled ? ["java"] : ["java", "mvn", "unzip"]) if (!(await hasProgram(program))) absent.push(program);
  return absent.length === 0 ? undefined : `${absent.join(", ")} missing`;
}
