// @ts-check
// `node bench/bursts.mjs`, after a build: one person sends 1,200 calls at once, several times, while another one makes one call after
// another. Rounds with and without the bursts alternate. The figures are in docs/performance.md.
import { setTimeout as sleep } from "node:timers/promises";
import { loadavg } from "node:os";
import { openPortal } from "../scripts/hostile/lib/portal.mjs";
import { sendBurst } from "../scripts/hostile/lib/burst.mjs";
import { median, quantile } from "./lib/statistics.mjs";

const rounds = 5;
const callsAtOnce = 1_200;
const burstsPerRound = 3;
const pauseMs = 20;
const aloneMs = 4_000;

/** One query of the database each. */
const path = "/boards";

const portal = await openPortal({ env: { LIMIT_USER_CALLS_PER_MINUTE: "1000000" } });
try {
  const token = await portal.asViewer();
  const other = await portal.asAdministrator();

  /** @param {() => Promise<unknown>} meanwhile */
  const callsWhile = async (meanwhile) => {
    const over = new AbortController();
    const ended = meanwhile().finally(() => over.abort());
    /** @type {number[]} */
    const times = [];
    let refused = 0;
    while (!over.signal.aborted) {
      const { status, ms } = await portal.call("GET", path, { token: other });
      if (status === 200) times.push(ms);
      else refused += 1;
      await sleep(pauseMs);
    }
    await ended;
    return { times, refused };
  };

  /** @type {Record<string, number>} */
  const statuses = {};
  const burst = async () => {
    for (let time = 0; time < burstsPerRound; time += 1) {
      const answered = await sendBurst({ url: `${portal.origin}/api${path}`, method: "GET", token, calls: callsAtOnce });
      for (const [status, times] of Object.entries(answered)) statuses[status] = (statuses[status] ?? 0) + times;
    }
  };
  const sums = { alone: /** @type {number[]} */ ([]), loaded: /** @type {number[]} */ ([]), refused: 0 };
  // The first one compiles.
  await callsWhile(burst);
  for (const status of Object.keys(statuses)) delete statuses[status];
  for (let round = 0; round < rounds; round += 1) {
    sums.alone.push(...(await callsWhile(() => sleep(aloneMs))).times);
    const { times, refused } = await callsWhile(burst);
    sums.loaded.push(...times);
    sums.refused += refused;
  }
  const figures = (/** @type {number[]} */ times) =>
    `${times.length} calls: median ${median(times).toFixed(0)} ms, 95th percentile ${quantile(times, 0.95).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`;
  console.log(`another person, without bursts: ${figures(sums.alone)}`);
  console.log(`another person, during ${rounds * burstsPerRound} bursts: ${figures(sums.loaded)}; ${sums.refused} refused`);
  console.log(`the person with ${callsAtOnce.toLocaleString("en-US")} calls at once: ${JSON.stringify(statuses)}`);
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  );
} finally {
  await portal.stop();
}
