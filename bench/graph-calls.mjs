// @ts-check
// Compares a graph in one call with one call per value, six at a time like the web app. Only sample of the single calls are
// made; the total is extrapolated.
import { Caller, expectOk } from "./lib/caller.mjs";
import { compare } from "./lib/statistics.mjs";
import { graphBody, graphCases } from "./further-cases.mjs";

const concurrency = 6;
/** One in this many calls is made. */
const fraction = 20;

/** @typedef {import("./lib/statistics.mjs").Comparison & { question: string, calls: number, made: number }} GraphCallResult */

/**
 * @param {{ origin: string, rounds: number }} options
 * @returns {Promise<GraphCallResult>}
 */
export async function measureGraphCalls({ origin, rounds }) {
  const callers = await Promise.all(Array.from({ length: concurrency }, () => Caller.signIn(origin, "viewer")));
  const [first] = callers;
  const [graph] = graphCases;
  if (first === undefined || graph === undefined) throw new Error("there is nothing to measure");
  /** @type {{ ours: number[], theirs: number[] }[]} */
  const measured = [];
  let calls = 0;
  let made = 0;
  for (let round = 0; round < rounds; round++) {
    const body = graphBody(graph.params(round), 3_600_000);
    const started = performance.now();
    const { groups } = JSON.parse(expectOk(await first.call("POST", graph.path, body)).text);
    const ours = performance.now() - started;
    const values = body.groups.flatMap((group, index) =>
      body.aggregations.map(({ aggregation, column }, valueIndex) => ({
        path: `${graph.path}/${aggregation}/${column}`,
        body: { ...body.search, timeRange: group.timeRange },
        expected: groups[index].values[valueIndex],
      })),
    );
    // Covers every aggregation and the whole range, because 20 and 3 are coprime.
    const sample = values.filter((_, index) => index % fraction === 0);
    [calls, made] = [values.length, sample.length];
    const startedSingle = performance.now();
    const queue = sample.values();
    await Promise.all(
      callers.map(async (caller) => {
        for (const call of queue) {
          const [value] = Object.values(JSON.parse(expectOk(await caller.call("POST", call.path, call.body)).text));
          if (value !== call.expected && Math.abs(value - call.expected) > 1e-9 * Math.abs(value)) {
            throw new Error(`a single call returned ${value}, but the graph ${call.expected}`);
          }
        }
      }),
    );
    measured.push({ ours: [ours], theirs: [((performance.now() - startedSingle) * values.length) / sample.length] });
  }
  for (const caller of callers) caller.close();
  return { question: graph.question, calls, made, ...compare(measured) };
}
