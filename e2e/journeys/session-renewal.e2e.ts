import type { Page, Route } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { stopClock } from "../support/page-clock.ts";
import { expectRows, recentSearches, sample } from "../support/searches.ts";
import { downloadCookie, expectDatasets, expectLogin, logIn, storedSession } from "../support/sign-in.ts";

const refreshCall = "**/api/auth/refresh";

/** Sends an invalid token, which the real gateway refuses. */
const withBadToken = (route: Route) => route.continue({ postData: JSON.stringify({ refreshToken: "no-such-token" }) });

// Timers and the clock are rounded to milliseconds separately.
const roundingMs = 50;

/** Stops the clock and advances it to half of the token's lifetime, calling `justBefore` a second earlier. */
async function runToHalfLife(page: Page, justBefore: () => Promise<void>): Promise<void> {
  const now = await stopClock(page);
  const session = await storedSession(page);
  if (!session) throw new Error("the page is not signed in");
  await page.clock.runFor(session.receivedMs + (session.expires_in * 1000) / 2 - now - 1000);
  await justBefore();
  await page.clock.runFor(1000 + roundingMs);
}

test("[SESSION-10][SESSION-13][SESSION-08] a renewal refused with 401 signs out and shows Login, which leads back to the page", async ({
  page,
  signIn,
}) => {
  await page.clock.install();
  await signIn();
  await page.goto("/search?category=Aviation&dataset=airports");
  await expect(page.getByRole("heading", { level: 2, name: "airports" })).toBeVisible();
  await page.route(refreshCall, withBadToken);
  const [answer] = await Promise.all([page.waitForResponse(refreshCall), runToHalfLife(page, () => Promise.resolve())]);
  expect(answer.status()).toBe(401);
  await page.clock.resume();
  await expectLogin(page);
  expect(await storedSession(page)).toBeNull();
  expect(await downloadCookie(page)).toBeUndefined();
  await logIn(page, "viewer");
  await expect(page).toHaveURL("/search?category=Aviation&dataset=airports");
});

test("signing in again in the dialog keeps the page's state", async ({ page, signIn }) => {
  await page.clock.install();
  await signIn();
  await page.goto("/search");
  await sample(page, "storm-tracks");
  const address = page.url();
  const before = await storedSession(page);
  await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
  await page.route(refreshCall, (route) => route.abort());
  await page.clock.fastForward(901_000);
  await page.getByRole("button", { name: "Sign in again" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog.getByRole("textbox", { name: "Username" })).toHaveValue("viewer");
  await expect(dialog.getByLabel("Password", { exact: true })).toBeFocused();
  await dialog.getByLabel("Password", { exact: true }).fill("fairway-demo");
  await dialog.getByLabel("Password", { exact: true }).press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect((await storedSession(page))?.refresh_token).not.toBe(before?.refresh_token);
  await expect(page).toHaveURL(address);
  await expect(page.locator("body[data-same-page]")).toHaveCount(1);
  await expectRows(page, "storm-tracks");
});

test("[SESSION-05][SESSION-06] a reload renews the token first and keeps the page; if that fails, the user must log in and finds the open searches again, while another user does not", async ({
  page,
  signIn,
}) => {
  await signIn("editor");
  await page.goto("/search");
  await sample(page, "airports");
  const datasets = page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Datasets" });

  await test.step("a reload renews the token before anything else, without showing Login", async () => {
    const before = await storedSession(page);
    const visited: string[] = [];
    page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
    const [renewal] = await Promise.all([page.waitForRequest(refreshCall), page.reload()]);
    expect(renewal.postDataJSON()).toEqual({ refreshToken: before?.refresh_token });
    await expectRows(page, "airports");
    expect(visited).not.toContain("/login");
    expect((await storedSession(page))?.refresh_token).not.toBe(before?.refresh_token);
  });

  const reloadWithout = async (fail: (route: Route) => Promise<void>) => {
    await datasets.click();
    await expectDatasets(page);
    expect(await downloadCookie(page)).toBeDefined();
    await page.route(refreshCall, fail);
    await page.reload();
    await expectLogin(page);
    expect(await storedSession(page)).toBeNull();
    expect(await downloadCookie(page)).toBeUndefined();
    await page.unroute(refreshCall);
  };
  await test.step("a refused renewal leads to Login, and the same user finds the open searches again", async () => {
    await datasets.click();
    await sample(page, "earthquakes");
    await reloadWithout(withBadToken);
    await logIn(page, "editor");
    await expectDatasets(page);
    await expect(recentSearches(page)).toHaveCount(2);
    await recentSearches(page).filter({ hasText: "airports" }).getByRole("link").click();
    await expectRows(page, "airports");
  });

  await test.step("a failed renewal leads to Login, and another user finds no searches", async () => {
    await reloadWithout((route) => route.abort());
    await logIn(page, "developer");
    await expectDatasets(page);
    await expect(page.getByRole("list", { name: /^Recent searches/ })).toHaveCount(0);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("earthquakes");
  });
});
