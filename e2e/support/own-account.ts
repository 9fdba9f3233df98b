import { demoPassword } from "@fairway/contract/api";
import type { LoginAnswer, TokenWrapper } from "@fairway/contract/auth";
import type { APIRequestContext, Page } from "@playwright/test";
import { createAccount, type OwnAccount } from "./accounts.ts";
import { expect } from "./fixtures.ts";

export async function signInByCall(request: APIRequestContext, { username, password }: OwnAccount): Promise<TokenWrapper> {
  const response = await request.post("/api/auth/login", { data: { username, password } });
  expect(response.status()).toBe(200);
  return ((await response.json()) as LoginAnswer).token;
}

/** What a call of an administrator carries. */
export async function adminHeaders(request: APIRequestContext): Promise<{ authorization: string }> {
  const { access_token: token } = await signInByCall(request, { username: "admin", password: demoPassword });
  return { authorization: `Bearer ${token}` };
}

/** Signs the page's tab in as an account that no other journey uses; open a screen afterwards. */
export async function signInAsNewcomer(page: Page, roles: readonly string[] = []): Promise<OwnAccount> {
  const account = await createAccount({ roles });
  await signInTab(page, account);
  return account;
}

/** As the sign-in page leaves it. Once per tab: later loads find what the session itself stored. */
export async function signInTab(page: Page, account: OwnAccount): Promise<void> {
  const token = await signInByCall(page.request, account);
  await page.addInitScript((wrapper) => {
    if (sessionStorage.getItem("test.signed-in") !== null) return;
    sessionStorage.setItem("test.signed-in", "yes");
    sessionStorage.setItem("fairway.session", JSON.stringify({ ...wrapper, receivedMs: Date.now(), fresh: true }));
  }, token);
}

export async function statusOfLogin(request: APIRequestContext, { username, password }: OwnAccount): Promise<number> {
  return (await request.post("/api/auth/login", { data: { username, password } })).status();
}

/** The page's clock stands still; a success that comes now goes when its time is over, not before and not later. */
export async function expectToastFor(page: Page, text: string, durationMs: number): Promise<void> {
  const toast = page.getByRole("status").filter({ hasText: text });
  // The part of the application that shows toasts comes with the first one, and takes some moments of its own.
  await expect(async () => {
    await page.clock.runFor(50);
    await expect(toast).toBeVisible({ timeout: 50 });
  }).toPass({ intervals: [20] });
  await page.clock.runFor(durationMs - 200);
  await expect(toast).toBeVisible();
  // The rest of its time, and its fading.
  await page.clock.runFor(600);
  await expect(toast).toHaveCount(0);
}
