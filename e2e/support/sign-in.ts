import { demoPassword } from "@fairway/contract/api";
import { type Page, expect } from "@playwright/test";

/** Fills in and submits the login form. */
export async function logIn(page: Page, username: string, password: string = demoPassword): Promise<void> {
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
}

export async function expectLogin(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/login(\?|$)/);
  await expect(page.getByRole("heading", { level: 1, name: "Login", exact: true })).toBeVisible();
}

export async function expectDatasets(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Datasets", exact: true })).toBeVisible();
}

interface StoredSession {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  token_type: string;
  receivedMs: number;
}

/** The session stored in this tab; null when signed out. */
export const storedSession = (page: Page): Promise<StoredSession | null> =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem("fairway.session") ?? "null") as StoredSession | null);

/** The cookie that authorizes downloads. */
export async function downloadCookie(page: Page) {
  const cookies = await page.context().cookies(new URL("/api", page.url()).href);
  return cookies.find(({ name }) => name === "JWT");
}
