import { flowDeployments } from "@fairway/contract/flow-deployments";
import { flows } from "@fairway/contract/flows";
import { describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts, expectToastFor } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { buildDeployment, buildEnvironment, buildRunningFlow, serveDeployments } from "#testing/flow-deployments.ts";
import { serveFlowRequest } from "#testing/flow-request.ts";
import { serveMainIterations, serveTwoGroups } from "#testing/flows.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const table = (group: string) => page.getByRole("table", { name: `Flows of ${group}` });
const rows = (group: string) => table(group).getByRole("row");
const dialog = () => page.getByRole("dialog", { name: "New Flow" });
const save = () => dialog().getByRole("button", { name: "Save" });
const flowName = () => dialog().getByRole("textbox", { name: "Flow Name" });
const heading = page.getByRole("heading", { level: 1, name: "Flows", exact: true });

const serveGroups = () => serveTwoGroups({ lastUpdatedMs: Date.now() - 3 * 3_600_000 });

describe("/niflow-flows", () => {
  openOnce(async () => {
    serveGroups();
    await openScreen("/niflow-flows");
  });

  it("[ROUTE-24][FLOW-03] lists the flows, groups and flows by name", async () => {
    await expect.element(heading).toBeVisible();
    await expectTexts(page.getByRole("heading", { level: 2 }), ["aviation", "weather", "Needs my review"]);
    await expectTexts(table("weather").getByRole("rowheader"), ["storm-archive", "storm-ingest"]);
    await expectAccessible();
  });

  it("[FLOW-01][FLOW-02] has a table per group with the open requests of each flow", async () => {
    await expectTexts(rows("aviation"), ["Name# Open Requests", "bird-strikes0"]);
    await expectTexts(rows("weather"), ["Name# Open Requests", "storm-archive1", "storm-ingest2"]);
    await expect.element(page.getByText("3 flows in 2 groups, 3 open requests")).toBeVisible();
  });
});

it("[FLOW-07][ROUTE-25] a flow opens its main history, whose entry in the menu stays marked", async () => {
  serveGroups();
  serveMainIterations([]);
  await openScreen("/niflow-flows");
  await table("weather").getByRole("link", { name: "storm-ingest", exact: true }).click();
  await expectAddress("/niflow-flows/weather/4");
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-ingest" })).toBeVisible();
  expect(gateway.received(flows.mainIterations).map(({ params }) => params)).toEqual([{ group: "weather", flowId: 4 }]);
  await expect
    .element(page.getByRole("navigation", { name: "NiFlow" }).getByRole("link", { name: "Flows" }))
    .toHaveAttribute("aria-current", "page");
});

it("the requests that need a review by the user are beside the flows, and the number of open requests leads to them", async () => {
  serveGroups();
  await openScreen("/niflow-flows");
  const side = page.getByRole("complementary", { name: "Needs my review" });
  await expect.element(side).toHaveTextContent("storm-archive, updated 3 hours ago, by grace");
  await expect.element(side.getByRole("link", { name: "Write Parquet" })).toHaveAttribute("href", "/niflow-requests/weather/3/7");
  await expectCount(side.getByRole("listitem"), 1);
  await table("weather").getByRole("link", { name: "2 open requests of storm-ingest" }).click();
  await expectAddress("/niflow-requests?search=storm-ingest");
});

describe("New Flow", () => {
  openOnce(async () => {
    serveGroups();
    await openScreen("/niflow-flows");
    await page.getByRole("button", { name: "New Flow", exact: true }).click();
  });

  it("[FLOW-04][FLOW-05] asks for a name, without which nothing is saved", async () => {
    await expect.element(flowName()).toHaveFocus();
    await expect.element(save()).toBeDisabled();
    await flowName().fill("   ");
    await expect.element(save()).toBeDisabled();
    await expectAccessible({ within: ["[role=dialog]"] });
  });

  it("[FLOW-57][FLOW-60] creates the flow, which is then in the list, and says so for 2 seconds", async () => {
    await dialog().getByRole("combobox", { name: "Group" }).click();
    await page.getByRole("option", { name: "weather" }).click();
    await flowName().fill("  daily-import ");
    vi.useFakeTimers({ shouldAdvanceTime: false, toFake: ["setTimeout", "clearTimeout"] });
    await save().click();
    await expectToastFor("Flow Created", 2000);
    expect(gateway.received(flows.create).map(({ params, body }) => ({ params, body }))).toEqual([
      { params: { group: "weather" }, body: { name: "daily-import" } },
    ]);
    await expectTexts(rows("weather"), ["Name# Open Requests", "daily-import0", "storm-archive1", "storm-ingest2"]);
    await expect.element(dialog()).not.toBeInTheDocument();
  });
});

it("a group has its own New Flow, which selects the group", async () => {
  serveGroups();
  await openScreen("/niflow-flows");
  await page.getByRole("button", { name: "New Flow in weather" }).click();
  await expect.element(dialog().getByRole("combobox", { name: "Group" })).toHaveValue("weather");
  await flowName().fill("x");
  await press("Enter");
  await expect.poll(() => gateway.received(flows.create).map(({ params }) => params.group)).toEqual(["weather"]);
});

it("[FLOW-06] a failed creation says so, advises on the name and keeps what was typed", async () => {
  serveGroups();
  await openScreen("/niflow-flows");
  await page.getByRole("button", { name: "New Flow", exact: true }).click();
  await flowName().fill("Bird-Strikes");
  await save().click();
  const alert = dialog().getByRole("alert");
  await expect.element(alert).toHaveTextContent("Failed to Create Flow");
  await expect.element(alert).toHaveTextContent("Ensure the flow name is not already used.");
  // The alert says it once.
  await expect.element(alert).not.toHaveTextContent("The group has a flow with this name.");
  await expect.element(flowName()).toHaveValue("Bird-Strikes");
  await flowName().fill("bird-strikes-2");
  await save().click();
  await expect.element(table("aviation").getByRole("link", { name: "bird-strikes-2" })).toBeVisible();
});

it("beside the flows stands what runs in each environment since when, what differs first, and each flow leads to its deployments", async () => {
  serveGroups();
  gateway.answer(flowDeployments.overview, [
    buildEnvironment("Production", []),
    buildEnvironment("Staging", [
      buildRunningFlow(4, "storm-ingest", { drift: { checkedMs: Date.now() - 2 * 60_000, isSame: true, changes: 0 } }),
      buildRunningFlow(1, "bird-strikes", { group: "aviation", drift: { checkedMs: Date.now() - 2 * 60_000, isSame: false, changes: 3 } }),
      buildRunningFlow(3, "storm-archive", { laterFailureMs: Date.now() - 3_600_000 }),
      ...Array.from({ length: 5 }, (_, index) => buildRunningFlow(index + 10, `flow-${index}`)),
    ]),
  ]);
  await openScreen("/niflow-flows", { roles: ["admin"] });
  const side = page.getByRole("complementary", { name: "Environments" });
  await expectTexts(side.getByRole("heading", { level: 3 }), ["Production", "Staging"]);
  await expect.element(side.getByText("No flow is deployed here.")).toBeVisible();
  const running = side.getByRole("list", { name: "Staging" }).getByRole("listitem");
  await expectCount(running, 6);
  await expect.element(running.nth(0)).toHaveTextContent(/^bird-strikes in aviation.*Differs in 3 places, checked 2 minutes ago$/);
  await expect.element(running.nth(1)).toHaveTextContent(/^storm-archive in weather.*Uncertain: a later deployment failed 1 hour ago$/);
  await expect
    .element(running.nth(2))
    .toHaveTextContent(
      "storm-ingest in weatherIteration 2 of Larger batchesDeployed 3 hours ago by adminAs deployed, checked 2 minutes ago",
    );
  await expect.element(running.nth(3)).toHaveTextContent("Not checked for drift yet");
  await expectAccessible();
  await side.getByRole("button", { name: "Show All 8" }).click();
  await expectCount(running, 8);

  serveFlowRequest({ contents: ["first"] });
  serveDeployments([buildDeployment(1)]);
  await running.nth(2).getByRole("link", { name: "storm-ingest" }).click();
  await expectAddress("/niflow-requests/weather/4/14?deployments=open");
  await expect.element(page.getByRole("dialog", { name: "Deployment History" })).toBeVisible();
  await press("Escape");
  await expectAddress("/niflow-requests/weather/4/14");
});
