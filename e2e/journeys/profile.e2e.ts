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
