// @ts-check
import { ensureBuilt } from "./build.mjs";
import { Failure } from "./failure.mjs";
import { ensureInstalled } from "./install.mjs";
import { runPortal } from "./portal-process.mjs";

/** @param {string} step @param {number} ms */
const printStep = (step, ms) => console.log(`${(ms / 1_000).toFixed(1).padStart(6)} s  ${step}`);

/**
 * Installs and builds what is needed, then runs the portal and exits with its exit code.
 * @param {string[]} args `--production`; `--verbose` prints how long each step took
 */
export async function launch(args) {
  /** @param {string} line */
  const log = (line) => console.log(line);
  const onStep = args.includes("--verbose") ? printStep : undefined;
  try {
    const started = performance.now();
    await ensureInstalled(log);
    onStep?.("Packages", performance.now() - started);
    await ensureBuilt(log, { onStep });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exitCode = 1;
    return;
  }
  process.exitCode = await runPortal(args);
}
