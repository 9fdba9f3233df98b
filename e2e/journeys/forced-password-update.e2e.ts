import { randomUUID } from "node:crypto";
import { createAccount } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDatasets, expectLogin, logIn, storedSession } from "../support/sign-in.ts";

const wanted = "/search?category=Natural+hazards&dataset=earthquakes";

test("[LOGIN-08][LOGIN-09][LOGIN-10] who must change the password does so on Login, with the reset token, and goes on to the wanted address", async ({
  page,
}) => {
  const { username, password } = await createAccount({ requirePasswordChange: true });
  await page.goto(wanted);
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
  await expect(page).toHaveURL(wanted);
  await expect(page.getByRole("heading", { level: 2, name: "earthquakes" })).toBeVisible();
  expect((await storedSession(page))?.refresh_token).toEqual(expect.any(String));
});

test("[LOGIN-10] after the update the datasets open where nothing else was wanted, and the new password holds", async ({ page }) => {
  const { username, password } = await createAccount({ requirePasswordChange: true });
  await page.goto("/login");
  await logIn(page, username, password);
  await page.getByLabel("New password").fill("abc");
  await page.getByLabel("Confirm password").fill("abc");
  await page.getByLabel("Confirm password").press("Enter");
  await expectDatasets(page);
  await expect(page).toHaveURL("/search");

  await page.evaluate(() => sessionStorage.clear());
  await page.goto("/login");
  await logIn(page, username, password);
  await expect(page.getByRole("alert")).toBeVisible();
  await logIn(page, username, "abc");
  await expectDatasets(page);
});

test("[LOGIN-11] the update waits for two fields that are filled, of three characters and equal", async ({ page }) => {
  const { username, password } = await createAccount({ requirePasswordChange: true });
  let sent = 0;
  await page.route("**/api/profile/reset-password", (route) => {
    sent += 1;
    return route.continue();
  });
  await page.goto("/login");
  await logIn(page, username, password);
  const fresh = page.getByLabel("New password");
  const again = page.getByLabel("Confirm password");
  const update = page.getByRole("button", { name: "Update Password" });
  await expect(fresh).toBeFocused();
  for (const [first, second] of [
    ["", ""],
    ["abc", ""],
    ["", "abc"],
    ["ab", "ab"],
    ["abcd", "abce"],
  ] as const) {
    await fresh.fill(first);
    await again.fill(second);
    await expect(update).toBeDisabled();
    await again.press("Enter");
  }
  await expect(page.getByText("The two passwords differ.")).toBeVisible();
  await again.fill("abcd");
  await expect(update).toBeEnabled();
  expect(sent).toBe(0);
});

test("[LOGIN-12] a failed update says 'Password Update Failed', keeps what was typed and can be tried again", async ({ page }) => {
  const { username, password } = await createAccount({ requirePasswordChange: true });
  await page.goto("/login");
  await logIn(page, username, password);
  await page.getByLabel("New password").fill("abcd");
  await page.getByLabel("Confirm password").fill("abcd");
  await page.route("**/api/profile/reset-password", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Update Password" }).click();
  await expect(page.getByRole("alert").getByText("Password Update Failed", { exact: true })).toBeVisible();
  await expectUpdateStep(page);
  await page.getByRole("button", { name: "Update Password" }).click();
  await expectDatasets(page);
});

test("[LOGIN-12] a reset token that was spent meanwhile fails the update, and Login is one step back", async ({ page }) => {
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

async function expectUpdateStep(page: Parameters<typeof expectLogin>[0]): Promise<void> {
  await expect(page.getByLabel("New password")).toHaveValue("abcd");
  await expect(page.getByLabel("Confirm password")).toHaveValue("abcd");
}
