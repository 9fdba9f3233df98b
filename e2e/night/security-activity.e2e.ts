import { TOTP } from "otpauth";
import { createAccount } from "../support/accounts.ts";
import { chooseInRow, openAdmin } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { bearer } from "../support/gateway.ts";
import { adminHeaders, signInByCall, signInTab } from "../support/own-account.ts";

const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

test("sign-in changes are listed for the user and for administrators, who can remove a lost second factor; the user can sign out another browser", async ({
  page,
  request,
  browser,
  playwright,
  baseURL,
  signIn,
}) => {
  const account = await createAccount();
  const { access_token: token } = await signInByCall(request, account);
  const own = bearer(token);
  const profile = { email: "marie@fairway.example", firstName: "Marie", lastName: "Keller" };

  await test.step("changes are made by the user and by an administrator", async () => {
    expect((await request.put("/api/profile", { ...own, data: profile })).status()).toBe(200);
    const path = "/api/profile/sign-in-methods/authenticator";
    const { secret } = (await (await request.post(path, own)).json()) as { secret: string };
    const code = new TOTP({ algorithm: "SHA1", digits: 6, period: 30, secret }).generate();
    expect((await request.put(path, { ...own, data: { code } })).status()).toBe(200);
    const headers = await adminHeaders(request);
    const users = (await (await request.get("/api/admin/users", { headers })).json()) as { id: string; username: string }[];
    const id = users.find(({ username }) => username === account.username)?.id;
    const password = { setPassword: true, value: account.password };
    const updated = await request.put("/api/admin/users", { headers, data: { id, username: account.username, ...profile, password } });
    expect(updated.status()).toBe(200);
    // A password set by an administrator ends the user's sessions.
    expect((await request.get("/api/profile", own)).status()).toBe(401);
  });

  await test.step("administrators see them through the menu of the row, and remove a lost second factor", async () => {
    await signIn("admin");
    await openAdmin(page, "/user-settings", "Users");
    await chooseInRow(page, account.username, "Security Activity");
    const dialog = page.getByRole("dialog", { name: `Security Activity of ${account.username}` });
    await expect(dialog.getByRole("listitem").first()).toHaveText(/^Password changed.* · administrator admin$/);
    await expect(dialog.getByRole("listitem").last()).toHaveText(/^Email changed.* · the user$/);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await chooseInRow(page, account.username, "Remove Second Factor");
    const question = page.getByRole("dialog", { name: `Remove the Second Factor of ${account.username}?`, exact: true });
    await question.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(page.getByText(`Second factor of ${account.username} removed`)).toBeVisible();
    const answer = await request.post("/api/auth/login", { data: account });
    expect(answer.status()).toBe(200);
    expect(await answer.json()).not.toHaveProperty("requiresSecondFactor");
  });

  await test.step("the user sees them, and the session of another browser, and signs it out", async () => {
    const elsewhere = await playwright.request.newContext({ ...(baseURL === undefined ? {} : { baseURL }), userAgent: phone });
    const { refresh_token: refreshToken } = await signInByCall(elsewhere, account);
    const theirs = await browser.newPage();
    await signInTab(theirs, account);
    await theirs.goto("/user-profile");
    const sessions = theirs.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    const other = sessions.filter({ hasText: "Safari 17.5 on iOS 17.5" });
    await expect(other).toHaveText(/127\.0\.0\.1 · since \d\d-\d\d-\d{4}, \d+:\d\d:\d\d [ap]m · last used \d\d-\d\d-\d{4}/);
    await expect(other).not.toContainText("This session");
    const here = sessions.filter({ hasText: "This session" });
    await expect(here).toHaveCount(1);
    await expect(here.getByRole("button")).toHaveCount(0);
    await other.getByRole("button", { name: /^Sign Out/ }).click();
    await expect(theirs.getByRole("status").filter({ hasText: "Signed out" })).toBeVisible();
    await expect(other).toHaveCount(0);
    expect((await elsewhere.post("/api/auth/refresh", { data: { refreshToken } })).status()).toBe(401);
    await elsewhere.dispose();

    const lines = theirs.getByRole("list", { name: "Security activity" }).getByRole("listitem");
    await expect(lines.filter({ hasText: "Password changed" })).toHaveText(/ · administrator admin$/);
    await expect(lines.last()).toHaveText(/^Email changed.* · you$/);
    await theirs.close();
  });
});
