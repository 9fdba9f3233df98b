import { type FlowChecks, flowDifferences } from "@fairway/contract/flow-differences";
import { flowRequestStatus } from "@fairway/contract/flow-requests";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress } from "#testing/assertions.ts";
import { flowComponent } from "#testing/flow-differences.tsx";
import { requestAddress, serveFlowRequest, textAddress } from "#testing/flow-request.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const viewer = page.getByRole("region", { name: "Content" });
const views = viewer.getByRole("group", { name: "View" });

const poll = flowComponent("Poll", { id: "p-1" });
const parameter = flowComponent("folder", { id: "parameter folder", kind: "parameter" });
const found: FlowChecks["checks"] = [
  { check: "clear-secrets", severity: "warning", sentence: "Poll holds a secret in plain text.", component: poll },
  { check: "unused-parameters", severity: "info", sentence: "Nothing uses the parameter.", component: parameter },
];

function serve() {
  serveFlowRequest({ request: { status: flowRequestStatus.readyForReview } });
  gateway.answer(flowDifferences.environments, []);
  gateway.answer(flowDifferences.checks, ({ query: { iterationId } }) => ({
    checks: iterationId === 142 ? found : [],
    counts: { error: 0, warning: iterationId === 142 ? 1 : 0, info: iterationId === 142 ? 1 : 0 },
    seenMs: null,
  }));
}

it("every member sees the checks of an iteration, also while it is reviewed", async () => {
  serve();
  await openScreen(textAddress, { roles: ["flow-developer-weather"] });
  await expect.element(views.getByRole("button", { name: "Text" })).toHaveAttribute("aria-pressed", "true");
  await views.getByRole("button", { name: "Checks" }).click();
  const region = viewer.getByRole("region", { name: "Checks of iteration 2" });
  await expect.element(region.getByRole("status")).toHaveTextContent("1 warning and 1 note");
  await expectAddress(`${requestAddress}?view=checks&iteration=2`);
  // The view is rendered anew, and the button keeps the focus.
  await expect.element(views.getByRole("button", { name: "Checks" })).toHaveFocus();
  await expectAccessible();
  await viewer.getByRole("combobox", { name: "Show" }).selectOptions("Iteration 1");
  await expect.element(viewer.getByRole("region", { name: "Checks of iteration 1" }).getByRole("status")).toHaveTextContent("No findings");
});

it("a finding leads to the line of its component", async () => {
  serve();
  await openScreen(`${requestAddress}?view=checks`, { roles: ["flow-developer-weather"] });
  await viewer.getByRole("button", { name: "Show Poll" }).click();
  await expectAddress(`${requestAddress}?iteration=2&line=7`);
  await expect.element(viewer.getByText(/"p-1"/)).toBeVisible();
});

it("a finding without a place in the text leads nowhere", async () => {
  serve();
  await openScreen(`${requestAddress}?view=checks`, { roles: ["flow-developer-weather"] });
  await expect.element(viewer.getByText("Nothing uses the parameter.")).toBeVisible();
  await expect.element(viewer.getByRole("button", { name: "Show folder" })).not.toBeInTheDocument();
});
