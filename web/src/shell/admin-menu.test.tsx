import { auditing } from "@fairway/contract/audit";
import { apiKeyAdministration } from "@fairway/contract/api-keys";
import { feedbackAdministration } from "@fairway/contract/feedback";
import { platformMetadata } from "@fairway/contract/metadata";
import { settings } from "@fairway/contract/settings";
import { torchServiceChecks } from "@fairway/contract/torch-services";
import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/portal-settings.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openAdmin, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

/** Labels and addresses, in the specification's order of labels. */
const entries = [
  { label: "About", path: "/about" },
  { label: "Audit Logs", path: "/auditing" },
  ...Object.values(entityTypes).map(({ title, address }) => ({ label: title, path: address })),
].toSorted((one, other) => one.label.localeCompare(other.label, "en"));

/** Route names by address. */
const names = {
  "/internal-dataset-settings": "InternalDatasetSettings",
  "/external-dataset-settings": "ExternalDatasetSettings",
  "/fileset-settings": "FilesetSettings",
  "/configuration-settings": "ConfigurationSettings",
  "/doc-settings": "DocSettings",
  "/flowgroup-settings": "FlowGroupSettings",
  "/flowenvironment-settings": "FlowEnvironmentSettings",
  "/jolt-settings": "JoltSpecificationSettings",
  "/user-settings": "UserSettings",
  "/notice-settings": "NoticeSettings",
  "/role-settings": "RoleSettings",
  "/group-settings": "GroupSettings",
  "/torch-service-settings": "TorchServiceSettings",
  "/ecosysystem-settings": "EcosystemSettings",
};

const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const power = page.getByRole("navigation", { name: "Power" });

/** Navigates inside the application, without a page load. */
function navigateTo(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

beforeEach(() => serveDatasets(gateway));

function serveAdministration(): void {
  for (const type of Object.keys(entityTypes) as AdministeredType[]) serveEntities(type);
  gateway.answer(platformMetadata.read, { gateway: { version: "2.0.0" } });
  gateway.answer(torchServiceChecks.reachability, []);
  gateway.answer(auditing.usernames, []);
  gateway.answer(auditing.responseCodes, []);
  gateway.answer(auditing.events, {
    content: [],
    pageable: { pageNumber: 0, pageSize: 50 },
    last: true,
    totalElements: 0,
    totalIsLowerBound: false,
  });
  gateway.answer(feedbackAdministration.list, []);
  gateway.answer(apiKeyAdministration.list, []);
}

it("[SHELL-24][USERS-01][ROLES-01][GROUPS-01][NOTICEADM-01] the Power group has its entries in order, and each opens its screen", async () => {
  serveAdministration();
  await openScreen("/search", { roles: ["admin"] });
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Power" }).click();
  await expectTexts(
    power.getByRole("link"),
    entries.map(({ label }) => label),
  );
  for (const { label, path } of entries) {
    await power.getByRole("link", { name: label, exact: true }).click();
    await expectAddress(path);
    await expect.element(heading(label)).toBeVisible();
    await expect.element(power.getByRole("link", { name: label, exact: true })).toHaveAttribute("aria-current", "page");
  }
});

it("[ADMIN-01][ACCESS-06][SHELL-33][ABOUT-05] other users have no Power menu, its pages do not exist for them, and none of its data is requested", async () => {
  await openScreen("/search");
  await expect.element(page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Search" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Power" })).not.toBeInTheDocument();
  // No administrator call is prepared here, so each one would fail the test.
  for (const { path } of entries) {
    navigateTo("/search");
    await expectDatasets();
    navigateTo(path);
    await expect.element(heading("Page does not exist")).toBeVisible();
  }
  await openScreen("/user-settings");
  await expect.element(heading("Page does not exist")).toBeVisible();
  await expectAccessible();
});

it("[ROUTE-16][ROUTE-17][ROUTE-18][ROUTE-19][ROUTE-20][ROUTE-21][ROUTE-22][ROUTE-23][ROUTE-29][ROUTE-32][ROUTE-34][ROUTE-35][ROUTE-40][ROUTE-41][ROUTE-48][ROUTE-49] screens disabled by name disappear from menu and palette, and redirect", async () => {
  serveAdministration();
  gateway.answer(settings.portal, {
    ...defaultPortalSettings,
    disabledLinks: [
      ...Object.values(names),
      ...Object.values(entityTypes).map(({ screen }) => screen),
      "UserProfile",
      "AllApiKeys",
      "AllAlerts",
    ],
  });
  await openAdmin("/about", "About");
  await expectTexts(power.getByRole("link"), ["About", "Audit Logs"]);
  const rail = page.getByRole("navigation", { name: "Main" });
  await expect.element(rail.getByTitle("Ada Lovelace")).toBeVisible();
  await expectCount(rail.getByRole("link"), 1);
  await press("Control+k");
  await page.getByRole("combobox").fill("power");
  await expect.element(page.getByRole("option", { name: /^Audit Logs/ })).toBeVisible();
  await expect.element(page.getByRole("option", { name: /^Users/ })).not.toBeInTheDocument();
  await press("Escape");
  for (const path of Object.keys(names)) {
    navigateTo("/about");
    await expect.element(heading("About")).toBeVisible();
    navigateTo(path);
    await expectAddress("/search");
  }
  await openScreen("/user-settings", { roles: ["admin"] });
  await expectAddress("/search");
  navigateTo("/feedback-settings");
  await expectTexts(page.getByRole("navigation", { name: "Users and feedback" }).getByRole("link"), ["Feedback"]);
});
