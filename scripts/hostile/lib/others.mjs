// @ts-check
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Calls the portal as someone else, one call after another, while it is attacked.
 * @param {() => Promise<import("./portal.mjs").Answer>} call
 * @param {number} [pauseMs]
 */
export function callsOfOthers(call, pauseMs = 100) {
  const stopping = new AbortController();
  /** @type {import("./portal.mjs").Answer[]} */
  const answers = [];
  const loop = async () => {
    while (!stopping.signal.aborted) {
      answers.push(await call());
      await sleep(pauseMs);
    }
  };
  const running = loop();
  return {
    /** Ends with the call under way. */
    stop: async () => {
      stopping.abort();
      await running;
      const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
      const refused = answers.filter(({ status }) => status !== 200);
      const median = times[Math.floor(times.length / 2)] ?? Infinity;
      const worst = times.at(-1) ?? Infinity;
      return {
        worst,
        note: `another person's ${answers.length} calls took ${Math.round(median)} ms (median) and ${Math.round(worst)} ms (worst)`,
        problem:
          refused.length === 0 ? undefined : `${refused.length} of another person's calls failed, the first with ${refused[0]?.status}`,
      };
    },
  };
}
