import { type FlowComponentRef, flowDifferences } from "@fairway/contract/flow-differences";
import { expect, it } from "vitest";
import { expectAccessible } from "#testing/accessibility.ts";
import { openFlowPart } from "#testing/flow-differences.tsx";
import { gateway } from "#testing/open-screen.tsx";
import { FlowChecksList } from "./flow-checks.tsx";
import { iterationProps, found, checks } from "#testing/flow-checks.ts";

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
