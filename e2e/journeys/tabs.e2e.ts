import { demoPassword } from "@fairway/contract/api";
import { expect, test } from "../support/fixtures.ts";
import { recentSearches, sample } from "../support/searches.ts";
import { downloadCookie, expectDatasets, expectLogin, logIn, storedSession } from "../support/sign-in.ts";

const refreshCall = "**/api/auth/refresh";

test("tabs share one session: new tabs need no login, one tab renews the token for all, a logout or login in one reaches all, and another user's login switches all to that user", async ({
  page,
  context,
  signIn,
  expectConsoleErrors,
}) => {
  // A quarter of an hour that passes at once is too long for whatever part is being loaded just then.
  expectConsoleErrors(/ChunkLoadError: This part of the application could not be loaded/);
  let renewals = 0;
  await context.route(refreshCall, (route) => {
    renewals += 1;
    return route.continue();
  });
  await context.clock.install();
  await signIn("editor");
  await page.goto("/search");
  await sample(page, "storm-tracks");

  const other = await context.newPage();
  await test.step("a tab opened by URL needs neither a login nor another token", async () => {
    renewals = 0;
    const visited: string[] = [];
    other.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
    await other.goto("/search?category=Aviation&dataset=airports");
    await expect(other.getByRole("heading", { level: 2, name: "airports" })).toBeVisible();
    expect(visited).not.toContain("/login");
    expect(renewals).toBe(0);
    expect((await storedSession(other))?.refresh_token).toBe((await storedSession(page))?.refresh_token);
  });

  await test.step("one tab renews the token for all", async () => {
    const before = await storedSession(page);
    await context.clock.fastForward(901_000);
    await expect.poll(async () => (await storedSession(page))?.refresh_token).not.toBe(before?.refresh_token);
    await expect.poll(async () => (await storedSession(other))?.refresh_token).toBe((await storedSession(page))?.refresh_token);
    expect(renewals).toBe(1);
  });

  await test.step("a logout in one tab logs out the others", async () => {
    await other.getByRole("button", { name: "Logout" }).click();
    await other.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
    await expectLogin(other);
    await expectLogin(page);
    expect(await storedSession(page)).toBeNull();
    expect(await downloadCookie(page)).toBeUndefined();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("storm-tracks");
  });

  await test.step("a login in one tab signs in another tab on Login", async () => {
    await logIn(page, "editor");
    await expectDatasets(page);
    await expectDatasets(other);
  });

  await test.step("another user's login in one tab switches the other tabs to that user", async () => {
    await sample(page, "airports");
    await context.route(refreshCall, (route) => route.abort());
    await context.clock.fastForward(901_000);
    await other.getByRole("button", { name: "Sign in again" }).click();
    await context.unroute(refreshCall);
    const dialog = other.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByRole("textbox", { name: "Username" }).fill("admin");
    await dialog.getByLabel("Password", { exact: true }).fill(demoPassword);
    await dialog.getByRole("button", { name: "Login" }).click();
    for (const tab of [other, page]) {
      await expect(tab.getByRole("link", { name: "Helen Marsh" })).toBeVisible();
      await expect(tab).toHaveURL("/search");
      await expectDatasets(tab);
      await expect(recentSearches(tab)).toHaveCount(0);
      expect(await tab.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("airports");
    }
  });
});
