// @ts-check
// `npm run nightly`: what is too long for `npm test`, piece by piece. A release needs a night that is green at its commit. What each
// piece said is kept with the commit below `.build/nightly`: the same command goes on with the pieces that are not green there yet.
// Ends with `N passed, N failed`.
//   -- NAME …   only these pieces
//   --list      prints their names
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "./lib/checkout.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { isGreen, keptGreen, runNight } from "./lib/night.mjs";
import { nightPieces } from "./lib/night-pieces.mjs";

const { values, positionals: wanted } = parseArgs({ options: { list: { type: "boolean", default: false } }, allowPositionals: true });
if (values.list) {
  for (const { name } of nightPieces) console.log(name);
  process.exit(0);
}
const unknown = wanted.filter((name) => !nightPieces.some((piece) => piece.name === name));
if (unknown.length > 0) {
  console.error(`There is no piece ${unknown.join(", ")}. Pieces: ${nightPieces.map(({ name }) => name).join(", ")}.`);
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
  pieces: nightPieces.filter(({ name }) => wanted.length === 0 || wanted.includes(name)),
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
for (const { name } of nightPieces) {
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
