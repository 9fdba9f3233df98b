import type { Page, Route } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { refuseLiveStream } from "../support/live-stream.ts";
import { stopClock } from "../support/page-clock.ts";
import { expectRows, recentSearches, sample } from "../support/searches.ts";
import { downloadCookie, expectDatasets, expectLogin, logIn, storedSession } from "../support/sign-in.ts";

const refreshCall = "**/api/auth/refresh";

/** Sends an invalid token, which the real gateway refuses. */
const withBadToken = (route: Route) => route.continue({ postData: JSON.stringify({ refreshToken: "no-such-token" }) });

// Timers and the clock are rounded to milliseconds separately.
const roundingMs = 50;

/** Stops the clock and advances it to half of the token's lifetime. */
async function runToHalfLife(page: Page): Promise<void> {
  const now = await stopClock(page);
  const session = await storedSession(page);
  if (!session) throw new Error("the page is not signed in");
  await page.clock.runFor(session.receivedMs + (session.expires_in * 1000) / 2 - now + roundingMs);
}

test("[SESSION-06][SESSION-13] a reload renews the token and keeps the page; a renewal that is refused or fails leads to Login and back to the page and the open searches, which another user does not find", async ({
  page,
  signIn,
}) => {
  const datasets = page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Datasets" });
  const expectSignedOut = async () => {
    await expectLogin(page);
    expect(await storedSession(page)).toBeNull();
    expect(await downloadCookie(page)).toBeUndefined();
  };
  await page.clock.install();
  await refuseLiveStream(page);
  await signIn("editor");
  await page.goto("/search");
  await sample(page, "airports");

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

  await test.step("a renewal refused with 401 leads to Login, and the same user finds the page and the open searches again", async () => {
    await datasets.click();
    await page.getByRole("region", { name: "Choose a dataset" }).getByText("earthquakes", { exact: true }).click();
    await expect(page).toHaveURL(/\/search\?category=Natural(\+|%20)hazards&dataset=earthquakes$/);
    // A part that is still loading would time out as soon as the clock is advanced.
    await expect(page.getByRole("form", { name: "Search earthquakes" })).toBeVisible();
    const address = page.url();
    expect(await downloadCookie(page)).toBeDefined();
    await page.route(refreshCall, withBadToken);
    const [answer] = await Promise.all([page.waitForResponse(refreshCall), runToHalfLife(page)]);
    expect(answer.status()).toBe(401);
    await page.clock.resume();
    await expectSignedOut();
    await page.unroute(refreshCall);
    await logIn(page, "editor");
    await expect(page).toHaveURL(address);
    await expect(page.getByRole("heading", { level: 2, name: "earthquakes" })).toBeVisible();
    await recentSearches(page).getByRole("link").click();
    await expectRows(page, "airports");
  });

  await test.step("a reload without a renewal leads to Login, and another user finds no searches", async () => {
    await datasets.click();
    await expectDatasets(page);
    await page.route(refreshCall, (route) => route.abort());
    await page.reload();
    await expectSignedOut();
    await page.unroute(refreshCall);
    await logIn(page, "developer");
    await expectDatasets(page);
    await expect(page.getByRole("list", { name: /^Recent searches/ })).toHaveCount(0);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("airports");
  });
});
