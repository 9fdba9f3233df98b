// @ts-check
// What a search with an API key costs against the same search with a person's token, in turns over one portal.
import { Caller, expectOk } from "./lib/caller.mjs";
import { comparedInTurns } from "./lib/turns.mjs";

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
 * A key may make 600 calls a minute: rounds times turns stays below half of that for each question.
 * @param {{ origin: string, rounds: number, turns: number }} parts
 * @returns {Promise<ApiKeyResult[]>}
 */
export async function measureApiKeySearches({ origin, rounds, turns }) {
  const person = await Caller.signIn(origin, "editor");
  // Of a run that was stopped.
  await person.call("DELETE", `/apiKeys/${keyName}`);
  const made = await person.call("POST", "/apiKeys", { name: keyName, datasets: [flights] });
  if (made.status !== 201) throw new Error(`no key was made: ${made.status} ${made.text}`);
  const program = new Caller(origin, /** @type {import("@fairway/contract/api-keys").ApiKey} */ (JSON.parse(made.text)).key);
  try {
    /** @type {ApiKeyResult[]} */
    const results = [];
    for (const { question, method, path, body } of questions) {
      const ask = (/** @type {Caller} */ caller) => async (/** @type {number} */ turn) =>
        void expectOk(await caller.call(method, path, body(turn)));
      for (const caller of [person, program]) for (let turn = 0; turn < 10; turn++) await ask(caller)(turn);
      results.push({ question, ...(await comparedInTurns({ rounds, turns }, ask(program), ask(person))) });
    }
    return results;
  } finally {
    program.close();
    await person.call("DELETE", `/apiKeys/${keyName}`);
    person.close();
  }
}
