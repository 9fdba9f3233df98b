import { flowDeployments } from "@fairway/contract/flow-deployments";
import { live } from "@fairway/contract/live";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "#lib/gateway/query-client.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts, isWithinWindow } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { buildDeployment, buildStep, production, runningOf, serveDeployments, staging } from "#testing/flow-deployments.ts";
import { requestAddress, serveFlowRequest } from "#testing/flow-request.ts";
import { flowCreatedMs } from "#testing/flows.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { button, choose, dialog, openDeployDialog, openRequest } from "#testing/deploys.ts";

const deployButton = () => dialog("Deploy").getByRole("button", { name: "Deploy", exact: true });

it("says before anybody signs in that NiFi does not take the format of an iteration", async () => {
  serveFlowRequest({ contents: ["{}", "<template/>", "name: weather"], formats: ["json", "xml", "yaml"] });
  serveDeployments([], { environments: [{ ...staging, seen: { version: "2.0.0", seenMs: flowCreatedMs } }, production] });
  await openScreen(requestAddress, { roles: ["admin"] });
  await openDeployDialog();
  const problem = dialog("Deploy").getByRole("alert");
  await expect
    .element(problem)
    .toHaveTextContent("Iteration 3 is YAML, which NiFi does not read. Add an iteration with a flow definition in JSON.");
  await choose("Environment", "Staging");
  await page.getByText("None", { exact: true }).click();
  await expect.element(deployButton()).toBeDisabled();
  await expectAccessible({ within: ["[role=dialog]"] });
  await choose("Iteration", "Iteration 2");
  await expect.element(problem).toHaveTextContent("NiFi 2.0.0 has no templates. Export the flow as a flow definition in JSON.");
  await expect.element(deployButton()).toBeDisabled();
  // It was never seen, so that only signing in can show its state.
  await choose("Environment", "Production");
  await expect.element(problem).not.toBeInTheDocument();
  await choose("Environment", "Staging");
  await choose("Iteration", "Iteration 1");
  await expect.element(problem).not.toBeInTheDocument();
  await expect.element(deployButton()).toBeEnabled();
});

it("a first deployment is started if an administrator chooses that, by keyboard", async () => {
  await openRequest([buildDeployment(1)]);
  await openDeployDialog();
  await choose("Environment", "Staging");
  const start = dialog("Deploy").getByRole("checkbox", { name: "Start after deploying" });
  await expect.element(dialog("Deploy").getByText("If a version is running")).toBeVisible();
  await expect.element(start).not.toBeInTheDocument();
  await choose("Environment", "Production");
  await expect.element(start).not.toBeChecked();
  await expect
    .element(dialog("Deploy"))
    .toHaveTextContent("Production does not have this flow yet. A first deployment is left stopped: start it in NiFi.");
  await focus(start);
  await press(" ");
  await expect.element(start).toBeChecked();
  await expect.element(dialog("Deploy")).not.toHaveTextContent("left stopped");
  await expectAccessible({ within: ["[role=dialog]"] });
  await page.getByText("None", { exact: true }).click();
  await deployButton().click();
  await expect.element(dialog("Deployed")).toBeVisible();
  await dialog("Deployed").getByRole("button", { name: "Close", exact: true }).last().click();
  await openDeployDialog();
  await choose("Environment", "Production");
  await expect.element(start).not.toBeInTheDocument();
  await page.getByText("None", { exact: true }).click();
  await deployButton().click();
  await expect.element(dialog("Deployed")).toBeVisible();
  expect(gateway.received(flowDeployments.deploy).map(({ body }) => body?.startNew)).toEqual([true, undefined]);
});

it("shows further steps as soon as live changes report them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  const stream = gateway.serveEvents(live.stream, { kind: "open", build: null });
  const served = await openRequest();
  await vi.waitFor(() => expect(stream.open).toBe(1), 15_000);
  let end = () => {};
  gateway.answer(
    flowDeployments.deploy,
    () =>
      new Promise((_, reject) => {
        end = () => reject(new Refused("upstream-failed", "It broke."));
      }),
    { times: 1 },
  );
  await openDeployDialog();
  await choose("Environment", "Staging");
  await page.getByText("None", { exact: true }).click();
  await deployButton().click();
  await expect.element(dialog("Deploying")).toBeVisible();
  served.running = runningOf("staging", "running", [buildStep("Sign in to NiFi", "running")]);
  const reads = () => gateway.received(flowDeployments.running).length;
  const before = reads();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads()).toBe(before);
  stream.send({ kind: "changed", topic: "deployments", id: "143" });
  await expectTexts(dialog("Deploying").getByRole("listitem"), [/Sign in to NiFi/]);
  expect(reads()).toBe(before + 1);
  end();
  await expect.element(dialog("Error Deploying")).toBeVisible();
});

it("shows why a deployment was refused", async () => {
  await openRequest();
  gateway.refuse(
    flowDeployments.deploy,
    "conflict",
    "root is deploying Iteration 1 of storm-ingest to Staging. Wait until that has ended.",
  );
  await openDeployDialog();
  await choose("Environment", "Staging");
  await page.getByText("None", { exact: true }).click();
  await deployButton().click();
  await expect
    .element(dialog("Error Deploying").getByRole("alert"))
    .toHaveTextContent("root is deploying Iteration 1 of storm-ingest to Staging.");
});

it("follows a deployment whose call was cut off until it has ended", async () => {
  const served = await openRequest();
  gateway.disconnect(flowDeployments.deploy, { times: 1 });
  served.running = runningOf("staging", "running", [buildStep("Replace the flow", "running")]);
  await openDeployDialog();
  await choose("Environment", "Staging");
  await page.getByText("None", { exact: true }).click();
  await deployButton().click();
  await expectTexts(dialog("Deploying").getByRole("listitem"), [/Replace the flow/]);
  served.running = runningOf("staging", "done", [buildStep("Replace the flow", "done")]);
  await expect.element(dialog("Deployed")).toBeVisible();
});

it("an iteration later than the one that runs is deployed, not rolled back to, and the one that runs is offered once", async () => {
  await openRequest([
    buildDeployment(4, { kind: "rollback" }),
    buildDeployment(3, { iterationId: 143, iterationNumber: 3, isCurrent: false }),
    buildDeployment(2, { isCurrent: false }),
    buildDeployment(1, { iterationId: 141, iterationNumber: 1, isCurrent: false }),
  ]);
  await button("4 deployments").click();
  const history = dialog("Deployment History");
  const actions = (time: string) => history.getByRole("row").filter({ hasText: time }).getByRole("button");
  await expectTexts(actions("03:40:09 PM"), ["Check for Drift", "Promote"]);
  await expectTexts(actions("02:40:09 PM"), ["Deploy This"]);
  await expectCount(actions("01:40:09 PM"), 0);
  await expectTexts(actions("12:40:09 PM"), ["Roll Back to This"]);
  await actions("02:40:09 PM").click();
  await expect.element(page.getByRole("combobox", { name: "Iteration" })).toHaveValue("Iteration 3, latest");
  await expect.element(page.getByRole("combobox", { name: "Environment" })).toHaveValue("Staging");
  await expect.element(dialog("Deploy").getByRole("button", { name: "Deploy", exact: true })).toBeVisible();
});

it("changes found by an earlier check are counted, and a further check names them", async () => {
  await openRequest([buildDeployment(1, { drift: { checkedMs: flowCreatedMs, isSame: false, changes: 2 } })]);
  await button("1 deployment").click();
  const history = dialog("Deployment History");
  await expect.element(history).toHaveTextContent("Staging differs from Iteration 2 in 2 places, checked");
  await expect.element(history.getByText("Check for drift again to see what differs.")).toBeVisible();
});

it("says that a failed deployment left something else, and what runs before deploying", async () => {
  await openRequest([
    buildDeployment(1, { laterFailure: { failedMs: flowCreatedMs, text: "The previous version could not be restored." } }),
  ]);
  await button("1 deployment").click();
  await expect.element(dialog("Deployment History")).toHaveTextContent("Uncertain");
  await expect
    .element(dialog("Deployment History"))
    .toHaveTextContent("and left something else: The previous version could not be restored.");
  await dialog("Deployment History").getByRole("button", { name: "Deploy Iteration 2 Again" }).click();
  await expect.element(dialog("Deploy")).toHaveTextContent("A later deployment failed and left something else there");
});

it("an empty history says so, and a history that failed to load is loaded by Retry", async () => {
  await openRequest();
  await button("Deployments").click();
  await expect.element(dialog("Deployment History")).toHaveTextContent("This flow hasn't been deployed yet.");
  await press("Escape");
  gateway.refuse(flowDeployments.ofFlow, "internal", "The database rests.", { times: 1 });
  queryClient.removeQueries({ queryKey: ["flow-deployments"] });
  await button("Deployments").click();
  await expect.element(dialog("Deployment History").getByRole("alert")).toHaveTextContent("Error loading deployments.");
  await dialog("Deployment History").getByRole("button", { name: "Retry" }).click();
  await expect.element(dialog("Deployment History")).toHaveTextContent("This flow hasn't been deployed yet.");
});

it("fits a phone", async () => {
  await page.viewport(390, 800);
  await openRequest([buildDeployment(1, { drift: { checkedMs: flowCreatedMs, isSame: false, changes: 2 } })]);
  await button(/deployment/).click();
  const history = dialog("Deployment History");
  await expect.element(history.getByText("Staging", { exact: true })).toBeVisible();
  await expectCount(history.getByRole("button", { name: /^Check for drift/ }), 1);
  expect(isWithinWindow(history.getByRole("button", { name: /^Promote/ }))).toBe(true);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectAccessible({ within: ["[role=dialog]"] });
  await history.getByRole("button", { name: /^Promote/ }).click();
  await expect.element(dialog("Promote").getByRole("button", { name: "Promote", exact: true })).toBeVisible();
  expect(isWithinWindow(page.getByRole("combobox", { name: "Environment" }))).toBe(true);
});

it("credentials of a drift check are for the address that is shown, too", async () => {
  await openRequest([buildDeployment(1)]);
  await button("1 deployment").click();
  await dialog("Deployment History")
    .getByRole("button", { name: /^Check for drift/ })
    .click();
  const check = dialog("Check for Drift");
  await expect.element(check.getByText("At https://nifi-staging.example.com", { exact: true })).toBeVisible();
  const moved = "https://nifi-new.example.com";
  gateway.answer(flowDeployments.environments, [production, { ...staging, baseUrl: moved }]);
  gateway.refuse(flowDeployments.checkDrift, "conflict", `The address of Staging is now ${moved}.`, { times: 1 });
  await check.getByRole("button", { name: "Check", exact: true }).click();
  await expect.element(check.getByRole("alert")).toHaveTextContent(`The address of Staging is now ${moved}.`);
  await expect.element(check.getByText(`At ${moved}`, { exact: true })).toBeVisible();
  gateway.answer(flowDeployments.checkDrift, () => ({ checkedMs: Date.now(), isSame: true, total: 0, changes: [] }));
  await check.getByRole("button", { name: "Check", exact: true }).click();
  await expect.element(dialog("Deployment History")).toHaveTextContent("Staging holds Iteration 2 as it was deployed");
  expect(gateway.received(flowDeployments.checkDrift).map(({ body }) => body?.expectedBaseUrl)).toEqual([
    "https://nifi-staging.example.com",
    moved,
  ]);
});
