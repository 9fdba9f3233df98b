// @ts-check
// `npm run hostile`: attacks a portal on this machine, case by case, and tells how long its event loop was held up.
// With --only=jolt,upload it runs the cases whose file names hold one of these words, with --short a form of under a minute:
// less of each case, and none of those that take long by their nature.
import { readdir } from "node:fs/promises";
import { ensureBuilt } from "../lib/build.mjs";
import { ensureInstalled } from "../lib/install.mjs";

/** What a case is given: a portal that it shares with the others, and portals of its own for what does not leave it whole. */
/** @typedef {{ portal: import("./lib/portal.mjs").Portal, openPortal: typeof import("./lib/portal.mjs").openPortal, short: boolean }} Context */
/** A case with `isLong` is no part of the short form. */
/** @typedef {{ name: string, isLong?: boolean, run: (context: Context) => Promise<import("./lib/portal.mjs").Outcome> }} Case */

const short = process.argv.includes("--short");
/** No case may hold up everyone else for longer. The short form runs among other checks, which take the processors, too. */
const mostDelayMs = short ? 5_000 : 250;

const say = (/** @type {string} */ line) => console.log(line);
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => process.exit(1));
await ensureInstalled(say);
await ensureBuilt(say);

// Only now is there something to import.
const { openPortal } = await import("./lib/portal.mjs");
const words = process.argv
  .find((argument) => argument.startsWith("--only="))
  ?.slice("--only=".length)
  .split(",") ?? [""];
const files = (await readdir(new URL("cases/", import.meta.url))).filter((file) => words.some((word) => file.includes(word))).toSorted();

say("Starting the portal …");
let portal = await openPortal();
/** @type {{ name: string, delay: string, answers: string, note: string, problem: string }[]} */
const results = [];
for (const file of files) {
  /** @type {Case} */
  const { name, isLong = false, run } = await import(new URL(`cases/${file}`, import.meta.url).href);
  if (short && isLong) continue;
  say(`${name} …`);
  // A case that ended the shared portal has failed; the next one gets another.
  if (!portal.isRunning) portal = await openPortal();
  try {
    const { calls, worstDelayMs, statuses, note, problem } = await run({ portal, openPortal, short });
    const slow = worstDelayMs > mostDelayMs ? `the event loop was held up for ${Math.round(worstDelayMs)} ms` : "";
    const answers = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`);
    const problems = [problem ?? "", slow, portal.isRunning ? "" : "the portal ended"].filter((one) => one !== "");
    results.push({
      name,
      delay: `${Math.round(worstDelayMs)} ms`,
      answers: `${calls} calls: ${answers.join(", ")}`,
      note,
      problem: problems.join("; "),
    });
  } catch (error) {
    results.push({
      name,
      delay: "?",
      answers: "",
      note: "",
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}
await portal.stop();

say("");
for (const { name, delay, answers, note, problem } of results) {
  say(`${problem === "" ? "held  " : "BROKEN"}  ${delay.padStart(8)}  ${name}`);
  for (const line of [answers, note, problem]) if (line !== "") say(`                  ${line}`);
}
const broken = results.filter(({ problem }) => problem !== "").length;
say(`\n${results.length - broken} of ${results.length} cases held (event loop held up for ${mostDelayMs} ms at most).`);
process.exit(broken === 0 ? 0 : 1);
