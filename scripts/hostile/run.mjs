// @ts-check
// `npm run hostile`: attacks a portal on this machine, case by case, and reports how long its event loop was blocked.
//   --only=jolt,upload   runs the cases whose file names contain one of these words
//   --calls=20000        makes so many generated calls (openapi), instead of 2,000
//   --kills=200          kills a portal with jobs so often (kills-of-jobs), instead of 20 times
//   --seed=7             makes other calls and pauses
//   --short              runs shorter versions of the cases, without the long ones, in under a minute
// Cases that this machine does not allow are listed as not run. Ends with `N passed, N failed`: the cases that held and broke.
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { log, runScenario } from "../harness/scenario.mjs";
import { ensureBuilt } from "../lib/build.mjs";

/** The shared portal, and a function to open separate ones for cases that damage or restart theirs. */
/** @typedef {{ portal: import("./lib/portal.mjs").Portal, openPortal: typeof import("./lib/portal.mjs").openPortal, short: boolean, calls?: number, kills?: number, seed?: number }} Context */
/** Cases with `isLong` are skipped with --short. */
/** @typedef {{ name: string, isLong?: boolean, run: (context: Context) => Promise<import("./lib/portal.mjs").Outcome> }} Case */

const short = process.argv.includes("--short");
/**
 * The limits, as multiples of the time that a body of 2 MB takes (`lib/machine-speed.mjs`): of an event loop delay, and of JavaScript
 * without a return to the event loop, by a trace of the portal. The short version is for a machine that others use.
 */
const [maxDelay, maxSlice] = short ? [200, 40] : [15, 5];
/** Of a longer delay, the portal's thread must have worked for less than this; for the rest it waited for a processor of a busy machine. */
const maxWork = maxDelay / 2;
/** A case that was only too slow is repeated, in a new portal: what the code does shows each time, a pause of the machine does not. */
const attempts = process.argv.some((argument) => /^--(?:calls|kills)=/.test(argument)) ? 1 : 3;

/** The number behind an option such as `--calls=`. @param {string} option @returns {number | undefined} */
function numberOf(option) {
  const text = process.argv.find((argument) => argument.startsWith(`--${option}=`))?.slice(option.length + 3);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} needs a number`);
  return value;
}

const chosen = Object.fromEntries(
  ["calls", "kills", "seed"].map((option) => [option, numberOf(option)]).filter(([, value]) => value !== undefined),
);
/** A limit for attacks that hang. Busy machines take several times the usual eight minutes, and half a minute for each further kill. */
const maxMs = 60 * 60_000 + (chosen["kills"] ?? 0) * 30_000;
const words = process.argv
  .find((argument) => argument.startsWith("--only="))
  ?.slice("--only=".length)
  .split(",") ?? [""];
const files = (await readdir(new URL("cases/", import.meta.url))).filter((file) => words.some((word) => file.includes(word))).toSorted();

await runScenario(async (outcomes) => {
  await ensureBuilt(log);
  // Can only be imported after the build.
  const { openPortal } = await import("./lib/portal.mjs");
  const endMs = performance.now() + maxMs;
  log("Starting the portal …");
  let portal = await openPortal();
  /** @type {{ name: string, delay: string, lines: string[], state: "held" | "BROKEN" | "not run" }[]} */
  const results = [];
  for (const file of files) {
    /** @type {Case} */
    const { name, isLong = false, run } = await import(new URL(`cases/${file}`, import.meta.url).href);
    if (short && isLong) continue;
    log(`${name} …`);
    // A case that ended the shared portal has failed; the next case gets a new one.
    if (!portal.isRunning) portal = await openPortal();
    for (let attempt = 1; ; attempt += 1) {
      const startedMs = performance.now();
      const outcome = await inTime(run({ portal, openPortal, short, ...chosen }), endMs).catch((error) => ({
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }));
      const result = judge(outcome, portal.isRunning, `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
      if (result.state !== "slow" || attempt === attempts) {
        results.push({ ...result, name, state: result.state === "slow" ? "BROKEN" : result.state });
        break;
      }
      log(`${name}: ${result.lines.at(-1)}; again …`);
      await portal.stop();
      portal = await openPortal();
    }
  }
  await portal.stop();

  log("");
  for (const { name, delay, lines, state } of results) {
    log(`${state.padEnd(7)}  ${delay.padStart(8)}  ${name}`);
    for (const line of lines) if (line !== "") log(`                   ${line}`);
  }
  for (const { name, lines, state } of results) {
    if (state === "not run") outcomes.notRun.push(`${name} (${lines.join()})`);
    else outcomes.add(state === "held" ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  }
  log(
    `The event loop may be late by ${maxDelay} times the time of a body of 2 MB, and a slice of JavaScript may take ${maxSlice} times as long.`,
  );
});

/**
 * @param {import("./lib/portal.mjs").Outcome | { failure: string }} outcome
 * @param {boolean} isRunning whether the shared portal still runs
 * @param {string} duration
 * @returns {{ delay: string, lines: string[], state: "held" | "slow" | "BROKEN" | "not run" }} slow: nothing else is wrong
 */
function judge(outcome, isRunning, duration) {
  if ("failure" in outcome) return { delay: "?", lines: [duration, outcome.failure], state: "BROKEN" };
  if ("notRun" in outcome) return { delay: "", lines: [outcome.notRun], state: "not run" };
  const { calls, worstDelayMs, slice, statuses, note, problem } = outcome;
  const isLate = worstDelayMs > maxDelay * slice.bodyMs && slice.turnMs > maxWork * slice.bodyMs;
  const late = isLate ? [`the event loop was blocked for ${Math.round(worstDelayMs)} ms`] : [];
  const long = slice.ms > maxSlice * slice.bodyMs ? [`${slice.where} ran for ${Math.round(slice.ms)} ms without a pause`] : [];
  const wrong = [...(problem === undefined ? [] : [problem]), ...(isRunning ? [] : ["the portal ended"])];
  const answers = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`);
  const problems = [...wrong, ...late, ...long];
  return {
    delay: `${Math.round(worstDelayMs)} ms`,
    lines: [
      `${duration}, ${calls} calls: ${answers.join(", ")}; a body of 2 MB ${Math.round(slice.bodyMs)} ms; longest slice ${Math.round(slice.ms)} ms, in ${slice.where}; longest turn of the loop ${Math.round(slice.turnMs)} ms of work`,
      note,
      ...(problems.length === 0 ? [] : [problems.join("; ")]),
    ],
    state: problems.length === 0 ? "held" : wrong.length === 0 ? "slow" : "BROKEN",
  };
}

/**
 * @template T
 * @param {Promise<T>} work
 * @param {number} endMs
 * @returns {Promise<T>}
 */
async function inTime(work, endMs) {
  const finished = new AbortController();
  const limit = sleep(Math.max(0, endMs - performance.now()), undefined, { signal: finished.signal }).then(() => {
    throw new Error(`the time limit of ${maxMs / 60_000} minutes for all cases is over`);
  });
  limit.catch(() => undefined);
  return Promise.race([work, limit]).finally(() => finished.abort());
}
