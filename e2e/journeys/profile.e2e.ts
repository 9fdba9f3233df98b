import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { ageSignIns } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewcomer } from "../support/own-account.ts";

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
const field = (page: Page, label: "Username" | "Email" | "First name" | "Last name") => page.getByRole("textbox", { name: label });

test("a new email after a sign-in of long ago asks for the password first, and is saved then; a new name is saved at once", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const account = await signInAsNewcomer(page);
  await ageSignIns(account);
  await page.goto("/user-profile");
  await field(page, "First name").fill("Marie");
  await save(page).click();
  await expect(page.getByRole("status").filter({ hasText: "Profile updated" })).toBeVisible();
  await field(page, "Email").fill("marie@fairway.example");
  await page.keyboard.press("Enter");
  const again = page.getByRole("dialog", { name: "Confirm It Is You" });
  await expect(again.getByRole("textbox", { name: "Current password" })).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  await again.getByRole("button", { name: "Cancel" }).click();
  await expect(field(page, "Email")).toHaveValue("marie@fairway.example");
  await expect(field(page, "Email")).toBeFocused();
  await save(page).click();
  await again.getByRole("textbox", { name: "Current password" }).fill(account.password);
  await again.getByRole("button", { name: "Go On" }).click();
  await expect(again).toBeHidden();
  await expect(save(page)).toBeFocused();
  await page.reload();
  await expect(field(page, "Email")).toHaveValue("marie@fairway.example");
});

test("[SHELL-26] the Profile group has no item in the rail, and its entries show while one of its pages is open", async ({ page }) => {
  await signInAsNewcomer(page);
  await page.goto("/search");
  const rail = page.getByRole("navigation", { name: "Main" });
  await expect(rail.getByRole("button", { name: "Search" })).toBeVisible();
  await expect(rail.getByRole("button", { name: "Profile" })).toHaveCount(0);
  const panel = page.getByRole("navigation", { name: "Profile" });
  await expect(panel).toHaveCount(0);
  await rail.getByRole("link", { name: "Grace Keller" }).click();
  await expect(page).toHaveURL("/user-profile");
  await expect(panel.getByRole("link", { name: "About", exact: true })).toHaveAttribute("aria-current", "page");
  await panel.getByRole("link", { name: "API Keys" }).click();
  await expect(page).toHaveURL("/keys");
  await expect(panel).toBeVisible();
  await panel.getByRole("link", { name: "Update Password" }).click();
  await expect(page).toHaveURL("/change-password");
  await expect(panel).toBeVisible();
  await rail.getByRole("link", { name: "Fairway, to the datasets" }).click();
  await expect(page.getByRole("navigation", { name: "Search" })).toBeVisible();
  await expect(panel).toHaveCount(0);
});

test("[SHELL-25] the Profile group has its entries in their order, 'About' being the profile", async ({ page }) => {
  await signInAsNewcomer(page);
  await page.goto("/notices");
  const entries = page.getByRole("navigation", { name: "Profile" }).getByRole("link");
  await expect(entries).toHaveText(["About", "API Keys", "Manage CAC", "Notices", "Update Password"]);
  await entries.filter({ hasText: "About" }).click();
  await expect(page).toHaveURL("/user-profile");
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on the profile, the password and the API keys in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await signInAsNewcomer(page, ["journey-role-a"]);
    await page.goto("/user-profile");
    await expect(page.getByRole("table", { name: "Recent Sign-ins" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto("/change-password");
    await expect(page.getByRole("button", { name: "Update Password" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto("/keys");
    await page.getByRole("button", { name: "Help" }).click();
    await expect(page.getByRole("region", { name: "cURL program" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Create Key" }).click();
    await expect(page.getByRole("checkbox", { name: "storm-tracks" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
  });
}
