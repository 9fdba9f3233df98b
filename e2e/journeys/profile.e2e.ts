import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { ageSignIns } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
const field = (page: Page, label: "Username" | "Email" | "First name" | "Last name") => page.getByRole("textbox", { name: label });

test("changing the email long after the sign-in asks for the password, while a new name is saved directly", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const account = await signInAsNewAccount(page);
  await ageSignIns(account);
  await page.goto("/user-profile");
  await field(page, "First name").fill("Marie");
  await save(page).click();
  await expect(page.getByRole("status").filter({ hasText: "Profile updated" })).toBeVisible();
  await field(page, "Email").fill("marie@fairway.example");
  await page.keyboard.press("Enter");
  const confirmation = page.getByRole("dialog", { name: "Confirm It Is You" });
  await expect(confirmation.getByRole("textbox", { name: "Current password" })).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  await confirmation.getByRole("button", { name: "Cancel" }).click();
  await expect(field(page, "Email")).toHaveValue("marie@fairway.example");
  await expect(field(page, "Email")).toBeFocused();
  await save(page).click();
  await confirmation.getByRole("textbox", { name: "Current password" }).fill(account.password);
  await confirmation.getByRole("button", { name: "Go On" }).click();
  await expect(confirmation).toBeHidden();
  await expect(save(page)).toBeFocused();
  await page.reload();
  await expect(field(page, "Email")).toHaveValue("marie@fairway.example");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations on the profile, password and API keys screens in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await signInAsNewAccount(page, ["journey-role-a"]);
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
