import type { Page } from "@playwright/test";
import { createAccount } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInTab } from "../support/own-account.ts";
import { katrina, openResults } from "../support/results.ts";
import { expectDatasets, expectLogin, logIn } from "../support/sign-in.ts";

/** Everything that this origin keeps in the browser, as text. */
async function keptByBrowser(pages: readonly Page[]): Promise<string> {
  const [first] = pages;
  if (!first) throw new Error("There is no page.");
  const shared = await first.evaluate(async () => ({
    local: Object.entries(localStorage),
    cookies: document.cookie,
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
  }));
  const ofTabs = await Promise.all(
    pages.map((page) => page.evaluate(() => ({ session: Object.entries(sessionStorage), name: window.name }))),
  );
  return JSON.stringify([shared, ofTabs, await first.context().cookies()]);
}

test("after Logout nothing in the browser says who was signed in and what they did; their columns and zone are there again after the next login", async ({
  page,
  context,
}) => {
  test.slow();
  // Columns are kept with the account, which other journeys must not share.
  const account = await createAccount();
  const grid = page.getByRole("grid", { name: "Results of storm-tracks" });
  const firstHeader = grid.getByRole("columnheader").first();
  const userId = await test.step("a user chooses columns and a zone, and uses files, a board and a map in two tabs", async () => {
    await signInTab(page, account);
    await page.goto("/search");
    await expectDatasets(page);
    // As by an earlier release, of this user and of another.
    await page.evaluate(() => {
      localStorage.setItem("fairway.times.viewer", "local");
      localStorage.setItem("fairway.seen.viewer", "{}");
      localStorage.setItem("fairway.columns.viewer/Tropical%20weather/storm-tracks", "{}");
    });
    await openResults(page, katrina);
    await firstHeader.focus();
    await page.keyboard.press("Alt+ArrowDown");
    const saved = page.waitForResponse((response) => response.url().includes("/api/preferences/columns") && response.ok());
    await page.getByRole("menuitem", { name: "Hide column" }).click();
    await saved;
    await expect(firstHeader).toContainText("name");
    const savedZone = page.waitForResponse((response) => response.url().includes("/api/preferences/zone") && response.ok());
    await page.getByRole("button", { name: "Times in UTC" }).click();
    await savedZone;
    await expect.poll(() => page.evaluate(() => localStorage.getItem("fairway.user.seen"))).toContain("newestMs");
    await page.getByRole("combobox", { name: "Type a filter", exact: true }).fill("status = Zanzibar and");
    await page.getByText("Map", { exact: true }).click();
    await expect(page.getByRole("grid", { name: "Items" }).getByText("Katrina").first()).toBeVisible();
    await page.goto("/filesets");
    await page.getByRole("navigation", { name: "Choose a fileset" }).getByRole("link").first().click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("fairway.user.filesets"))).toContain("fileset");
    await page.goto("/boards");
    await page.getByRole("main").getByRole("link").first().click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.goto("/user-profile");
    await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
    return page.evaluate(() => (JSON.parse(localStorage.getItem("fairway.user.seen") ?? "{}") as { owner: string }).owner);
  });
  const other = await context.newPage();
  await other.goto("/search");
  await expectDatasets(other);
  expect(await keptByBrowser([page, other])).toContain(userId);
  expect(await keptByBrowser([page, other])).toContain("Zanzibar");

  await test.step("Logout in one tab leaves nothing of them in either", async () => {
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
    await expectLogin(page);
    await expectLogin(other);
    const kept = await keptByBrowser([page, other]);
    for (const trace of [userId, account.username, "viewer", "Grace", "Keller", "storm-tracks", "fileset", "newestMs", "Zanzibar"]) {
      expect(kept.includes(trace) ? `${trace} in ${kept}` : "").toBe("");
    }
    expect(
      (await page.evaluate(() => Object.keys(localStorage))).filter((key) => /^fairway\.(user|seen|times|columns)\./.test(key)),
    ).toEqual([]);
  });

  await test.step("the account has what they chose", async () => {
    await logIn(page, account.username, account.password);
    await expectDatasets(page);
    await openResults(page, katrina);
    await expect(firstHeader).toContainText("name");
    await expect(page.getByRole("button", { name: "Times in America/New York" })).toBeVisible();
  });
});
