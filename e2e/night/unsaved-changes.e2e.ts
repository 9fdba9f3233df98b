import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { logIn } from "../support/sign-in.ts";

const confirmation = (page: Page) => page.getByRole("dialog", { name: "Discard your changes?" });

async function keepEditing(page: Page): Promise<void> {
  await confirmation(page).getByRole("button", { name: "Keep editing" }).click();
  await expect(confirmation(page)).toBeHidden();
}

test("unsaved changes of the profile survive a link, Back, a reload and an expired session, or need a confirmation", async ({ page }) => {
  const account = await signInAsNewAccount(page);
  await page.goto("/notices");
  const panel = page.getByRole("navigation", { name: "Profile" });
  await panel.getByRole("link", { name: "About" }).click();
  const firstName = page.getByRole("textbox", { name: "First name" });
  await firstName.click();
  await firstName.fill("Marie");
  await panel.getByRole("link", { name: "Notices" }).click();
  await keepEditing(page);
  await page.goBack();
  await keepEditing(page);
  await expect(page).toHaveURL("/user-profile");
  const requested = page.waitForEvent("dialog");
  const reloading = page.evaluate(() => location.reload());
  const unload = await requested;
  expect(unload.type()).toBe("beforeunload");
  await unload.dismiss();
  await reloading;
  await expect(firstName).toHaveValue("Marie");

  const refused = { status: 401, json: { errors: [{ code: "not-signed-in", message: "Sign in first." }] } };
  await page.route("**/api/auth/refresh", (route) => route.fulfill(refused));
  await page.route("**/api/profile", (route) => route.fulfill(refused));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL("/login?redirect=%2Fuser-profile");
  await expect(page.getByText("Your session has ended. Sign in to continue where you were.")).toBeVisible();
  await page.unroute("**/api/auth/refresh");
  await page.unroute("**/api/profile");
  await logIn(page, account.username, account.password);
  await expect(page).toHaveURL("/user-profile");
  await expect(firstName).toHaveValue("Marie");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "Profile updated" })).toBeVisible();
  await panel.getByRole("link", { name: "Notices" }).click();
  await expect(page).toHaveURL("/notices");
});
