import { randomUUID } from "node:crypto";
import { createAccount } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDatasets, expectLogin, logIn, storedSession } from "../support/sign-in.ts";

const requestedPage = "/search?category=Natural+hazards&dataset=earthquakes";

test("[LOGIN-08][LOGIN-09][LOGIN-10] a user who must change the password does so on Login with the reset token, and continues to the requested page", async ({
  page,
}) => {
  const { username, password } = await createAccount({ requirePasswordChange: true });
  await page.goto(requestedPage);
  const [login] = await Promise.all([page.waitForResponse("**/api/auth/login"), logIn(page, username, password)]);
  const answer = await login.json();
  expect(answer).toEqual({
    requiresPasswordChange: true,
    token: { access_token: expect.any(String), refresh_token: null, token_type: "Bearer", expires_in: 600 },
  });
  await expect(page.getByRole("heading", { level: 1, name: "Update Password" })).toBeVisible();
  await expect(page).toHaveURL(/\/login\?/);
  expect(await storedSession(page)).toBeNull();

  const newPassword = randomUUID();
  await page.getByLabel("New password").fill(newPassword);
  await page.getByLabel("Confirm password").fill(newPassword);
  const [update] = await Promise.all([
    page.waitForRequest("**/api/profile/reset-password"),
    page.getByRole("button", { name: "Update Password" }).click(),
  ]);
  expect(update.method()).toBe("PUT");
  expect(update.postDataJSON()).toEqual({ password: newPassword });
  expect(update.headers()["authorization"]).toBe(`Bearer ${answer.token.access_token}`);
  await expect(page).toHaveURL(requestedPage);
  await expect(page.getByRole("heading", { level: 2, name: "earthquakes" })).toBeVisible();
  expect((await storedSession(page))?.refresh_token).toEqual(expect.any(String));
});

test("[LOGIN-12] the update fails if the reset token was used elsewhere, and leads back to Login", async ({ page }) => {
  const { username, password } = await createAccount({ requirePasswordChange: true });
  await page.goto("/login");
  const [login] = await Promise.all([page.waitForResponse("**/api/auth/login"), logIn(page, username, password)]);
  const { token } = (await login.json()) as { token: { access_token: string } };
  await page.request.put("/api/profile/reset-password", {
    headers: { authorization: `Bearer ${token.access_token}` },
    data: { password: "changed-elsewhere" },
  });
  await page.getByLabel("New password").fill("abcd");
  await page.getByLabel("Confirm password").fill("abcd");
  await page.getByRole("button", { name: "Update Password" }).click();
  await expect(page.getByRole("alert").getByText("Password Update Failed", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Back to Login" }).click();
  await expectLogin(page);
  await logIn(page, username, "changed-elsewhere");
  await expectDatasets(page);
});
