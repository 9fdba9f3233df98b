import type { Fault } from "./fault.ts";

const request = "web/src/features/flows/request";

/** The page of a flow request. */
export const flowRequestPageFaults: readonly Fault[] = [
  {
    name: "a comment on a removed component appears on its twin",
    file: `${request}/find-line.ts`,
    from: "bestPlaces(originals, contextAt(content, place, wideLines), known, wideLines).includes(line) ? place + 1 : null",
    to: "bestPlaces(originals, contextAt(content, place, wideLines), known, wideLines).length > 0 ? place + 1 : null",
    tests: [`${request}/find-line.test.ts`],
  },
  {
    name: "a comment on a changed line appears at the same line of another component",
    file: `${request}/find-line.ts`,
    from: "(place) => !identity ||",
    to: "(place) => identity !== null ||",
    tests: [`${request}/find-line.test.ts`],
  },
  {
    name: "an iteration is compared with itself",
    file: `${request}/view-address.ts`,
    from: " && base !== iteration)",
    to: ")",
    tests: [`${request}/view-address.test.ts`],
  },
  {
    name: "an iteration that somebody adds takes the place of the one that is being read",
    file: `${request}/request-page.tsx`,
    from: "const [newest] = useState(iterations.length);",
    to: "const newest = iterations.length;",
    tests: [`${request}/request-page.test.tsx`],
  },
  {
    name: "a request is accepted with an iteration that its dialog does not name",
    file: `${request}/status-dialog.tsx`,
    from: "expectedIterationId: seen.lastIterationId",
    to: "expectedIterationId: queryClient.getQueryData(requestQuery(ids).queryKey)?.lastIterationId ?? 0",
    tests: [`${request}/request-actions.test.tsx`],
  },
  {
    name: "the text of a comment that could not be added is lost",
    file: `${request}/comments-panel.tsx`,
    from: "if (isAdded) setDraft(undefined);",
    to: "setDraft(isAdded ? undefined : undefined);",
    tests: [`${request}/comments.test.tsx`],
  },
  {
    name: "members who are no administrators are offered Accept and Reject",
    file: `${request}/actions-menu.tsx`,
    from: `passesRole(roles, "admin")`,
    to: "roles.length >= 0",
    tests: [`${request}/request-actions.test.tsx`],
  },
  {
    name: "comparing two iterations shows the checks of one",
    file: `${request}/view-address.ts`,
    from: `return (view === "checks") === (mode === "single") ? view : "text";`,
    to: `return mode === "single" && view !== "checks" ? "text" : view;`,
    tests: [`${request}/view-address.test.ts`],
  },
  {
    name: "a finding leads to a connection that names its component",
    file: `${request}/component-line.ts`,
    from: "return places.at(-1);",
    to: "return places[0];",
    tests: [`${request}/component-line.test.ts`],
  },
];
