// @ts-check
import { callsOfOthers } from "../lib/others.mjs";

export const name = "Assistants: batches of messages and single ones, by one API key from eight clients";

const clients = 8;
const search = { filters: [], paging: { offset: 0, max: 25 }, timeRange: { start: "2020-01-01T00:00:00Z", end: "2020-01-02T00:00:00Z" } };
const headers = { accept: "application/json, text/event-stream" };

/** @param {import("../run.mjs").Context} context */
export async function run({ portal, short }) {
  const seconds = short ? 2 : 30;
  const owner = await portal.asViewer();
  const other = await portal.asAdministrator();
  const draft = { name: `assistant ${Date.now()}`, datasets: [{ datasetCategory: "Trials", datasetId: "points" }], filesetIds: [] };
  const created = await portal.call("POST", "/apiKeys", { token: owner, body: draft });
  const token = JSON.parse(created.text).key;
  let number = 0;
  const message = (/** @type {string} */ method) => ({ jsonrpc: "2.0", id: (number += 1), method, params: {} });
  const batch = (/** @type {string} */ method) => Array.from({ length: 100 }, () => message(method));
  /** @type {[string, () => unknown, readonly number[]][]} */
  const bodies = [
    ["batches of 100 lists", () => batch("tools/list"), [400, 429]],
    ["batches of 100 pings", () => batch("ping"), [400, 429]],
    ["batches of 10,000", () => Array.from({ length: 100 }, () => batch("ping")).flat(), [413, 429]],
    ["single lists", () => message("tools/list"), [200, 429]],
    ["large messages", () => ({ ...message("ping"), params: { filler: Array.from({ length: 100_000 }, () => 1) } }), [200, 400, 413, 429]],
  ];
  /** @type {string[]} */
  const problems = [];
  return portal.measure(async () => {
    const others = callsOfOthers(() => portal.call("POST", "/datasets/Trials/points/search", { token: other, body: search }));
    const notes = [];
    for (const [kind, body, expected] of bodies) {
      const endMs = performance.now() + (seconds * 1_000) / bodies.length;
      /** @type {import("../lib/portal.mjs").Answer[]} */
      const answers = [];
      const attack = async () => {
        while (performance.now() < endMs) answers.push(await portal.call("POST", "/mcp", { token, body: body(), headers }));
      };
      await Promise.all(Array.from({ length: clients }, attack));
      notes.push(`${answers.length} ${kind}`);
      const wrong = answers.find(({ status }) => !expected.includes(status));
      if (wrong) problems.push(`${kind}: ${wrong.status} ${wrong.text.slice(0, 100)}`);
    }
    const { note, problem } = await others.stop();
    if (problem !== undefined) problems.push(problem);
    return { note: `${notes.join(", ")}; ${note}`, ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) };
  });
}
