import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { expectToastFor, signInAsNewAccount, signInByCall, loginStatus } from "../support/own-account.ts";
import { ageSignIns } from "../support/accounts.ts";
import { stopClock } from "../support/page-clock.ts";

const resetCalls = "**/api/profile/reset-password";
const update = (page: Page) => page.getByRole("button", { name: "Update Password", exact: true });

async function fill(page: Page, password: string, confirmation: string): Promise<void> {
  await page.getByRole("textbox", { name: "New password" }).fill(password);
  await page.getByRole("textbox", { name: "Confirm password" }).fill(confirmation);
}

test("[PASSWORD-05][PASSWORD-08] a new password replaces the old one and ends all other sessions", async ({ page, request }) => {
  await page.clock.install();
  const account = await signInAsNewAccount(page);
  const elsewhere = await signInByCall(request, account);
  await page.goto("/change-password");
  await fill(page, "a new one", "a new one");
  await stopClock(page);
  const [sent] = await Promise.all([page.waitForRequest(resetCalls), update(page).click()]);
  expect(sent.method()).toBe("PUT");
  expect(sent.postDataJSON()).toEqual({ password: "a new one" });
  await expectToastFor(page, "Password updated", 2000);
  await expect(page.getByRole("textbox", { name: "New password" })).toHaveValue("");
  expect(await loginStatus(request, { ...account, password: "a new one" })).toBe(200);
  expect(await loginStatus(request, account)).toBe(401);
  const refresh = await request.post("/api/auth/refresh", { data: { refreshToken: elsewhere.refresh_token } });
  expect(refresh.status()).toBe(401);
  await page.clock.resume();
  await page.getByRole("link", { name: "API Keys" }).click();
  await expect(page.getByText("No API keys yet")).toBeVisible();
});

test("a change long after the sign-in asks for the current password, and then continues with what was typed", async ({ page, request }) => {
  const account = await signInAsNewAccount(page);
  await page.goto("/change-password");
  await expect(update(page)).toBeVisible();
  await ageSignIns(account);
  await fill(page, "a new one", "a new one");
  await update(page).click();
  const dialog = page.getByRole("dialog", { name: "Confirm It Is You" });
  const current = dialog.getByRole("textbox", { name: "Current password" });
  await expect(current).toBeFocused();
  await current.fill("not it");
  await dialog.getByRole("button", { name: "Go On" }).click();
  await expect(dialog.getByText("Invalid username or password. Please try again.")).toBeVisible();
  await current.fill(account.password);
  await dialog.getByRole("button", { name: "Go On" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Password updated" })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(await loginStatus(request, { ...account, password: "a new one" })).toBe(200);
  // The browser uses the session that confirmed the password.
  await page.reload();
  await expect(update(page)).toBeVisible();
});
