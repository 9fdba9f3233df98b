// @ts-check
export const name = "Jolt chains that multiply their input";

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const token = await portal.asAdministrator();
  const doubling = Array.from({ length: 17 }, () => ({ operation: "shift", spec: { "@": ["a", "b"] } }));
  const copying = [{ operation: "shift", spec: { "*": Array.from({ length: 1_000 }, (_, n) => `@(1)${n}`) } }];
  const growing = [{ operation: "default", spec: { a: "x".repeat(1_000) } }, ...doubling];
  const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, [1, 2, 3]]));
  return portal.measure(async () => {
    const attempts = [];
    for (const [joltSpec, input] of [
      [doubling, { a: "x".repeat(1_000) }],
      [copying, keys],
    ]) {
      attempts.push(await portal.call("POST", "/admin/joltSpecifications/try", { token, body: { joltSpec, input } }));
    }
    attempts.push(await portal.call("POST", "/admin/joltSpecifications", { token, body: { name: "growing", joltSpec: growing } }));
    const note = attempts.map(({ status, ms }) => `${status} in ${Math.round(ms)} ms`).join(", ");
    return { note, ...(attempts.every(({ status }) => status === 400) ? {} : { problem: "a chain was not refused" }) };
  });
}
