// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { cpuSeconds } from "./cpu.mjs";
import { range, ratio, verdict } from "./report.mjs";
import { median, quantile } from "./statistics.mjs";
import { allAnswered, tallied, talliedHead, tally } from "./tally.mjs";

/**
 * Calls of people who pause between them, in rounds without and with the load of others, because other load on the machine changes
 * over time.
 * @typedef {object} Beside
 * @property {number} pid of the gateway
 * @property {readonly import("./caller.mjs").Caller[]} callers the others
 * @property {(caller: import("./caller.mjs").Caller, turn: number) => Promise<import("./caller.mjs").ApiResponse>} call
 * @property {number} pauseMs
 * @property {number} rounds
 * @property {number} seconds of each half of a round
 * @property {(round: number) => Promise<() => Promise<unknown>>} startLoad resolves with what ends it
 * @property {number} maxRatio of the 95th percentiles
 * @property {number} maxMs of the slowest call
 */

/** @param {Beside} options */
export async function measureBeside({ pid, callers, call, pauseMs, rounds, seconds, startLoad, maxRatio, maxMs }) {
  const [alone, beside] = [tally(), tally()];
  const cpu = { alone: 0, beside: 0 };
  /** @type {number[]} */
  const ratios = [];
  const half = async (/** @type {"alone" | "beside"} */ name) => {
    const [sum, counted, before] = [name === "alone" ? alone : beside, tally(), await cpuSeconds(pid)];
    const until = performance.now() + seconds * 1_000;
    await Promise.all(
      callers.map(async (caller, index) => {
        for (let turn = index; performance.now() < until; turn++) {
          await counted.time(() => call(caller, turn));
          await sleep(pauseMs);
        }
      }),
    );
    cpu[name] += (await cpuSeconds(pid)) - before;
    sum.times.push(...counted.times);
    for (const [status, times] of Object.entries(counted.responses)) sum.responses[status] = (sum.responses[status] ?? 0) + times;
    return quantile(counted.times, 0.95);
  };
  for (let round = 0; round < rounds; round++) {
    const without = await half("alone");
    const endLoad = await startLoad(round);
    ratios.push((await half("beside")) / without);
    await endLoad();
  }
  const middle = median(ratios);
  const isAnswered = allAnswered(beside) && Math.max(...beside.times) < maxMs;
  const reached = `${verdict(isAnswered)} (responses); ${verdict(middle <= maxRatio)} (${ratio(middle)} times, by round ${range([Math.min(...ratios), Math.max(...ratios)])})`;
  return {
    cpuSeconds: cpu.beside - cpu.alone,
    head: ["calls of others", ...talliedHead(0.95), "target"],
    rows: [
      ["alone", ...tallied(alone, 0.95), "–"],
      ["beside", ...tallied(beside, 0.95), reached],
    ],
  };
}
