// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { counts, ms } from "./report.mjs";
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
    /** @param {() => Promise<{ status: number }>} call */
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

/** @typedef {ReturnType<typeof tally>} Tally */

/** Whether every call was answered. @param {Tally} counted */
export const allAnswered = ({ responses }) => Object.keys(responses).every((status) => status === "200");

/** The cells of a tally, and their heads. @param {Tally} counted @param {number} [share] */
export const tallied = ({ responses, times }, share = 0.99) => [
  counts(responses),
  ms(median(times)),
  ms(quantile(times, share)),
  ms(Math.max(...times)),
];
export const talliedHead = (share = 0.99) => ["responses", "median, ms", `${share * 100}th percentile, ms`, "slowest, ms"];

/**
 * Calls at a fixed rate, whether or not the previous call has been answered.
 * @param {number} pauseMs
 * @param {number} untilMs
 * @param {(turn: number) => Promise<void>} call
 */
export async function atFixedRate(pauseMs, untilMs, call) {
  /** @type {Promise<void>[]} */
  const pending = [];
  for (let turn = 0; performance.now() < untilMs; turn++) {
    pending.push(call(turn));
    await sleep(pauseMs);
  }
  await Promise.all(pending);
}
