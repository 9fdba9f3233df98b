import { demoPassword } from "@fairway/contract/api";
import type { Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { axeViolations } from "../support/accessibility.ts";
import { chooseInRow, openAdmin } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { adminHeaders, signInAsNewAccount, signInByCall, signInTab, loginStatus } from "../support/own-account.ts";
import { expectLogin, logIn } from "../support/sign-in.ts";

const sessionsOf = (page: Page) => page.getByRole("list", { name: "Sessions" }).getByRole("listitem");

test("sign-in changes are listed for the user and for administrators, who can remove a lost second factor; the user can sign out another browser", async ({
  page,
  request,
  browser,
}) => {
  const account = await signInAsNewAccount(page);
  const { access_token: token } = await signInByCall(request, account);
  const own = { authorization: `Bearer ${token}` };
  const profile = { email: "marie@fairway.example", firstName: "Marie", lastName: "Keller" };

  await test.step("the session of another browser is listed and can be signed out", async () => {
    const phone = await browser.newContext({
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      viewport: { width: 390, height: 844 },
    });
    const other = await phone.newPage();
    await signInTab(other, account);
    await other.goto("/user-profile");
    await expect(sessionsOf(other)).toHaveCount(3);

    await page.goto("/user-profile");
    const theirs = sessionsOf(page).filter({ hasText: "Safari 17.5 on iOS 17.5" });
    await expect(theirs).toHaveText(/127\.0\.0\.1 · since \d\d-\d\d-\d{4}, \d+:\d\d:\d\d [ap]m · last used \d\d-\d\d-\d{4}/);
    const here = sessionsOf(page).filter({ hasText: "This session" });
    await expect(here).toHaveCount(1);
    await expect(here.getByRole("button")).toHaveCount(0);
    await expect(theirs).not.toContainText("This session");
    await theirs.getByRole("button", { name: /^Sign Out/ }).click();
    await expect(page.getByRole("status").filter({ hasText: "Signed out" })).toBeVisible();
    await expect(sessionsOf(page)).toHaveCount(2);

    await other.getByRole("textbox", { name: "First name" }).fill("Nobody");
    await other.getByRole("button", { name: "Save" }).click();
    await expectLogin(other);
    await page.reload();
    await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Grace");
    await phone.close();
  });

  const headers = await adminHeaders(request);
  await test.step("changes are made by the user and by an administrator", async () => {
    expect((await request.put("/api/profile", { data: profile, headers: own })).status()).toBe(200);
    const path = "/api/profile/sign-in-methods/authenticator";
    const { secret } = (await (await request.post(path, { headers: own })).json()) as { secret: string };
    const code = new TOTP({ algorithm: "SHA1", digits: 6, period: 30, secret }).generate();
    expect((await request.put(path, { headers: own, data: { code } })).status()).toBe(200);
    const users = (await (await request.get("/api/admin/users", { headers })).json()) as { id: string; username: string }[];
    const id = users.find(({ username }) => username === account.username)?.id;
    const password = { setPassword: true, value: account.password };
    const updated = await request.put("/api/admin/users", { headers, data: { id, username: account.username, ...profile, password } });
    expect(updated.status()).toBe(200);
  });
  const context = await browser.newContext();
  const theirs = await context.newPage();
  await signInTab(theirs, { username: "admin", password: demoPassword });
  await openAdmin(theirs, "/user-settings", "Users");

  await test.step("administrators see them through the menu of the row", async () => {
    await chooseInRow(theirs, account.username, "Security Activity");
    const dialog = theirs.getByRole("dialog", { name: `Security Activity of ${account.username}` });
    await expect(dialog.getByRole("listitem").first()).toHaveText(/^Password changed.* · administrator admin$/);
    await expect(dialog.getByRole("listitem").last()).toHaveText(/^Email changed.* · the user$/);
    expect(await axeViolations(theirs)).toEqual([]);
    await theirs.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  });

  await test.step("an administrator removes a lost second factor", async () => {
    await chooseInRow(theirs, account.username, "Remove Second Factor");
    const question = theirs.getByRole("dialog", { name: `Remove the Second Factor of ${account.username}?`, exact: true });
    await question.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(theirs.getByText(`Second factor of ${account.username} removed`)).toBeVisible();
    const answer = await request.post("/api/auth/login", { data: account });
    expect(await answer.json()).not.toHaveProperty("requiresSecondFactor");
    expect(await loginStatus(request, account)).toBe(200);
  });
  await context.close();

  // A password set by an administrator ends the user's sessions.
  await page.goto("/user-profile");
  await expectLogin(page);
  await logIn(page, account.username, account.password);
  const lines = page.getByRole("list", { name: "Security activity" }).getByRole("listitem");
  await expect(lines.filter({ hasText: "Password changed" })).toHaveText(/ · administrator admin$/);
  await expect(lines.last()).toHaveText(/^Email changed.* · you$/);
  expect(await axeViolations(page)).toEqual([]);
});
