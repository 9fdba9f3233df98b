// @ts-check
import { median, quantile } from "./statistics.mjs";

/** Counts responses by status and records their durations; `broken` means no response. */
export function tally() {
  /** @type {number[]} */
  const times = [];
  /** @type {Record<string, number>} */
  const responses = {};
  return {
    times,
    responses,
    /** @param {() => Promise<import("./caller.mjs").ApiResponse>} call */
    time: async (call) => {
      const started = performance.now();
      const status = await call().then(
        (response) => String(response.status),
        () => "broken",
      );
      times.push(performance.now() - started);
      responses[status] = (responses[status] ?? 0) + 1;
    },
  };
}

/** @param {readonly number[]} times */
export const spreadOf = (times) => ({ median: median(times), p99: quantile(times, 0.99), slowest: Math.max(...times) });
