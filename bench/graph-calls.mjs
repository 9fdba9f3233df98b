// @ts-check
// A graph asked at once, against a call for every one of its values, six under way as the web app keeps them. Only some of
// the calls are made; the others are taken to cost the same.
import { Caller, expectOk } from "./lib/caller.mjs";
import { compared } from "./lib/statistics.mjs";
import { graphBody, graphCases } from "./further-cases.mjs";

const underWay = 6;
/** One call in this many is made. */
const fraction = 20;

/** @typedef {import("./lib/statistics.mjs").Comparison & { question: string, calls: number, made: number }} GraphCallResult */

/**
 * @param {{ origin: string, rounds: number }} parts
 * @returns {Promise<GraphCallResult>}
 */
export async function measureGraphCalls({ origin, rounds }) {
  const callers = await Promise.all(Array.from({ length: underWay }, () => Caller.signIn(origin, "viewer")));
  const [first] = callers;
  const [graph] = graphCases;
  if (first === undefined || graph === undefined) throw new Error("there is nothing to measure");
  /** @type {{ ours: number[], theirs: number[] }[]} */
  const measured = [];
  let calls = 0;
  let made = 0;
  for (let round = 0; round < rounds; round++) {
    const body = graphBody(graph.asked(round), 3_600_000);
    const started = performance.now();
    const { groups } = JSON.parse(expectOk(await first.call("POST", graph.path, body)).text);
    const ours = performance.now() - started;
    const values = body.groups.flatMap((group, index) =>
      body.aggregations.map(({ aggregation, column }, place) => ({
        path: `${graph.path}/${aggregation}/${column}`,
        body: { ...body.search, timeRange: group.timeRange },
        expected: groups[index].values[place],
      })),
    );
    // Every aggregation and every part of the range has its turn: 20 and 3 have no divisor in common.
    const some = values.filter((_, index) => index % fraction === 0);
    [calls, made] = [values.length, some.length];
    const startedSingle = performance.now();
    const queue = some.values();
    await Promise.all(
      callers.map(async (caller) => {
        for (const one of queue) {
          const [value] = Object.values(JSON.parse(expectOk(await caller.call("POST", one.path, one.body)).text));
          if (value !== one.expected && Math.abs(value - one.expected) > 1e-9 * Math.abs(value)) {
            throw new Error(`a single call says ${value} and the graph ${one.expected}`);
          }
        }
      }),
    );
    measured.push({ ours: [ours], theirs: [((performance.now() - startedSingle) * values.length) / some.length] });
  }
  for (const caller of callers) caller.close();
  return { question: graph.question, calls, made, ...compared(measured) };
}
