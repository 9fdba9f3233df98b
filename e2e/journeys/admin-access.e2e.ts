import { entityTypes } from "@fairway/contract/entity-types";
import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { breakAnswer } from "../support/datasets.ts";
import { openAdmin } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";

/** Each with its address, in the order of labels as the specification has it. */
const entries = [
  { label: "About", path: "/about" },
  { label: "Audit Logs", path: "/auditing" },
  ...Object.values(entityTypes).map(({ title, address }) => ({ label: title, path: address })),
].toSorted((one, other) => one.label.localeCompare(other.label, "en"));

/** Follows an address inside the application, without loading it anew. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
}

test("[SHELL-24][USERS-01][ROLES-01][GROUPS-01][NOTICEADM-01] the Power group has its entries in order, and each opens its screen", async ({
  page,
  signIn,
}) => {
  await signIn("admin");
  await page.goto("/search");
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Power" }).click();
  const panel = page.getByRole("navigation", { name: "Power" });
  await expect(panel.getByRole("link")).toHaveText(entries.map(({ label }) => label));
  for (const { label, path } of entries) {
    await panel.getByRole("link", { name: label, exact: true }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("heading", { level: 1, name: label, exact: true })).toBeVisible();
    await expect(panel.getByRole("link", { name: label, exact: true })).toHaveAttribute("aria-current", "page");
  }
});

test("[ADMIN-01][ACCESS-06][SHELL-33][ABOUT-05] to others there is no Power menu, and none of its pages exists", async ({
  page,
  signIn,
}) => {
  await signIn("viewer");
  const called: string[] = [];
  page.on("request", (call) => {
    if (call.url().includes("/api/admin/")) called.push(call.url());
  });
  await page.goto("/search");
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Search" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Power" })).toHaveCount(0);
  for (const { path } of entries) {
    await follow(page, "/search");
    await expect(page.getByRole("heading", { level: 1, name: "Datasets", exact: true })).toBeVisible();
    await follow(page, path);
    await expect(page.getByRole("heading", { level: 1, name: "Page does not exist", exact: true })).toBeVisible();
  }
  await page.goto("/user-settings");
  await expect(page.getByRole("heading", { level: 1, name: "Page does not exist", exact: true })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  expect(called).toEqual([]);
});

/** The routes' names, by their addresses. */
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

test("[ROUTE-16][ROUTE-17][ROUTE-18][ROUTE-19][ROUTE-20][ROUTE-21][ROUTE-22][ROUTE-23][ROUTE-29][ROUTE-32][ROUTE-34][ROUTE-35][ROUTE-40][ROUTE-41][ROUTE-48][ROUTE-49] screens are disabled by their names: gone from menu and palette, and redirected", async ({
  page,
  signIn,
}) => {
  await signIn("admin");
  await page.route("**/static/settings.json", async (route) => {
    const real = await route.fetch();
    const disabledLinks = [...Object.values(names), "UserProfile", "AllApiKeys"];
    await route.fulfill({ response: real, json: { ...((await real.json()) as object), disabledLinks } });
  });
  await openAdmin(page, "/about", "About");
  await expect(page.getByRole("navigation", { name: "Power" }).getByRole("link")).toHaveText(["About", "Audit Logs"]);
  const rail = page.getByRole("navigation", { name: "Main" });
  await expect(rail.getByTitle("Helen Marsh")).toBeVisible();
  await expect(rail.getByRole("link")).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("power");
  await expect(page.getByRole("option", { name: /^Audit Logs/ })).toBeVisible();
  await expect(page.getByRole("option", { name: /^Users/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  for (const path of Object.keys(names)) {
    await follow(page, "/about");
    await expect(page.getByRole("heading", { level: 1, name: "About", exact: true })).toBeVisible();
    await follow(page, path);
    await expect(page).toHaveURL("/search");
  }
  await page.goto("/user-settings");
  await expect(page).toHaveURL("/search");
  await follow(page, "/feedback-settings");
  await expect(page.getByRole("navigation", { name: "Users and feedback" }).getByRole("link")).toHaveText(["Feedback"]);
});

test("[ABOUT-01][ABOUT-02][ABOUT-04][ROUTE-06] About shows each component, or says that it could not", async ({ page, signIn }) => {
  await signIn("admin");
  const mend = await breakAnswer(page, "/api/admin/metadata", "Nobody is in.");
  await openAdmin(page, "/about", "About");
  await expect(page.getByRole("alert")).toContainText("Failed to load app metadata");
  await expect(page.getByText("UI version 1.249.0", { exact: true })).toBeVisible();
  await mend();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("region", { name: "gateway", exact: true })).toContainText("version");
  await expect(page.getByText(/^UI version 1\.249\.0, release r\d+( with later changes)?$/)).toBeVisible();
  await expect(page.getByRole("region", { name: "database", exact: true })).toContainText("PostgreSQL");
  expect(await axeViolations(page)).toEqual([]);
});
