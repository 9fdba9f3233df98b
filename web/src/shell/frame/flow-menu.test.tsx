import { flowDeveloperRole, flows } from "@fairway/contract/flows";
import { settings } from "@fairway/contract/settings";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { buildFlow, buildFlowGroup, serveFlows, serveMainIterations } from "#testing/flows.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, uiConfig } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

const rail = page.getByRole("navigation", { name: "Main" });
const niflow = rail.getByRole("button", { name: "NiFlow" });
const panel = page.getByRole("navigation", { name: "NiFlow" });

const serveMember = (needsMyReview = 0) =>
  serveFlows([
    { group: buildFlowGroup("weather", { needsMyReview }), flows: [buildFlow(1, "storm-ingest")], requests: [] },
    { group: buildFlowGroup("aviation", { needsMyReview: needsMyReview === 0 ? 0 : 1 }), flows: [], requests: [] },
  ]);

beforeEach(() => serveDatasets(gateway));

it("[SHELL-01] the rail of an administrator who is a member shows Search, Docs, Tools, NiFlow and Power", async () => {
  gateway.answer(settings.ui, { ...uiConfig, downloadableTools: [{ display: "Python Client" }] });
  serveMember();
  await openScreen("/search", { roles: ["admin"] });
  await expect.element(niflow).toBeVisible();
  await expectTexts(
    rail
      .getByRole("button", { expanded: false })
      .or(rail.getByRole("button", { expanded: true }))
      .filter({ hasNotText: "More" }),
    ["Search", "Docs", "Tools", "NiFlow", "Power"],
  );
});

describe("a member of a flow group", () => {
  openOnce(async () => {
    serveMember();
    await openScreen("/search", { roles: [flowDeveloperRole("weather")] });
    await niflow.click();
  });

  it("[ACCESS-04][ACCESS-05] by role has NiFlow", async () => {
    await expect.element(niflow).toHaveAttribute("aria-expanded", "true");
  });

  it("[SESSION-27] is one that the gateway tells", async () => {
    expect(gateway.received(flows.groups)).toHaveLength(1);
    await expectTexts(panel.getByRole("link"), ["Flows", "Flow Requests"]);
  });

  it("[SHELL-23] opens Flows and Flow Requests by their entries", async () => {
    await panel.getByRole("link", { name: "Flow Requests" }).click();
    await expectAddress("/niflow-requests");
    await panel.getByRole("link", { name: "Flows", exact: true }).click();
    await expectAddress("/niflow-flows");
    await expect.element(panel.getByRole("link", { name: "Flows", exact: true })).toHaveAttribute("aria-current", "page");
    await expectAccessible();
  });
});

it("[ACCESS-04] a user without flow groups has no NiFlow, neither in the rail nor in the palette", async () => {
  const release = gateway.hold(flows.groups);
  await openScreen("/search", { roles: ["admin"] });
  await expectDatasets();
  await expect.poll(() => gateway.received(flows.groups)).toHaveLength(1);
  await expect.element(niflow).not.toBeInTheDocument();
  release();
  await expectDatasets();
  await press("Control+k");
  await page.getByRole("combobox").fill("Flows");
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await expectCount(page.getByRole("option", { name: "NiFlow" }), 0);
  await expect.element(niflow).not.toBeInTheDocument();
});

it("the palette opens the flows and the requests", async () => {
  serveMember();
  await openScreen("/search");
  await expect.element(niflow).toBeVisible();
  await press("Control+k");
  await page.getByRole("combobox").fill("Flow Requests");
  await page.getByRole("option", { name: /^Flow Requests/ }).click();
  await expectAddress("/niflow-requests");
});

it("Flow Requests says how many wait for the user's review, kept up to date while the page is open", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  serveMember(3);
  // No part of this screen reads the flow groups itself.
  await openScreen("/search");
  await niflow.click();
  await expect.element(panel.getByRole("link", { name: "Flow Requests 4 waiting for your review" })).toBeVisible();
  expect(gateway.received(flows.groups)).toHaveLength(1);
  serveMember(0);
  await vi.advanceTimersByTimeAsync(61_000);
  await expect.element(panel.getByRole("link", { name: "Flow Requests", exact: true })).toBeVisible();
});

it("[SESSION-21] the flow groups are read at login and for a new user; a failure is only logged", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  gateway.refuse(flows.groups, "internal", "It broke.");
  await openScreen("/search");
  await expectDatasets();
  await expect.poll(() => warn.mock.calls.flat()).toContain("The flow groups could not be loaded:");
  expect(gateway.received(flows.groups)).toHaveLength(1);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await expect.element(niflow).not.toBeInTheDocument();
  await expectCount(page.getByText("It broke."), 0);

  serveMember();
  await openScreen("/search", { sub: "u-grace", preferred_username: "grace", roles: [flowDeveloperRole("weather")] });
  await expect.element(niflow).toBeVisible();
  expect(gateway.received(flows.groups)).toHaveLength(2);
});

it.each([
  "/niflow-flows/weather/abc",
  "/niflow-flows/weather/1.5",
  "/niflow-flows/weather/-1",
  "/niflow-flows/weather/0",
  "/niflow-requests/weather/1/x",
  "/niflow-requests/weather/x/1",
  "/niflow-requests/weather/1e3/1",
])("[ROUTE-28] %s does not open its screen, but the datasets", async (address) => {
  await openScreen(address);
  await expectAddress("/search");
  await expectDatasets();
});

it("[ROUTE-25][ROUTE-27] ids in the path are read as integers", async () => {
  serveMember();
  serveMainIterations([]);
  for (const route of [flows.request, flows.iterations, flows.comments, flows.events, flows.members])
    gateway.refuse(route, "not-found", "There is no such request.");
  await openScreen("/niflow-flows/weather/12");
  await expect.poll(() => gateway.received(flows.mainIterations).map(({ params }) => params)).toEqual([{ group: "weather", flowId: 12 }]);
  await openScreen("/niflow-requests/weather/12/34");
  await expect.poll(() => gateway.received(flows.request)[0]?.params).toEqual({ group: "weather", flowId: 12, requestId: 34 });
  await expect.element(page.getByRole("alert")).toHaveTextContent("Error loading flow request.");
});

it("on a phone, the drawer has the flows", async () => {
  await page.viewport(390, 844);
  serveMember(1);
  await openScreen("/search");
  await expectDatasets();
  await page.getByRole("button", { name: "Open menu" }).click();
  const drawer = page.getByRole("dialog", { name: "Menu" });
  await drawer.getByRole("button", { name: "NiFlow" }).click();
  await expect.element(drawer.getByRole("link", { name: /^Flow Requests 2/ })).toBeVisible();
  await drawer.getByRole("link", { name: "Flows", exact: true }).click();
  await expectAddress("/niflow-flows");
  await expect.element(drawer).not.toBeInTheDocument();
});

it("a screen that the operator has disabled is not in the menu", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, disabledLinks: ["NiFlowRequests"] });
  serveMember();
  await openScreen("/niflow-flows");
  await expectTexts(panel.getByRole("link"), ["Flows"]);
  await openScreen("/niflow-requests");
  await expectAddress("/search");
});
