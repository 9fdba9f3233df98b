import type { Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { axeViolations } from "../support/accessibility.ts";
import { ageSignIns } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { expectDatasets, logIn } from "../support/sign-in.ts";

/** Codes can be used once: for a second one, use that of the next 30 seconds, which is already accepted. */
const codeOf = (secret: string, aheadMs = 0): string =>
  new TOTP({ algorithm: "SHA1", digits: 6, period: 30, secret }).generate({ timestamp: Date.now() + aheadMs });

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });

async function logOut(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Logout" }).click();
  await dialog(page, "Logout?").getByRole("button", { name: "Logout", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Login", exact: true })).toBeVisible();
}

test("a user sets up an authenticator app after confirming the password, uses it at the next login, and removes it", async ({ page }) => {
  const account = await signInAsNewAccount(page);
  await ageSignIns(account);
  await page.goto("/user-profile");
  await page.getByRole("link", { name: "Manage Sign-in Methods", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Sign-in Methods" })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  await page.getByRole("button", { name: "Set Up", exact: true }).click();
  await dialog(page, "Confirm It Is You").getByRole("textbox", { name: "Current password" }).fill(account.password);
  await page.keyboard.press("Enter");
  const setup = dialog(page, "Set Up Authenticator App");
  await expect(setup.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  const secret = ((await setup.locator("code").textContent()) ?? "").replaceAll(" ", "");
  const code = setup.getByRole("textbox", { name: "Code", exact: true });
  await expect(code).toBeFocused();
  await setup.getByRole("button", { name: "Copy Key" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await expect(setup.getByRole("link", { name: "Open in an App Here" })).toHaveAttribute("href", new RegExp(`^otpauth://totp/.*${secret}`));
  expect(await axeViolations(page)).toEqual([]);
  await code.fill("12345");
  await page.keyboard.press("Enter");
  await expect(setup.getByText("needs the 6 digits that the authenticator app shows")).toBeVisible();
  await code.fill(codeOf(secret));
  await page.keyboard.press("Enter");

  const recoveryCodes = dialog(page, "Recovery Codes");
  const listed = recoveryCodes.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(listed).toHaveCount(10);
  const codes = await listed.allTextContents();
  // Escape must not close codes that are shown only once.
  await page.keyboard.press("Escape");
  await recoveryCodes.getByRole("button", { name: "I Have Kept Them" }).click();
  await expect(page.getByText("10 left, each for one login without your device.")).toBeVisible();

  await logOut(page);
  await logIn(page, account.username, account.password);
  await expect(page.getByRole("heading", { level: 1, name: "Second Step" })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  const second = page.getByRole("textbox", { name: "Code", exact: true });
  await expect(second).toBeFocused();
  await second.fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("The code is not correct. Try the next one.");
  await second.fill(codeOf(secret, 30_000));
  await page.keyboard.press("Enter");
  await expectDatasets(page);

  await logOut(page);
  await logIn(page, account.username, account.password);
  await page.getByRole("button", { name: "Use a recovery code", exact: true }).click();
  await page.getByRole("textbox", { name: "Recovery code", exact: true }).fill(codes[0]?.toUpperCase() ?? "");
  await page.keyboard.press("Enter");
  await expectDatasets(page);
  await page.goto("/sign-in-methods");
  await expect(page.getByText("9 left, each for one login without your device.")).toBeVisible();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await dialog(page, "Remove Authenticator App?").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("button", { name: "Set Up", exact: true })).toBeVisible();
  await logOut(page);
  await logIn(page, account.username, account.password);
  await expectDatasets(page);
});
