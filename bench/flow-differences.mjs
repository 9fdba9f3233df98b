// @ts-check
// Flows of 5 MB: the changes between two of them as sentences, compared with only parsing both as JSON, and a drawing of 1,000
// processors. Runs in this thread, so that starting a worker and copying its answer are not measured.
import { compareFlows } from "@fairway/gateway/flow-definitions/compare-flows";
import { checkFlow } from "@fairway/gateway/flow-definitions/check-flow";
import { describeChanges } from "@fairway/gateway/flow-definitions/describe-change";
import { drawComparison } from "@fairway/gateway/flow-definitions/draw-flow";
import { readFlow } from "@fairway/gateway/flow-definitions/read-flow";
import { Random, generateFlow } from "@fairway/gateway/testing/generated-flows";
import { compareInTurns } from "./lib/turns.mjs";

/** @typedef {import("./lib/statistics.mjs").Comparison & { what: string, reached: boolean }} FlowDifferenceResult */

/**
 * @param {{ groups: number, processorsPerGroup: number }} size
 * @returns {[before: string, after: string]} the newer one reschedules every processor and moves some on the canvas
 */
function twoFlows(size) {
  const flow = generateFlow(new Random(1), size);
  const before = JSON.stringify(flow);
  const after = before.replaceAll('"schedulingPeriod":"1 sec"', '"schedulingPeriod":"2 sec"').replaceAll('"x":100,', '"x":150,');
  return [before, after];
}

/** @param {string} text */
function readComponents(text) {
  const flow = readFlow(text);
  if (flow.format === "yaml") throw new Error("a generated flow is JSON");
  return flow;
}

/** @param {readonly [before: string, after: string]} texts */
const differences = ([before, after]) => compareFlows(readComponents(before), readComponents(after));

/** @returns {Promise<FlowDifferenceResult[]>} */
export async function measureFlowDifferences() {
  const large = twoFlows({ groups: 212, processorsPerGroup: 9 });
  const drawn = twoFlows({ groups: 50, processorsPerGroup: 20 });
  /** @type {{ what: string, texts: readonly string[], ours: () => unknown, atMost: number }[]} */
  const cases = [
    { what: "sentences for two flows", texts: large, ours: () => describeChanges(differences(large)), atMost: 12 },
    { what: "checks of one flow", texts: [large[1]], ours: () => checkFlow(large[1]), atMost: 12 },
    { what: "drawing of two flows with 1,000 processors", texts: drawn, ours: () => drawComparison(differences(drawn)), atMost: 12 },
  ];
  /** @type {FlowDifferenceResult[]} */
  const results = [];
  for (const { what, texts, ours, atMost } of cases) {
    const [mb] = texts.map((text) => (Buffer.byteLength(text) / 1e6).toFixed(1));
    const compared = await compareInTurns(
      { rounds: 3, turns: 7 },
      async () => void ours(),
      async () => void texts.map((text) => JSON.parse(text)),
    );
    results.push({ what: `${what} (${mb} MB)`, ...compared, reached: compared.ratio <= atMost && compared.ours < 2_000 });
  }
  return results;
}
