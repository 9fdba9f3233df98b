// @ts-check
// `npm run hostile`: attacks a portal on this machine, case by case, and tells how long its event loop was held up.
// With --only=jolt,upload it runs the cases whose file names hold one of these words, with --short a form of under a minute:
// less of each case, and none of those that take long by their nature. What this machine does not allow is listed as not run.
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureBuilt } from "../lib/build.mjs";
import { ensureInstalled } from "../lib/install.mjs";

/** What a case is given: a portal that it shares with the others, and portals of its own for what does not leave it whole. */
/** @typedef {{ portal: import("./lib/portal.mjs").Portal, openPortal: typeof import("./lib/portal.mjs").openPortal, short: boolean }} Context */
/** A case with `isLong` is no part of the short form. */
/** @typedef {{ name: string, isLong?: boolean, run: (context: Context) => Promise<import("./lib/portal.mjs").Outcome> }} Case */

const short = process.argv.includes("--short");
/** All cases together; one that goes on for longer has failed. */
const mostMs = 10 * 60_000;
/** No case may hold up everyone else for longer. The short form runs among other checks, which take the processors, too. */
const mostDelayMs = short ? 5_000 : 250;

const say = (/** @type {string} */ line) => console.log(line);
// A second Ctrl-C, or npm's copy of the first, must not break off what ends the portals and unmounts their disks.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => process.exit(1));
await ensureInstalled(say);
await ensureBuilt(say);

// Only now is there something to import.
const { openPortal } = await import("./lib/portal.mjs");
const { noteNotRun } = await import("@fairway/gateway/testing/not-run");
const words = process.argv
  .find((argument) => argument.startsWith("--only="))
  ?.slice("--only=".length)
  .split(",") ?? [""];
const files = (await readdir(new URL("cases/", import.meta.url))).filter((file) => words.some((word) => file.includes(word))).toSorted();

const endMs = performance.now() + mostMs;
say("Starting the portal …");
let portal = await openPortal();
/** @type {{ name: string, delay: string, lines: string[], state: "held" | "BROKEN" | "not run" }[]} */
const results = [];
for (const file of files) {
  /** @type {Case} */
  const { name, isLong = false, run } = await import(new URL(`cases/${file}`, import.meta.url).href);
  if (short && isLong) continue;
  say(`${name} …`);
  // A case that ended the shared portal has failed; the next one gets another.
  if (!portal.isRunning) portal = await openPortal();
  const beganMs = performance.now();
  const outcome = await inTime(run({ portal, openPortal, short })).catch((error) => ({
    failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  const took = `${((performance.now() - beganMs) / 1_000).toFixed(1)} s`;
  if ("failure" in outcome) results.push({ name, delay: "?", lines: [took, outcome.failure], state: "BROKEN" });
  else if ("notRun" in outcome) {
    noteNotRun(name, outcome.notRun);
    results.push({ name, delay: "", lines: [outcome.notRun], state: "not run" });
  } else {
    const { calls, worstDelayMs, statuses, note, problem } = outcome;
    const slow = worstDelayMs > mostDelayMs ? `the event loop was held up for ${Math.round(worstDelayMs)} ms` : "";
    const answers = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`);
    const problems = [problem ?? "", slow, portal.isRunning ? "" : "the portal ended"].filter((one) => one !== "");
    results.push({
      name,
      delay: `${Math.round(worstDelayMs)} ms`,
      lines: [`${took}, ${calls} calls: ${answers.join(", ")}`, note, problems.join("; ")],
      state: problems.length === 0 ? "held" : "BROKEN",
    });
  }
}
await portal.stop();

say("");
for (const { name, delay, lines, state } of results) {
  say(`${state.padEnd(7)}  ${delay.padStart(8)}  ${name}`);
  for (const line of lines) if (line !== "") say(`                   ${line}`);
}
const times = (/** @type {(typeof results)[number]["state"]} */ state) => results.filter((result) => result.state === state).length;
for (const { name, lines, state } of results) if (state === "not run") say(`not run: ${name} (${lines.join()})`);
say(
  `\n${times("held")} cases held, ${times("BROKEN")} broke, ${times("not run")} not run (event loop held up for ${mostDelayMs} ms at most).`,
);
process.exit(times("BROKEN") === 0 ? 0 : 1);

/**
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
async function inTime(work) {
  const over = new AbortController();
  const limit = sleep(Math.max(0, endMs - performance.now()), undefined, { signal: over.signal }).then(() => {
    throw new Error(`the ${mostMs / 60_000} minutes of all cases are over`);
  });
  limit.catch(() => undefined);
  return Promise.race([work, limit]).finally(() => over.abort());
}
