import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewcomer } from "../support/own-account.ts";
import { logIn } from "../support/sign-in.ts";

const question = (page: Page) => page.getByRole("dialog", { name: "Discard your changes?" });

async function keepEditing(page: Page): Promise<void> {
  await question(page).getByRole("button", { name: "Cancel" }).click();
  await expect(question(page)).toBeHidden();
}

test("a changed profile is not lost by a link, Back, a reload or a session that ended, without a question or a way back", async ({
  page,
}) => {
  const account = await signInAsNewcomer(page);
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
  const asked = page.waitForEvent("dialog");
  const reloading = page.evaluate(() => location.reload());
  const unload = await asked;
  expect(unload.type()).toBe("beforeunload");
  await unload.dismiss();
  await reloading;
  await expect(firstName).toHaveValue("Marie");

  const refused = { status: 401, json: { errors: [{ code: "not-signed-in", message: "Sign in first." }] } };
  await page.route("**/api/auth/refresh", (route) => route.fulfill(refused));
  await page.route("**/api/profile", (route) => route.fulfill(refused));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL("/login?redirect=%2Fuser-profile");
  await expect(page.getByText("Your session has ended. Log in to go on where you were.")).toBeVisible();
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
