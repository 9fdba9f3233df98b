// @ts-check
import { sendBurst } from "../lib/burst.mjs";
import { callsOfOthers } from "../lib/others.mjs";

export const name = "1,200 calls at once by one account, against the connections to the database";

/** @param {import("../run.mjs").Context} context */
export async function run({ portal, short }) {
  const calls = 1_200;
  const rounds = short ? 1 : 3;
  const token = await portal.asViewer();
  const other = await portal.asAdministrator();
  return portal.measure(async () => {
    const others = callsOfOthers(() => portal.call("GET", "/boards", { token: other }), 20);
    /** @type {Record<string, number>} */
    const statuses = {};
    const startedMs = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      const answered = await sendBurst({ url: `${portal.origin}/api/boards`, method: "GET", token, calls });
      for (const [status, times] of Object.entries(answered)) statuses[status] = (statuses[status] ?? 0) + times;
    }
    const seconds = (performance.now() - startedMs) / 1_000;
    const { note, problem, worst } = await others.stop();
    const answered = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`);
    const slow = worst > (short ? 5_000 : 1_000) ? `another person waited ${Math.round(worst)} ms` : undefined;
    const problems = [problem, slow].filter((text) => text !== undefined);
    return {
      note: `the account got ${answered.join(", ")} in ${seconds.toFixed(1)} s; ${note}`,
      ...(problems.length === 0 ? {} : { problem: problems.join("; ") }),
    };
  });
}
