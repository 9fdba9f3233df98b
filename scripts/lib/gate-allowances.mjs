// @ts-check

export const testsPart = "unit, integration and screens";
export const journeysPart = "browser journeys";

/**
 * Seconds that parts of `npm test` may take on two cores that do nothing else. docs/tests.md says what each of them costs.
 * @type {Readonly<Record<string, number>>}
 */
const allowances = { "build and bundle budgets": 20, "types and lint": 45, [testsPart]: 295, [journeysPart]: 90 };

/**
 * Lines about the parts that took longer than they may. A busy machine is slow, so this never fails a run.
 * @param {readonly { name: string, seconds: number }[]} steps
 * @returns {string[]}
 */
export function overAllowance(steps) {
  const late = steps.flatMap(({ name, seconds }) => {
    const allowed = allowances[name];
    return allowed !== undefined && seconds > allowed
      ? [`  ${name} may take ${allowed} s on two cores, and took ${Math.round(seconds)} s`]
      : [];
  });
  return late.length === 0 ? [] : ["", "Longer than allowed (docs/tests.md), unless other programs kept the machine busy:", ...late];
}
