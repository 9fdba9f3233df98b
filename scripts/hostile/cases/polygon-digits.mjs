// @ts-check
export const name = "Areas: 200,000 digits in a coordinate, and shapes of 2,000 corners";

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const token = await portal.asViewer();
  const timeRange = { start: "2000-01-01T00:00:00Z", end: "2020-01-01T00:00:00Z" };
  const circle = Array.from({ length: 2_000 }, (_, n) => {
    const angle = (n / 2_000) * 2 * Math.PI;
    return `${(50 * Math.cos(angle)).toFixed(6)} ${(50 * Math.sin(angle)).toFixed(6)}`;
  });
  const ring = [...circle.slice(0, 1_999), circle[0]].join(",");
  const digits = ["1".repeat(190_000), `${"1".repeat(190_000)}x`, `0.${"0".repeat(190_000)}x`];
  return portal.measure(async () => {
    const answers = [];
    for (const polygon of [...digits.map((text) => `${text} 1,0 1,1 1,0 0`), ring]) {
      const body = { timeRange, geospatial: { polygons: [polygon], antimeridianPolygons: false } };
      answers.push(await portal.call("POST", "/datasets/Trials/points/search", { token, body }));
    }
    const [last] = answers.slice(-1);
    const note = answers.map(({ status, ms }) => `${status} in ${Math.round(ms)} ms`).join(", ");
    const isRight = answers.slice(0, -1).every(({ status }) => status === 400) && last?.status === 200;
    return { note, ...(isRight ? {} : { problem: "400 for the digits and 200 for the shape were expected" }) };
  });
}
