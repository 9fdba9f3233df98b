import { flowDeployments } from "@fairway/contract/flow-deployments";
import { flows } from "@fairway/contract/flows";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectText, expectTexts, isWithinWindow } from "#testing/assertions.ts";
import { buildEnvironment, buildRunningFlow } from "#testing/flow-deployments.ts";
import { buildFlow, buildFlowGroup, serveFlows, serveTwoGroups } from "#testing/flows.ts";
import { press } from "#testing/keyboard.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";

const table = (group: string) => page.getByRole("table", { name: `Flows of ${group}` });
const rows = (group: string) => table(group).getByRole("row");
const filter = page.getByRole("textbox", { name: "Filter flows" });

const serveGroups = () => serveTwoGroups({ lastUpdatedMs: Date.now() - 3 * 3_600_000 });

it("the filter finds flows by their name and their group, is in the address, and is left with Escape", async () => {
  serveGroups();
  await openScreen("/niflow-flows");
  await expectCount(page.getByRole("table"), 2);
  await press("/");
  await expect.element(filter).toHaveFocus();
  await filter.fill("STORM arch");
  await expectTexts(page.getByRole("row"), ["Name# Open Requests", "storm-archive1"]);
  await expectAddress("/niflow-flows?search=STORM+arch");
  await reloadScreen();
  await expect.element(filter).toHaveValue("STORM arch");
  await expectTexts(page.getByRole("row"), ["Name# Open Requests", "storm-archive1"]);
  await filter.fill("aviation");
  await expectTexts(page.getByRole("row"), ["Name# Open Requests", "bird-strikes0"]);
  await filter.fill("nothing");
  await expect.element(page.getByText("No flow or group matches “nothing”.")).toBeVisible();
  await filter.click();
  await press("Escape");
  await expectCount(page.getByRole("table"), 2);
  await expectAddress("/niflow-flows");
});

it("a group without flows, a group whose flows cannot be loaded, and a user without groups are distinguished", async () => {
  serveFlows([
    { group: buildFlowGroup("empty"), flows: [], requests: [] },
    { group: buildFlowGroup("failing"), flows: [buildFlow(1, "bird-strikes")], requests: [] },
  ]);
  gateway.answer(flows.list, []);
  gateway.refuse(flows.list, "internal", "The database is starting.");
  const release = gateway.hold(flows.list);
  await openScreen("/niflow-flows");
  await expect.element(page.getByRole("status", { name: "Loading the flows of empty" })).toBeVisible();
  release();
  const section = page.getByRole("region", { name: "failing" });
  await expect.element(section.getByRole("alert")).toHaveTextContent("Failed to Load Flows");
  await expect.element(section.getByRole("alert")).toHaveTextContent("The database is starting.");
  gateway.answer(flows.list, ({ params }) => (params.group === "empty" ? [] : [buildFlow(1, "bird-strikes")]));
  await section.getByRole("button", { name: "Retry" }).click();
  await expectTexts(rows("failing"), ["Name# Open Requests", "bird-strikes0"]);
  await page.getByRole("region", { name: "empty" }).getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("The group has no flows yet.")).toBeVisible();

  gateway.answer(flows.groups, []);
  await reloadScreen();
  await expect.element(page.getByText("You are not a member of a flow group. An administrator can make you a member.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "New Flow" })).not.toBeInTheDocument();
  const logged = loggedFailures();
  gateway.refuse(flows.groups, "internal", "It broke.");
  await reloadScreen();
  await expectText(page.getByRole("alert").getByText("Failed to Load Flow Groups"), "Failed to Load Flow Groups");
  await expect.poll(logged).toContain("The flow groups could not be loaded:");
});

it("a long list is shown in parts", async () => {
  const many = Array.from({ length: 450 }, (_, index) => buildFlow(index + 1, `flow-${String(index + 1).padStart(3, "0")}`));
  serveFlows([{ group: buildFlowGroup("weather"), flows: many, requests: [] }]);
  await openScreen("/niflow-flows");
  await expectCount(rows("weather"), 201);
  await expect.element(page.getByText("200 of 450 shown")).toBeVisible();
  await page.getByRole("button", { name: "Show More" }).click();
  await page.getByRole("button", { name: "Show More" }).click();
  await expectCount(rows("weather"), 451);
  await expect.element(page.getByRole("button", { name: "Show More" })).not.toBeInTheDocument();
});

it("members see environments once a flow of theirs runs there, and a failure can be tried again", async () => {
  serveGroups();
  await openScreen("/niflow-flows");
  await expectCount(page.getByRole("table"), 2);
  await expect.element(page.getByRole("heading", { name: "Environments" })).not.toBeInTheDocument();
  gateway.refuse(flowDeployments.overview, "internal", "The database is starting.");
  await reloadScreen();
  const side = page.getByRole("complementary", { name: "Environments" });
  await expect.element(side.getByRole("alert")).toHaveTextContent("Failed to Load EnvironmentsThe database is starting.");
  gateway.answer(flowDeployments.overview, [buildEnvironment("Staging", [buildRunningFlow(4, "storm-ingest")])]);
  await side.getByRole("button", { name: "Retry" }).click();
  await expect.element(side.getByRole("link", { name: "storm-ingest" })).toHaveAttribute("href", "/niflow-requests/weather/4/14");
});

it("on a phone, what needs a review is above the tables, and nothing is cut off", async () => {
  await page.viewport(390, 844);
  serveGroups();
  await openScreen("/niflow-flows");
  await expectCount(page.getByRole("table"), 2);
  const side = page.getByRole("complementary", { name: "Needs my review" });
  await expect.element(side.getByRole("link")).toBeVisible();
  expect(side.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(table("aviation").element().getBoundingClientRect().top);
  expect(document.documentElement.scrollWidth).toBe(390);
  expect(isWithinWindow(page.getByRole("button", { name: "New Flow", exact: true }))).toBe(true);
  await expectAccessible();
});
