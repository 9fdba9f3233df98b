import type { Fault } from "./fault.ts";

const flows = "web/src/features/flows";
const shell = "web/src/shell";

/** The lists of flows and requests, the main history and their menu. */
export const flowScreenFaults: readonly Fault[] = [
  {
    name: "NiFlow is in the menu of users without flow groups",
    file: `${shell}/navigation.ts`,
    from: `(id !== "niflow" || isFlowMember)`,
    to: `id !== ""`,
    tests: [`${shell}/flow-menu.test.tsx`],
  },
  {
    name: "the number of requests that need a review is never read again",
    file: "web/src/parts/flow-groups/queries.ts",
    from: "? pollIntervalMs : false",
    to: "? false : false",
    tests: [`${shell}/flow-menu.test.tsx`],
  },
  {
    name: "addresses with ids that are no integers open a screen",
    file: `${shell}/screens.ts`,
    from: "idText.test(String(params[param]))",
    to: `idText.test("1") && params[param] !== ""`,
    tests: [`${shell}/flow-menu.test.tsx`],
  },
  {
    name: "the filter Closed shows open requests",
    file: `${flows}/requests/requests-place.ts`,
    from: `label: "Closed", state: "closed"`,
    to: `label: "Closed", state: "open"`,
    tests: [`${flows}/requests/requests-page.test.tsx`],
  },
  {
    name: "a refused file leaves the one that was chosen before",
    file: `${flows}/flow-file-input.tsx`,
    from: "onChange(isProblem ? null : read)",
    to: "if (!isProblem) onChange(read)",
    tests: [`${flows}/requests/requests-page.test.tsx`],
  },
  {
    name: "a flow file that is read slowly replaces one that was chosen later",
    file: `${flows}/flow-file-input.tsx`,
    from: "if (latest.current !== file) return;",
    to: "if (latest.current === null) return;",
    tests: [`${flows}/requests/requests-page.test.tsx`],
  },
  {
    name: "relative times stay as they were when the page was opened",
    file: "web/src/ui/relative-time.tsx",
    from: "setNowMs(Date.now())), []",
    to: "setNowMs(nowMs)), [nowMs]",
    tests: [`${flows}/history/history-page.test.tsx`],
  },
];
