// @ts-check
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { isMissing } from "./failure.mjs";

/**
 * @typedef {object} Piece
 * @property {string} name
 * @property {readonly string[]} command a program and its arguments. It ends with `N passed, N failed`, below lines `not run: …`.
 * @property {() => Promise<string | undefined>} [missing] what this machine lacks to run it
 */
/** @typedef {{ passed: number, failed: number, notRun: readonly string[] }} Outcome `notRun`: checks with their reasons */
/** @typedef {Outcome & { commit: string, seconds: number, ended: string }} Kept */

/**
 * Runs pieces one after the other. The result of each is kept with its commit, so that a night that was stopped or has failed goes
 * on where it is not green yet.
 * @param {object} options
 * @param {readonly Piece[]} options.pieces
 * @param {string | undefined} options.commit undefined keeps nothing: the sources are those of no commit
 * @param {string} options.folder for results and outputs
 * @param {(line: string) => void} options.log
 * @param {AbortSignal} [options.signal] stops the running piece, which is then run again the next time
 * @returns {Promise<{ name: string, outcome: Outcome }[]>} of the pieces that have run at this commit, now or before
 */
export async function runNight({ pieces, commit, folder, log, signal = new AbortController().signal }) {
  await mkdir(folder, { recursive: true });
  /** @type {{ name: string, outcome: Outcome }[]} */
  const outcomes = [];
  for (const piece of pieces) {
    const { name } = piece;
    const kept = await keptGreen(folder, name, commit);
    if (kept !== undefined) {
      log(`✓ ${name}: ${summary(kept)}, in ${kept.seconds} s on ${kept.ended}`);
      outcomes.push({ name, outcome: kept });
      continue;
    }
    const missing = await piece.missing?.();
    if (missing !== undefined) {
      log(`– ${name}: ${missing}`);
      outcomes.push({ name, outcome: { passed: 0, failed: 0, notRun: [`${name} (${missing})`] } });
      continue;
    }
    log(`  ${name} …`);
    const startedMs = Date.now();
    const { code, output } = await run(piece.command, join(folder, `${name}.log`), signal);
    if (signal.aborted) break;
    const outcome = outcomeOf(output, code);
    const seconds = Math.round((Date.now() - startedMs) / 1_000);
    if (commit !== undefined) await keep(folder, name, { commit, ...outcome, seconds, ended: new Date().toISOString() });
    log(`${isGreen(outcome) ? "✓" : "✗"} ${name}: ${summary(outcome)} in ${seconds} s`);
    outcomes.push({ name, outcome });
  }
  return outcomes;
}

/** @param {Outcome} outcome */
export const isGreen = ({ failed }) => failed === 0;

/** @param {Outcome} outcome */
const summary = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

/**
 * Counts from the last lines of a command's output; one that does not count passes or fails as a whole.
 * @param {string} output
 * @param {number | null} code
 * @returns {Outcome}
 */
export function outcomeOf(output, code) {
  const [, passed, failed] = Array.from(output.matchAll(/^(\d+) passed, (\d+) failed$/gm)).at(-1) ?? [];
  const notRun = Array.from(output.matchAll(/^not run: (.+)$/gm), ([, what = ""]) => what);
  if (passed === undefined || failed === undefined) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, notRun };
  const counted = { passed: Number(passed), failed: Number(failed), notRun };
  // A run of nothing has proven nothing, unless it says why.
  const isWrong = counted.failed === 0 && (code !== 0 || (counted.passed === 0 && notRun.length === 0));
  return isWrong ? { ...counted, failed: 1 } : counted;
}

/**
 * @param {readonly string[]} command
 * @param {string} logFile
 * @param {AbortSignal} signal
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run([program = "", ...args], logFile, signal) {
  return new Promise((settle) => {
    const file = createWriteStream(logFile);
    // In a group of its own, which is ended as a whole: not all that pieces start ends with them.
    const child = spawn(program, args, { cwd: checkout, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const stop = () => child.pid !== undefined && process.kill(-child.pid, "SIGTERM");
    signal.addEventListener("abort", stop);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (/** @type {string} */ chunk) => {
        output += chunk;
        file.write(chunk);
        process.stdout.write(chunk);
      });
    }
    const end = (/** @type {number | null} */ code) => {
      signal.removeEventListener("abort", stop);
      file.end();
      settle({ code, output });
    };
    child.on("error", (error) => {
      output += `${error.message}\n`;
      end(1);
    });
    child.on("close", (code) => end(code));
  });
}

/**
 * The result that is kept of a piece if it was green at a commit and has checked something.
 * @param {string} folder
 * @param {string} name
 * @param {string | undefined} commit
 */
export async function keptGreen(folder, name, commit) {
  const kept = await readKept(folder, name);
  return kept !== undefined && kept.commit === commit && isGreen(kept) && kept.passed > 0 ? kept : undefined;
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {Promise<Kept | undefined>}
 */
async function readKept(folder, name) {
  try {
    return JSON.parse(await readFile(join(folder, `${name}.json`), "utf8"));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {Kept} kept
 */
async function keep(folder, name, kept) {
  const path = join(folder, `${name}.json`);
  // A result that is half written would look like a broken night.
  await writeFile(`${path}.new`, `${JSON.stringify(kept, undefined, 2)}\n`);
  await rename(`${path}.new`, path);
}
