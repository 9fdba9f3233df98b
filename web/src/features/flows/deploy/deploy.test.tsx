import { flowDeployments } from "@fairway/contract/flow-deployments";
import type { FlowChange } from "@fairway/contract/flow-differences";
import { flowRequestStatus } from "@fairway/contract/flow-requests";
import { describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "#lib/gateway/query-client.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts, expectToastFor } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { openOnce } from "#testing/open-once.tsx";
import { buildDeployment, buildStep, production, runningOf, staging } from "#testing/flow-deployments.ts";
import { flowCreatedMs } from "#testing/flows.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { button, choose, dialog, openDeployDialog, openRequest } from "#testing/deploys.ts";
import { setField } from "#testing/quick-fields.ts";

const deployButton = () => dialog("Deploy").getByRole("button", { name: "Deploy", exact: true });
const field = (label: string | RegExp) => page.getByRole("dialog").getByRole("textbox", { name: label, exact: true });
/** Password fields have no role, and the choice above one is called like it. */
const secretField = () => page.getByRole("dialog").css("input[autocomplete='new-password']");

describe("Deploy", () => {
  openOnce(async () => {
    await openRequest([buildDeployment(1)]);
    await openDeployDialog();
  });

  it("[FLOW-47] needs an iteration and an environment, and says what that has", async () => {
    await expect.element(page.getByRole("combobox", { name: "Iteration" })).toHaveValue("Iteration 3, latest");
    await expect.element(deployButton()).toBeDisabled();
    await page.getByText("None", { exact: true }).click();
    // The environment is missing.
    await expect.element(deployButton()).toBeDisabled();
    await choose("Environment", "Staging");
    await expect.element(deployButton()).toBeEnabled();
    await expect
      .element(dialog("Deploy"))
      .toHaveTextContent("Staging has Iteration 2 of Larger batches for best-track, deployed 11/18/2026, 12:40:09 PM by admin.");
  });

  it("[FLOW-48] takes a username with a password, or neither", async () => {
    await choose("Environment", "Staging");
    await page.getByText("Username and password", { exact: true }).click();
    await expect.element(deployButton()).toBeEnabled();
    await setField(secretField(), "s3cret");
    await expect.element(deployButton()).toBeDisabled();
    await expect.element(dialog("Deploy").getByText("Enter a username, or leave both blank.")).toBeVisible();
    await setField(secretField(), "");
    await setField(field(/Username/), "nina");
    await expect.element(deployButton()).toBeDisabled();
    await expect.element(dialog("Deploy").getByText("Enter a password, or leave both blank.")).toBeVisible();
    await expectAccessible({ within: ["[role=dialog]"] });
    await setField(secretField(), "s3cret");
    await expect.element(deployButton()).toBeEnabled();
    await expect.element(dialog("Deploy").getByText(/or leave both blank/)).not.toBeInTheDocument();
  });

  it("[FLOW-46] deploys the iteration to the environment, and says so for 2 seconds", async () => {
    await choose("Environment", "Staging");
    await setField(field(/Username/), "nina");
    await setField(secretField(), "s3cret");
    vi.useFakeTimers();
    await deployButton().click();
    await expectToastFor("Iteration 3 deployed to Staging", 2000);
    await expect.element(dialog("Deployed")).toHaveTextContent("Iteration 3 is deployed to Staging.");
    await expectTexts(dialog("Deployed").getByRole("listitem"), [/Sign in to NiFi.*0\.4 s/, /Replace the flow.*0\.4 s/]);
    await dialog("Deployed").getByRole("button", { name: "Close", exact: true }).last().click();
    await expect.element(button("2 deployments")).toBeVisible();
    expect(gateway.received(flowDeployments.deploy).map(({ params, body }) => [params, body])).toEqual([
      [
        { id: 143, environmentId: "staging" },
        {
          passwordCredentials: { username: "nina", password: "s3cret" },
          ifRunning: "stop-and-drain",
          expectedBaseUrl: "https://nifi-staging.example.com",
        },
      ],
    ]);
  });
});

it("[FLOW-48] a token is sent instead of a username, also of an earlier iteration to where the flow is new", async () => {
  await openRequest([buildDeployment(1)]);
  await openDeployDialog();
  await choose("Iteration", "Iteration 1");
  await choose("Environment", "Production");
  await expect.element(dialog("Deploy")).toHaveTextContent("Production does not have this flow yet.");
  await page.getByText("Auth token", { exact: true }).click();
  await expect.element(deployButton()).toBeEnabled();
  await setField(secretField(), "t0ken");
  await press("Enter", secretField());
  await expect.element(dialog("Deployed")).toBeVisible();
  expect(gateway.received(flowDeployments.deploy).map(({ params, body }) => [params, body])).toEqual([
    [
      { id: 141, environmentId: "production" },
      { tokenCredentials: { authToken: "t0ken" }, ifRunning: "stop-and-drain", expectedBaseUrl: "https://nifi.example.com" },
    ],
  ]);
});

it("credentials are for the address that is shown, and the new one is shown if it changes meanwhile", async () => {
  await openRequest([buildDeployment(1)]);
  await openDeployDialog();
  await choose("Environment", "Staging");
  await expect.element(dialog("Deploy").getByText("At https://nifi-staging.example.com", { exact: true })).toBeVisible();
  const moved = "https://nifi-new.example.com";
  gateway.answer(flowDeployments.environments, [production, { ...staging, baseUrl: moved }]);
  const refusal = `The address of Staging is now ${moved}. Nothing was sent there. Try again if that address is right.`;
  gateway.refuse(flowDeployments.deploy, "conflict", refusal, { times: 1 });
  await setField(field(/Username/), "nina");
  await setField(secretField(), "s3cret");
  await deployButton().click();
  await expect.element(dialog("Error Deploying").getByRole("alert")).toHaveTextContent(refusal);
  await dialog("Error Deploying").getByRole("button", { name: "Try Again" }).click();
  await expect.element(dialog("Deploy").getByText(`At ${moved}`, { exact: true })).toBeVisible();
  await deployButton().click();
  await expect.element(dialog("Deployed")).toBeVisible();
  expect(gateway.received(flowDeployments.deploy).map(({ body }) => body?.expectedBaseUrl)).toEqual([
    "https://nifi-staging.example.com",
    moved,
  ]);
});

it("credentials are stored nowhere, and browsers are asked not to store them", async () => {
  await openRequest();
  await openDeployDialog();
  await choose("Environment", "Staging");
  await expect.element(field(/Username/)).toHaveAttribute("autocomplete", "off");
  await setField(field(/Username/), "nina-canary");
  await expect.element(secretField()).toHaveAttribute("autocomplete", "new-password");
  await setField(secretField(), "s3cret-canary");
  await deployButton().click();
  await expect.element(dialog("Deployed")).toBeVisible();
  const queries = queryClient
    .getQueryCache()
    .getAll()
    .map(({ queryKey, state }) => [queryKey, state]);
  const mutations = queryClient
    .getMutationCache()
    .getAll()
    .map(({ state }) => state);
  const stored = JSON.stringify([
    queries,
    mutations,
    Object.entries(localStorage),
    Object.entries(sessionStorage),
    location.href,
    document.cookie,
  ]);
  expect(stored).not.toContain("canary");
  await dialog("Deployed").getByRole("button", { name: "Close", exact: true }).last().click();
  await openDeployDialog();
  await expect.element(field(/Username/)).toHaveValue("");
});

it("[FLOW-49] shows the steps while it deploys, and the error of the step that failed; nothing typed is lost", async () => {
  const served = await openRequest();
  let end = () => {};
  gateway.answer(
    flowDeployments.deploy,
    () =>
      new Promise((_, reject) => {
        end = () => reject(new Refused("upstream-failed", "csv-reader cannot be enabled. The previous version is running again."));
      }),
    { times: 1 },
  );
  await openDeployDialog();
  await choose("Environment", "Staging");
  await setField(field(/Username/), "nina");
  await setField(secretField(), "s3cret");
  served.running = runningOf("staging", "running", [
    buildStep("Sign in to NiFi", "done"),
    buildStep("Enable controller services", "running"),
  ]);
  await deployButton().click();
  await expectTexts(dialog("Deploying").getByRole("listitem"), [/Sign in to NiFi/, /Enable controller services/]);
  served.running = runningOf("staging", "failed", [
    buildStep("Sign in to NiFi", "done"),
    buildStep("Enable controller services", "failed", "csv-reader cannot be enabled. The previous version is running again."),
  ]);
  end();
  const failed = dialog("Error Deploying");
  await expect.element(failed.getByRole("alert")).toHaveTextContent("csv-reader cannot be enabled. The previous version is running again.");
  await expect.element(failed).toHaveTextContent("Iteration 3 to Staging, stopped at “Enable controller services”");
  await failed.getByRole("button", { name: "Try Again" }).click();
  await expect.element(field(/Username/)).toHaveValue("nina");
  await deployButton().click();
  await expect.element(dialog("Deployed")).toBeVisible();
});

it("[FLOW-50] only administrators see the deployment history", async () => {
  await openRequest([], { roles: [] });
  await expect.element(button("Actions")).toBeVisible();
  await expect.element(button(/deployment/i)).not.toBeInTheDocument();
  await button("Actions").click();
  await expect.element(page.getByRole("menuitem", { name: "Abandon" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Deploy" })).not.toBeInTheDocument();
  expect(gateway.received(flowDeployments.ofFlow)).toEqual([]);
});

it("[FLOW-50] [FLOW-51] the badge opens the history, also of a final request, from which iterations are rolled back and promoted", async () => {
  const deployments = [
    buildDeployment(3, { iterationId: 143, iterationNumber: 3 }),
    buildDeployment(2, {
      environmentId: production.id,
      deployedEnvironmentName: production.displayName,
      deployedBaseUrl: production.baseUrl,
      kind: "promotion",
    }),
    // Of another request of the flow.
    buildDeployment(1, {
      iterationId: 99,
      iterationNumber: 4,
      requestName: "An older change",
      isCurrent: false,
      deployedByUsername: "root",
    }),
  ];
  await openRequest(deployments, { status: flowRequestStatus.accepted });
  await button("3 deployments").click();
  const history = dialog("Deployment History");
  await expectTexts(history.getByRole("columnheader"), [
    "Deploy Time",
    "Deployed By",
    "Environment Name",
    "Base URL",
    "Iteration",
    "State",
    "Actions",
  ]);
  const row = (time: string) => history.getByRole("row").filter({ hasText: time });
  await expect
    .element(row("11/18/2026, 02:40:09 PM"))
    .toHaveTextContent(/admin\s*Staging\s*https:\/\/nifi-staging\.example\.com\s*Iteration 3 of Larger batches for best-track\s*Deployed/);
  await expect
    .element(row("11/18/2026, 01:40:09 PM"))
    .toHaveTextContent(/admin\s*Production\s*https:\/\/nifi\.example\.com\s*Iteration 2 of Larger batches for best-track\s*Promoted/);
  await expect
    .element(row("11/18/2026, 12:40:09 PM"))
    .toHaveTextContent(/root\s*Staging\s*https:\/\/nifi-staging\.example\.com\s*Iteration 4 of An older change\s*Replaced/);
  await expectAccessible({ within: ["[role=dialog]"] });

  await history
    .getByRole("button", { name: "Roll back to: Iteration 4 of An older change in Staging, deployed 11/18/2026, 12:40:09 PM", exact: true })
    .click();
  const rollBack = dialog("Roll Back");
  await expect.element(rollBack).toHaveTextContent("An older change, storm-ingest");
  await expect
    .element(rollBack)
    .toHaveTextContent("Iteration 4 of An older change was deployed to Staging 11/18/2026, 12:40:09 PM by root, and replaced since.");
  await expect.element(page.getByRole("combobox", { name: "Iteration" })).toHaveValue("Iteration 4");
  await expect.element(page.getByRole("combobox", { name: "Environment" })).toHaveValue("Staging");
  await page.getByText("None", { exact: true }).click();
  // Elsewhere it is no rollback.
  await choose("Environment", "Production");
  await expect.element(rollBack.getByRole("button", { name: "Deploy", exact: true })).toBeEnabled();
  await choose("Environment", "Staging");
  await rollBack.getByRole("button", { name: "Roll Back", exact: true }).click();
  await dialog("Deployed").getByRole("button", { name: "Close", exact: true }).last().click();
  expect(gateway.received(flowDeployments.deploy).map(({ params }) => params)).toEqual([{ id: 99, environmentId: "staging" }]);

  await history.getByRole("button", { name: "Promote: Iteration 2 of Larger batches for best-track in Production", exact: true }).click();
  await expect.element(page.getByRole("combobox", { name: "Iteration" })).toHaveValue("Iteration 2");
  await expect.element(page.getByRole("combobox", { name: "Environment" })).toHaveValue("");
  const promote = dialog("Promote");
  await expect
    .element(promote)
    .toHaveTextContent("Iteration 2 of Larger batches for best-track was deployed to Production 11/18/2026, 01:40:09 PM by admin.");
  await expect.element(promote.getByRole("button", { name: "Promote", exact: true })).toBeDisabled();
  await promote.getByRole("button", { name: "Cancel" }).click();
  await history.getByRole("button", { name: "Deploy", exact: true }).click();
  await expect.element(page.getByRole("combobox", { name: "Iteration" })).toHaveValue("Iteration 3, latest");
});

it("checks for drift with credentials entered anew, and shows what differs", async () => {
  const served = await openRequest([buildDeployment(1)]);
  await button("1 deployment").click();
  const check = dialog("Deployment History").getByRole("button", {
    name: "Check for drift: Iteration 2 of Larger batches for best-track in Staging",
  });
  await focus(check);
  await press("Enter");
  await expect.element(dialog("Check for Drift")).toBeVisible();
  await setField(field(/Username/), "nina");
  await setField(secretField(), "s3cret");
  gateway.refuse(flowDeployments.checkDrift, "upstream-failed", "NiFi does not accept the username and password.", { times: 1 });
  await dialog("Check for Drift").getByRole("button", { name: "Check", exact: true }).click();
  await expect.element(dialog("Check for Drift").getByRole("alert")).toHaveTextContent("NiFi does not accept the username and password.");
  await expect.element(field(/Username/)).toHaveValue("nina");
  const sentence = "The scheduling period of processor “Poll” changed from 1 min to 5 min.";
  const change: FlowChange = {
    kind: "changed",
    category: "behavior",
    component: { kind: "processor", id: "p-1", name: "Poll", type: "", groupPath: [] },
    sentence,
    fields: [],
  };
  gateway.answer(flowDeployments.checkDrift, () => {
    served.deployments = [buildDeployment(1, { drift: { checkedMs: flowCreatedMs, isSame: false, changes: 3 } })];
    return { checkedMs: Date.now(), isSame: false, total: 3, changes: [change] };
  });
  await dialog("Check for Drift").getByRole("button", { name: "Check", exact: true }).click();
  const history = dialog("Deployment History");
  await expect.element(history).toHaveTextContent("Staging differs from Iteration 2 in 3 places, checked");
  await expect.element(history.getByText(sentence)).toBeVisible();
  await expect.element(history.getByText("and 2 more")).toBeVisible();
  await expect.element(history.getByText("Check for drift again to see what differs.")).not.toBeInTheDocument();
  await expect.element(history.getByRole("button", { name: "Deploy Iteration 2 Again" })).toBeVisible();
  expect(gateway.received(flowDeployments.checkDrift).at(-1)?.body).toEqual({
    passwordCredentials: { username: "nina", password: "s3cret" },
    expectedBaseUrl: "https://nifi-staging.example.com",
  });
});
