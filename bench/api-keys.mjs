// @ts-check
// Compares a search with an API key with the same search with a user's access token, alternating on one portal.
import { Caller, expectOk } from "./lib/caller.mjs";
import { compareInTurns } from "./lib/turns.mjs";

/** @typedef {import("./lib/statistics.mjs").Comparison & { question: string }} ApiKeyResult */

const flights = { datasetCategory: "Aviation", datasetId: "flights" };
const keyName = "measured";

const questions = [
  { question: "sample of 25 flights", method: "GET", path: "/datasets/Aviation/flights/sample", body: () => undefined },
  {
    question: "page of 25 flights of a week",
    method: "POST",
    path: "/datasets/Aviation/flights/search",
    body: (/** @type {number} */ turn) => {
      const startMs = Date.UTC(2001, 0, 1 + ((turn * 7) % 150));
      return {
        timeRange: { start: new Date(startMs).toISOString(), end: new Date(startMs + 7 * 86_400_000).toISOString() },
        filters: [],
        paging: { offset: 0, max: 25 },
      };
    },
  },
];

/**
 * A key may make 600 calls a minute: rounds times turns must stay below half of that for each question.
 * @param {{ origin: string, rounds: number, turns: number }} options
 * @returns {Promise<ApiKeyResult[]>}
 */
export async function measureApiKeySearches({ origin, rounds, turns }) {
  const user = await Caller.signIn(origin, "editor");
  // Left over from an interrupted run.
  await user.call("DELETE", `/apiKeys/${keyName}`);
  const created = await user.call("POST", "/apiKeys", { name: keyName, datasets: [flights] });
  if (created.status !== 201) throw new Error(`the key was not created: ${created.status} ${created.text}`);
  const program = new Caller(origin, /** @type {import("@fairway/contract/api-keys").ApiKey} */ (JSON.parse(created.text)).key);
  try {
    /** @type {ApiKeyResult[]} */
    const results = [];
    for (const { question, method, path, body } of questions) {
      const run = (/** @type {Caller} */ caller) => async (/** @type {number} */ turn) =>
        void expectOk(await caller.call(method, path, body(turn)));
      for (const caller of [user, program]) for (let turn = 0; turn < 10; turn++) await run(caller)(turn);
      results.push({ question, ...(await compareInTurns({ rounds, turns }, run(program), run(user))) });
    }
    return results;
  } finally {
    program.close();
    await user.call("DELETE", `/apiKeys/${keyName}`);
    user.close();
  }
}
