import type { FlowChecks } from "@fairway/contract/flow-differences";
import { page } from "vitest/browser";
import { flowComponent } from "./flow-differences.tsx";

export const iterationProps = { group: "weather", flowId: 7, iterationId: 12 };

const fetchTrack = flowComponent("FetchBestTrack");

export const found: FlowChecks = {
  checks: [
    { check: "processor-types", severity: "error", sentence: 'The NiFi lacks the type of "FetchBestTrack".', component: fetchTrack },
    { check: "clear-secrets", severity: "warning", sentence: "A property looks like a password in clear.", component: fetchTrack },
    { check: "unused-parameters", severity: "info", sentence: "2 parameters are not used.", component: null },
    { check: "parameters", severity: "not-checked", sentence: "Choose an environment to check parameters.", component: null },
    { check: "readable", severity: "passed", sentence: "The content can be read.", component: null },
    { check: "size", severity: "passed", sentence: "The content is small enough.", component: null },
  ],
  counts: { error: 1, warning: 1, info: 1 },
};

export const checks = page.getByRole("region", { name: "Checks" });
