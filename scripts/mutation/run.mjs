// @ts-check
// Mutation tests of pure rules: small faults are put into a file, and the tests beside it have to notice. Mutates the files that
// changed since they were last mutated, for 20 minutes at most, and goes on with the others the next time. Scores are printed and
// never decide: a mutant that survives is a question to the tests, not an error.
//   -- FILE …      only these files, also if they have not changed
//   --minutes=N    starts no file after N minutes instead of 20
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkout } from "../lib/checkout.mjs";
import { ensureInstalled } from "../lib/install.mjs";
import { run } from "../lib/run.mjs";
import { contentKey, pureFiles } from "./pure-files.mjs";

/** @typedef {{ status: string, mutatorName: string, replacement?: string, line: number }} Mutant */
/** @typedef {{ key: string, killed: number, survived: readonly string[] }} Score */

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = join(checkout, ".build/mutation");
const scoresFile = join(folder, "scores.json");
const { values, positionals: wanted } = parseArgs({ options: { minutes: { type: "string", default: "20" } }, allowPositionals: true });
const files = pureFiles();
const unknown = wanted.filter((file) => !files.includes(file));
if (unknown.length > 0) {
  console.error(`${unknown.join(", ")}: not among the files that are mutated. They are:\n${files.join("\n")}`);
  process.exit(2);
}

await ensureInstalled((line) => console.log(line), { forTests: true });
if (!existsSync(`${here}node_modules/@stryker-mutator/core`)) {
  console.log("Installing the packages of mutation tests …");
  await run("npm ci", "npm", ["ci", "--legacy-peer-deps"], { cwd: here });
}
mkdirSync(folder, { recursive: true });
rmSync(join(folder, "copies"), { recursive: true, force: true });

/** @type {Record<string, Score>} */
const scores = existsSync(scoresFile) ? JSON.parse(readFileSync(scoresFile, "utf8")) : {};
const isKnown = (/** @type {string} */ file) => scores[file]?.key === contentKey(file);
const endMs = Date.now() + Number(values.minutes) * 60_000;
let failed = 0;
let left = 0;
for (const file of wanted.length > 0 ? wanted : files.filter((one) => !isKnown(one))) {
  if (Date.now() > endMs) {
    left++;
    continue;
  }
  try {
    const score = scoreOf(file, await mutantsOf(file));
    scores[file] = score;
    writeFileSync(scoresFile, JSON.stringify(scores, null, 2));
    console.log(`${percentage(score)} ${file}`);
    for (const line of score.survived) console.log(`       ${line}`);
  } catch (error) {
    failed++;
    console.log(`✗ ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const known = files.filter(isKnown);
const sum = known.reduce((total, file) => total + (scores[file]?.killed ?? 0), 0);
const survived = known.reduce((total, file) => total + (scores[file]?.survived.length ?? 0), 0);
console.log(`\n${known.length} of ${files.length} files mutated: ${sum} mutants found by tests, ${survived} not.`);
if (left > 0) console.log(`not run: ${left} files (the next run goes on with them)`);
console.log(`\n${known.length} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/**
 * @param {string} file
 * @returns {Promise<readonly Mutant[]>}
 */
async function mutantsOf(file) {
  // In a process of its own: Stryker keeps what it has loaded.
  const child = spawn(process.execPath, [join(here, "mutate-file.mjs"), file], { stdio: ["ignore", "pipe", "inherit"] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(output);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

/**
 * @param {string} file
 * @param {readonly Mutant[]} mutants
 * @returns {Score}
 */
function scoreOf(file, mutants) {
  const isFound = (/** @type {Mutant} */ { status }) => status === "Killed" || status === "Timeout";
  const survivors = mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage");
  return {
    key: contentKey(file),
    killed: mutants.filter(isFound).length,
    survived: survivors.map(
      ({ line, mutatorName, replacement = "" }) => `line ${line}: ${mutatorName} → ${replacement.replaceAll(/\s+/g, " ").slice(0, 80)}`,
    ),
  };
}

/** @param {Score} score */
function percentage({ killed, survived }) {
  const count = killed + survived.length;
  return `${(count === 0 ? 100 : (killed / count) * 100).toFixed(0).padStart(4)} %`;
}
