import { compareFlows } from "../flow-definitions/compare-flows.ts";
import { describeChanges } from "../flow-definitions/describe-change.ts";
import { readJsonFlow } from "../flow-definitions/read-json-flow.ts";

export const definition = (group: object, others: object = {}) =>
  JSON.stringify({ flowContents: { identifier: "root", name: "Weather", ...group }, ...others });

export const compareTexts = (before: string, after: string) => describeChanges(compareFlows(readJsonFlow(before), readJsonFlow(after)));
