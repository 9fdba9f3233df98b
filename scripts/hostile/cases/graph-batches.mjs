// @ts-check
export const name = "Graph calls with the maximum number of groups and conditions, and with far more";

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const token = await portal.asViewer();
  const hour = 3_600_000;
  const step = (/** @type {number} */ n, /** @type {number} */ width) => ({
    start: new Date(1_577_836_800_000 + n * hour).toISOString(),
    end: new Date(1_577_836_800_000 + n * hour + width).toISOString(),
  });
  const condition = (/** @type {number} */ value) => ({ name: "value", operator: ">=", value });
  /** @param {number} count @param {(n: number) => object} group @param {number} aggregations */
  const graphBody = (count, group, aggregations) => ({
    search: { filters: [], timeRange: { start: "2020-01-01T00:00:00Z", end: "2022-01-01T00:00:00Z" } },
    groups: Array.from({ length: count }, (_, n) => ({ id: `${n}`, ...group(n) })),
    aggregations: Array.from({ length: aggregations }, () => ({ aggregation: "count", column: "*" })),
  });
  const many = Array.from({ length: 100_000 }, () => ({}));
  /** @type {[string, object][]} */
  const bodies = [
    ["10,000 steps", graphBody(10_000, (n) => ({ timeRange: step(n, hour - 1) }), 5)],
    ["500 groups of one condition", graphBody(500, (n) => ({ filters: [condition(n)] }), 1)],
    ["2,000 groups of 5 conditions", graphBody(2_000, (n) => ({ timeRange: step(n, hour), filters: [1, 2, 3, 4, 5].map(condition) }), 2)],
    ["a condition of 3 MB", graphBody(1, () => ({ filters: [{ name: "name", operator: "=", value: "x".repeat(3_000_000) }] }), 1)],
    ["a group of 100,000 conditions", graphBody(1, () => ({ filters: many }), 1)],
    ["100,000 groups", { ...graphBody(1, () => ({}), 1), groups: many }],
    ["10,000 groups without an id", { ...graphBody(1, () => ({}), 1), groups: many.slice(0, 10_000) }],
    ["10,000 groups of the same id", graphBody(10_000, () => ({ id: "same" }), 1)],
    ["10,000 groups of an unknown column", graphBody(10_000, (n) => ({ filters: [{ ...condition(n), name: "nowhere" }] }), 1)],
  ];
  return portal.measure(async () => {
    const notes = [];
    const unexpected = [];
    for (const [kind, body] of bodies) {
      const { status, ms, text } = await portal.call("POST", "/datasets/Trials/points/aggregate", { token, body });
      notes.push(`${kind} ${status} in ${Math.round(ms)} ms`);
      if (![200, 400, 413].includes(status)) unexpected.push(`${kind}: ${status} ${text.slice(0, 200)}`);
    }
    return { note: notes.join(", "), ...(unexpected.length === 0 ? {} : { problem: unexpected.join("; ") }) };
  });
}
