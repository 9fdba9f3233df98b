import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { downloadCookie, expectDatasets, expectLogin, logIn, storedSession, visitAs } from "../support/sign-in.ts";

test("[LOGIN-04][LOGIN-07][SESSION-01] a login posts {username, password}, stores the token wrapper and opens the datasets", async ({
  page,
}) => {
  await page.goto("/login");
  const [request] = await Promise.all([page.waitForRequest("**/api/auth/login"), logIn(page, "viewer")]);
  expect(request.method()).toBe("POST");
  expect(request.postDataJSON()).toEqual({ username: "viewer", password: "fairway-demo" });
  // Read from the session, because the browser discards responses of a page that has navigated away.
  await expectDatasets(page);
  await expect(page).toHaveURL("/search");
  expect(await storedSession(page)).toMatchObject({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refresh_token: expect.stringMatching(/.{20}/),
    token_type: "Bearer",
    expires_in: 1800,
  });
});

test("[SESSION-02][SESSION-03] the wrapper is kept in session storage, and the access token in a cookie named JWT for its lifetime", async ({
  page,
}) => {
  const before = Date.now() / 1000;
  await visitAs(page, "viewer");
  const after = Date.now() / 1000;
  const session = await storedSession(page);
  const cookie = await downloadCookie(page);
  expect(cookie?.value).toBe(session?.access_token);
  expect(cookie?.path).toBe("/api");
  expect(cookie?.sameSite).toBe("Strict");
  expect(cookie?.expires).toBeGreaterThan(before + 1790);
  expect(cookie?.expires).toBeLessThan(after + 1801);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(session?.refresh_token ?? "?");
});

test("[LOGIN-05] wrong credentials show an error and stay on Login", async ({ page }) => {
  await page.goto("/login");
  await logIn(page, "viewer", "not-it");
  await expect(page.getByRole("alert")).toHaveText("Invalid username or password. Please try again.");
  await logIn(page, "nobody-of-that-name", "not-it");
  await expect(page.getByRole("button", { name: "Login", exact: true })).toBeEnabled();
  await expect(page.getByRole("alert")).toHaveText("Invalid username or password. Please try again.");
  await expectLogin(page);
  expect(await storedSession(page)).toBeNull();
  expect(await downloadCookie(page)).toBeUndefined();
});

test("every demo account offered on Login can sign in", async ({ page }) => {
  await page.goto("/login");
  const accounts = page.getByRole("region", { name: "Demo accounts" }).getByRole("button");
  await expect(accounts.nth(1)).toBeVisible();
  const names = await accounts.locator("strong").allTextContents();
  for (const name of names) {
    await accounts.filter({ hasText: name }).click();
    await expect(page.getByRole("textbox", { name: "Username" })).toHaveValue(name);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expectDatasets(page);
    await page.evaluate(() => sessionStorage.clear());
    await page.goto("/login");
    await expectLogin(page);
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations on Login in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/login");
    await expectLogin(page);
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    expect(await axeViolations(page)).toEqual([]);
    await logIn(page, "viewer", "not-it");
    await expect(page.getByRole("alert")).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
  });
}
