import type { Page } from "@playwright/test";
import { earthquakes } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { bearer } from "../support/gateway.ts";
import { expectToastFor, failNext, signInAsNewcomer, signInByCall, statusOfLogin } from "../support/own-account.ts";
import { ageSignIns } from "../support/accounts.ts";
import { stopClock } from "../support/page-clock.ts";
import { alterAnswer } from "../support/results.ts";

const resetCalls = "**/api/profile/reset-password";
const update = (page: Page) => page.getByRole("button", { name: "Update Password", exact: true });

async function fill(page: Page, password: string, again: string): Promise<void> {
  await page.getByRole("textbox", { name: "New password" }).fill(password);
  await page.getByRole("textbox", { name: "Confirm password" }).fill(again);
}

test("[ROUTE-04][PASSWORD-01][PASSWORD-02][PASSWORD-03][PASSWORD-04] /change-password notes what becomes of a CAC and takes two equal passwords of 3 characters", async ({
  page,
}) => {
  await signInAsNewcomer(page);
  await page.goto("/change-password");
  await expect(page.getByRole("heading", { level: 1, name: "Change Password" })).toBeVisible();
  await expect(page.getByText("A CAC that is linked to your account becomes unlinked.")).toBeVisible();
  let sent = 0;
  await page.route(resetCalls, (route) => {
    sent += 1;
    return route.continue();
  });
  for (const [password, again] of [
    ["", ""],
    ["abc", ""],
    ["", "abc"],
    ["ab", "ab"],
    ["abc", "abd"],
    ["abc", "abc "],
  ] as const) {
    await fill(page, password, again);
    await expect(update(page)).toBeDisabled();
    await page.getByRole("textbox", { name: "Confirm password" }).press("Enter");
  }
  expect(sent).toBe(0);
  await fill(page, "abc", "abc");
  await expect(update(page)).toBeEnabled();
});

test("[PASSWORD-05][PASSWORD-08] the new password signs in and the old one does not; other sessions end and this one goes on", async ({
  page,
  request,
}) => {
  await page.clock.install();
  const account = await signInAsNewcomer(page);
  const elsewhere = await signInByCall(request, account);
  await page.goto("/change-password");
  await fill(page, "a new one", "a new one");
  await stopClock(page);
  const [sent] = await Promise.all([page.waitForRequest(resetCalls), update(page).click()]);
  expect(sent.method()).toBe("PUT");
  expect(sent.postDataJSON()).toEqual({ password: "a new one" });
  await expectToastFor(page, "Password updated", 2000);
  await expect(page.getByRole("textbox", { name: "New password" })).toHaveValue("");
  expect(await statusOfLogin(request, { ...account, password: "a new one" })).toBe(200);
  expect(await statusOfLogin(request, account)).toBe(401);
  const refresh = await request.post("/api/auth/refresh", { data: { refreshToken: elsewhere.refresh_token } });
  expect(refresh.status()).toBe(401);
  await page.clock.resume();
  await page.getByRole("link", { name: "API Keys" }).click();
  await expect(page.getByText("No API keys yet")).toBeVisible();
});

test("[PASSWORD-06] a password that could not be changed says so, and the old one still signs in", async ({ page, request }) => {
  const account = await signInAsNewcomer(page);
  const { access_token: token } = await signInByCall(request, account);
  const [datasetCategory, datasetId] = earthquakes;
  const key = { name: "Nightly", datasets: [{ datasetCategory, datasetId }] };
  expect((await request.post("/api/apiKeys", { data: key, ...bearer(token) })).status()).toBe(201);
  await page.goto("/change-password");
  await expect(page.getByText("Your API key goes on working.")).toBeVisible();
  await expect(page.getByRole("link", { name: "your API keys", exact: true })).toHaveAttribute("href", "/keys");
  await failNext(page, resetCalls, "PUT");
  await fill(page, "a new one", "a new one");
  await update(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "Password Update Failed" })).toContainText("The gateway is starting.");
  expect(await statusOfLogin(request, account)).toBe(200);
});

test("under the rules asvs the page says what a password needs, and why one is refused", async ({ page }) => {
  await signInAsNewcomer(page);
  await alterAnswer(page, "**/static/settings.json", ({ limits, ...settings }) => ({
    ...settings,
    passwordRules: "asvs",
    limits: { ...(limits as object), passwordMinCharacters: 8 },
  }));
  const message = "This password is on a list of common and leaked passwords. Choose another one.";
  const refused = { status: 400, json: { errors: [{ code: "invalid-value", message, path: "password" }] } };
  await page.route(resetCalls, (route) => route.fulfill(refused));
  await page.goto("/change-password");
  await expect(page.getByText("At least 8 characters, better 15 or more, the same in both fields.")).toBeVisible();
  await fill(page, "passwor", "passwor");
  await expect(update(page)).toBeDisabled();
  await fill(page, "password1", "password1");
  await update(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "Password Update Failed" })).toContainText(message);
  await expect(page.getByRole("textbox", { name: "New password" })).toHaveValue("password1");
});

test("a sign-in of long ago is asked for the current password, and the change goes on with what was typed", async ({ page, request }) => {
  const account = await signInAsNewcomer(page);
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
  expect(await statusOfLogin(request, { ...account, password: "a new one" })).toBe(200);
  // The browser goes on with the session that proved the password.
  await page.reload();
  await expect(update(page)).toBeVisible();
});
