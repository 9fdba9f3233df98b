// @ts-check
import { median, quantile } from "./statistics.mjs";

/** Counts answers by status and records their durations; `broken` means no answer. */
export function tally() {
  /** @type {number[]} */
  const times = [];
  /** @type {Record<string, number>} */
  const answers = {};
  return {
    times,
    answers,
    /** @param {() => Promise<import("./caller.mjs").Answer>} call */
    time: async (call) => {
      const started = performance.now();
      const status = await call().then(
        (answer) => String(answer.status),
        () => "broken",
      );
      times.push(performance.now() - started);
      answers[status] = (answers[status] ?? 0) + 1;
    },
  };
}

/** @param {readonly number[]} times */
export const spreadOf = (times) => ({ median: median(times), p99: quantile(times, 0.99), slowest: Math.max(...times) });
