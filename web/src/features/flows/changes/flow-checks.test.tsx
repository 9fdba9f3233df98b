import { type FlowChecks, type FlowComponentRef, flowDifferences } from "@fairway/contract/flow-differences";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { flowComponent, openFlowPart } from "#testing/flow-differences.tsx";
import { gateway } from "#testing/open-screen.tsx";
import { FlowChecksList } from "./flow-checks.tsx";

const iterationProps = { group: "weather", flowId: 7, iterationId: 12 };
const fetchTrack = flowComponent("FetchBestTrack");

const found: FlowChecks = {
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

function open(onComponent?: (component: FlowComponentRef) => void): void {
  gateway.answer(flowDifferences.environments, [
    { id: "prod", displayName: "Production" },
    { id: "test", displayName: "Test bench" },
  ]);
  gateway.answer(flowDifferences.checks, ({ query: { environmentId } }) => ({
    ...found,
    seenMs: environmentId === "prod" ? Date.now() - 3 * 3_600_000 : null,
  }));
  openFlowPart(<FlowChecksList {...iterationProps} onComponent={onComponent} />);
}

const checks = page.getByRole("region", { name: "Checks" });

it("lists findings with their severity as a word, and passed checks on wish", async () => {
  open();
  await expect.element(checks.getByRole("status")).toHaveTextContent("1 error, 1 warning and 1 note");
  const items = () => [...checks.element().querySelectorAll("li")].map(({ textContent }) => textContent);
  expect(items()).toEqual([
    'ErrorThe NiFi lacks the type of "FetchBestTrack".',
    "WarningA property looks like a password in clear.",
    "Note2 parameters are not used.",
    "Not checkedChoose an environment to check parameters.",
  ]);
  await checks.getByRole("button", { name: "Show 2 passed checks" }).click();
  expect(items().slice(4)).toEqual(["PassedThe content can be read.", "PassedThe content is small enough."]);
  await expectAccessible();
});

it("checks against an environment, and says how old the facts about it are", async () => {
  open();
  const environment = checks.getByRole("combobox", { name: "Check against" });
  await environment.selectOptions("Production");
  await expect.element(checks.getByText(/^Checked against Production as it was 3 hours ago \(.* UTC\)\.$/)).toBeVisible();
  expect(gateway.received(flowDifferences.checks).map(({ query }) => query)).toEqual([
    { iterationId: 12 },
    { iterationId: 12, environmentId: "prod" },
  ]);
  await environment.selectOptions("Test bench");
  await expect
    .element(checks.getByText("There's no information about Test bench yet. An administrator must deploy to it first."))
    .toBeVisible();
  await environment.selectOptions("No environment");
  await expect.element(checks.getByText(/Test bench yet/)).not.toBeInTheDocument();
});

it("leads to the component of a finding", async () => {
  const shown: string[] = [];
  open(({ id }) => shown.push(id));
  await checks.getByRole("button", { name: "Show FetchBestTrack" }).first().click();
  expect(shown).toEqual(["id-FetchBestTrack"]);
});

it("says when nothing was found, and what failed", async () => {
  gateway.answer(flowDifferences.environments, []);
  gateway.refuse(flowDifferences.checks, "engine-busy", "Other flows are being read.");
  openFlowPart(<FlowChecksList {...iterationProps} />);
  await expect.element(page.getByRole("alert")).toHaveTextContent("Other flows are being read.");
  gateway.answer(flowDifferences.checks, { checks: found.checks.slice(4), counts: { error: 0, warning: 0, info: 0 }, seenMs: null });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(checks.getByRole("status")).toHaveTextContent("No findings");
});
