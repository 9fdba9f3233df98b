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

test("Escape, the close button and the scrim ask before a dialog loses what was typed, and only then", async ({ page, signIn }) => {
  await signIn("admin");
  await page.goto("/keys");
  await page.getByRole("button", { name: "Submit Feedback" }).click();
  const feedback = page.getByRole("dialog", { name: "Submit Feedback" });
  await expect(feedback.getByRole("textbox", { name: "Comment" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(feedback).toBeHidden();
  await page.getByRole("button", { name: "Submit Feedback" }).click();
  await feedback.getByRole("textbox", { name: "Comment" }).fill("The map is slow.");
  await page.keyboard.press("Escape");
  await keepEditing(page);
  await expect(feedback.getByRole("textbox", { name: "Comment" })).toHaveValue("The map is slow.");
  await feedback.getByRole("button", { name: "Close", exact: true }).click();
  await question(page).getByRole("button", { name: "Discard" }).click();
  await expect(feedback).toBeHidden();

  await page.getByRole("button", { name: "Create Key" }).first().click();
  const key = page.getByRole("dialog", { name: "Create Key" });
  await key.getByRole("textbox", { name: "Name" }).fill("batch");
  await page.mouse.click(5, 5);
  await keepEditing(page);
  await expect(key.getByRole("textbox", { name: "Name" })).toHaveValue("batch");
  await key.getByRole("button", { name: "Cancel" }).click();
  await expect(key).toBeHidden();

  await page.goto("/notice-settings");
  await page.getByRole("button", { name: "New", exact: true }).first().click();
  const notice = page.getByRole("dialog", { name: "New notice" });
  await notice.getByRole("textbox", { name: "Title" }).fill("Maintenance");
  await page.keyboard.press("Escape");
  await question(page).getByRole("button", { name: "Discard" }).click();
  await expect(notice).toBeHidden();
});
