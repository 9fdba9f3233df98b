// @ts-check
import { ensureBuilt } from "./build.mjs";
import { Failure } from "./failure.mjs";
import { ensureInstalled } from "./install.mjs";
import { runPortal } from "./portal-process.mjs";

/**
 * Installs and builds what is needed, then runs the portal and exits with its exit code.
 * @param {string[]} args `--production`
 */
export async function launch(args) {
  /** @param {string} line */
  const log = (line) => console.log(line);
  try {
    await ensureInstalled(log);
    await ensureBuilt(log);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exitCode = 1;
    return;
  }
  process.exitCode = await runPortal(args);
}
