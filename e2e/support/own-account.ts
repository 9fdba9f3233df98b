import { demoPassword } from "@fairway/contract/api";
import type { LoginAnswer, TokenWrapper } from "@fairway/contract/auth";
import type { APIRequestContext, Page } from "@playwright/test";
import { createAccount, type TestAccount } from "./accounts.ts";
import { expect } from "./fixtures.ts";

export async function signInByCall(request: APIRequestContext, { username, password }: TestAccount): Promise<TokenWrapper> {
  const response = await request.post("/api/auth/login", { data: { username, password } });
  expect(response.status()).toBe(200);
  return ((await response.json()) as LoginAnswer).token;
}

/** Request headers of an administrator. */
export async function adminHeaders(request: APIRequestContext): Promise<{ authorization: string }> {
  const { access_token: token } = await signInByCall(request, { username: "admin", password: demoPassword });
  return { authorization: `Bearer ${token}` };
}

/** Signs in a page as a new account; open a screen afterwards. */
export async function signInAsNewAccount(page: Page, roles: readonly string[] = []): Promise<TestAccount> {
  const account = await createAccount({ roles });
  await signInTab(page, account);
  return account;
}

/** Stores the session like the login page does, once per tab: later loads use what the session itself stored. */
export async function signInTab(page: Page, account: TestAccount): Promise<void> {
  const token = await signInByCall(page.request, account);
  await page.addInitScript((wrapper) => {
    if (sessionStorage.getItem("test.signed-in") !== null) return;
    sessionStorage.setItem("test.signed-in", "yes");
    sessionStorage.setItem("fairway.session", JSON.stringify({ ...wrapper, receivedMs: Date.now(), fresh: true }));
  }, token);
}

export async function loginStatus(request: APIRequestContext, { username, password }: TestAccount): Promise<number> {
  return (await request.post("/api/auth/login", { data: { username, password } })).status();
}
