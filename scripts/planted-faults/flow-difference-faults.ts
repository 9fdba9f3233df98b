import type { Fault } from "./fault.ts";

const gateway = "gateway/src/capabilities/flow-differences";
const screen = "web/src/features/flows/changes";

/** What iterations of flows change, as sentences, drawings and checks. */
export const flowDifferenceFaults: readonly Fault[] = [
  {
    name: "iterations of another flow are compared",
    file: `${gateway}/capability.ts`,
    from: "found?.group === group && found.flowId === flowId",
    to: "found?.group === group",
    tests: [`${gateway}/flow-differences.test.ts`],
  },
  {
    name: "an iteration of another group is compared in the name of one's own flow",
    file: `${gateway}/capability.ts`,
    from: "base: await requireIteration(user, ref, against)",
    to: "base: { ...iteration, id: against }",
    tests: [`${gateway}/flow-differences.test.ts`],
  },
  {
    name: "each call compares the flows anew",
    file: `${gateway}/shared-results.ts`,
    from: "this.#results.set(key, value);",
    to: "",
    tests: [`${gateway}/flow-differences.test.ts`, `${gateway}/shared-results.test.ts`],
  },
  {
    name: "a caller who leaves ends the comparison for those who still wait",
    file: `${gateway}/shared-results.ts`,
    from: "if (running.waiting === 0) {",
    to: "if (running.waiting >= 0) {",
    tests: [`${gateway}/shared-results.test.ts`],
  },
  {
    name: "the environments of a group are shown to everyone",
    file: `${gateway}/capability.ts`,
    from: "if (!(await flows.isMember(user, group)))",
    to: 'if (group === "")',
    tests: [`${gateway}/flow-differences.test.ts`],
  },
  {
    name: "letters typed in a comment go to the next change",
    file: `${screen}/change-keys.ts`,
    from: 'const fields = "input, textarea, select, [contenteditable]";',
    to: 'const fields = "input, select, [contenteditable]";',
    tests: [`${screen}/flow-changes.test.tsx`],
  },
  {
    name: "a component that is pressed in the drawing is not selected in the list",
    file: `${screen}/drawing/drawing-canvas.tsx`,
    from: "onTap: (point) => onSelect(at(point) ?? null)",
    to: "onTap: () => onSelect(null)",
    tests: [`${screen}/flow-drawing.test.tsx`],
  },
  {
    name: "the drawing keeps the colors of the other theme",
    file: `${screen}/drawing/drawing-canvas.tsx`,
    from: "if (paintedScheme.current !== scheme) palette.current = null;",
    to: "",
    tests: [`${screen}/flow-drawing.test.tsx`],
  },
];
