// @ts-check
// The frame of commands that run long tests: packages, interruptions, and the last lines that a night reads.
import { Failure } from "../lib/failure.mjs";
import { ensureInstalled } from "../lib/install.mjs";

/** A second Ctrl-C, or npm's copy of the first, must not interrupt the end of servers. @type {() => void} */
let onInterrupt = () => process.exit(1);
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => onInterrupt());

/** Resolves when this process is asked to end. @returns {Promise<void>} */
export const untilInterrupted = () => new Promise((resolve) => (onInterrupt = resolve));

/** @param {string} line */
export const log = (line) => console.log(line);

/** Results of a scenario. */
export class Outcomes {
  passed = 0;
  failed = 0;
  /** Checks that this machine does not allow. @type {string[]} */
  notRun = [];

  /** @param {{ passed: number, failed: number }} counted */
  add({ passed, failed }) {
    this.passed += passed;
    this.failed += failed;
  }

  /**
   * @param {string} name
   * @param {() => Promise<unknown>} work
   */
  async check(name, work) {
    try {
      await work();
      this.passed += 1;
      log(`✓ ${name}`);
    } catch (error) {
      this.failed += 1;
      log(`✗ ${name}\n${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/**
 * Runs a scenario, says what was not run, ends with `N passed, N failed`, and exits.
 * @param {(outcomes: Outcomes) => Promise<unknown>} work
 */
export async function runScenario(work) {
  const outcomes = new Outcomes();
  try {
    await ensureInstalled(log, { forTests: true });
    await work(outcomes);
  } catch (error) {
    outcomes.failed += 1;
    console.error(error instanceof Failure ? error.message : error);
  }
  for (const what of outcomes.notRun) log(`not run: ${what}`);
  log(`\n${outcomes.passed} passed, ${outcomes.failed} failed`);
  process.exit(outcomes.failed === 0 ? 0 : 1);
}
