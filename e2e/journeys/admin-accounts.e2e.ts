import { chooseInRow, deleteEntity, listEntities, openAdmin, uniqueName, rowOf } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { loginStatus } from "../support/own-account.ts";
import { expectForm, earthquakes, formAddress } from "../support/datasets.ts";
import { logIn, storedSession } from "../support/sign-in.ts";

test("[LOGIN-08][LOGIN-10] an administrator creates, locks and unlocks a user, who must change the password on Login and then continues to the requested page", async ({
  page,
  browser,
  request,
  signIn,
}) => {
  const account = { username: uniqueName("user"), password: "first-password" };
  const { username } = account;
  const dialog = page.getByRole("dialog");
  await signIn("admin");
  await openAdmin(page, "/user-settings", "Users");

  await test.step("creates a user in a group who must change the password", async () => {
    await page.getByRole("button", { name: "New", exact: true }).click();
    await dialog.getByRole("textbox", { name: "Username", exact: true }).fill(username);
    await dialog.getByLabel("Password", { exact: true }).fill(account.password);
    await dialog.getByRole("checkbox", { name: "Require a password change at the next login" }).check();
    await dialog.getByRole("combobox", { name: "Groups" }).fill("Viewers");
    await page.getByRole("option", { name: "Viewers" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect(await rowOf(page, username)).toContainText("Viewers");
  });

  await test.step("locks and unlocks the user", async () => {
    await chooseInRow(page, username, "Toggle Enabled");
    await expect((await rowOf(page, username)).getByText("disabled", { exact: true })).toBeVisible();
    expect(await loginStatus(request, account)).toBe(401);
    await chooseInRow(page, username, "Unlock");
    await expect((await rowOf(page, username)).getByText("enabled", { exact: true })).toBeAttached();
  });

  await test.step("the user changes the password with the reset token and continues to the requested page", async () => {
    const theirs = await browser.newPage();
    const requested = formAddress(earthquakes);
    await theirs.goto(requested);
    const [login] = await Promise.all([theirs.waitForResponse("**/api/auth/login"), logIn(theirs, username, account.password)]);
    const answer = await login.json();
    expect(answer).toEqual({
      requiresPasswordChange: true,
      token: { access_token: expect.any(String), refresh_token: null, token_type: "Bearer", expires_in: 600 },
    });
    await expect(theirs.getByRole("heading", { level: 1, name: "Update Password" })).toBeVisible();
    await expect(theirs).toHaveURL(/\/login\?/);
    expect(await storedSession(theirs)).toBeNull();
    await theirs.getByLabel("New password").fill("second-password");
    await theirs.getByLabel("Confirm password").fill("second-password");
    const [update] = await Promise.all([
      theirs.waitForRequest("**/api/profile/reset-password"),
      theirs.getByRole("button", { name: "Update Password" }).click(),
    ]);
    expect(update.method()).toBe("PUT");
    expect(update.postDataJSON()).toEqual({ password: "second-password" });
    expect(update.headers()["authorization"]).toBe(`Bearer ${answer.token.access_token}`);
    await expectForm(theirs, earthquakes);
    await expect(theirs).toHaveURL(requested);
    expect((await storedSession(theirs))?.refresh_token).toEqual(expect.any(String));
    await theirs.close();
  });
  const created = (await listEntities(request, "users")).find((one) => one["username"] === username);
  await deleteEntity(request, "users", String(created?.["id"]));
});
