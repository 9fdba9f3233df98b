import { expect, test } from "../support/fixtures.ts";
import { failNext, signInAsNewcomer, signInTab, statusOfLogin } from "../support/own-account.ts";
import { expectLogin } from "../support/sign-in.ts";

const sessionsOf = (page: Parameters<typeof expectLogin>[0]) => page.getByRole("list", { name: "Sessions" }).getByRole("listitem");

test("another browser's session is listed with device, address and times, and is signed out from here", async ({ page, browser }) => {
  const account = await signInAsNewcomer(page);
  const phone = await browser.newContext({
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    viewport: { width: 390, height: 844 },
  });
  const other = await phone.newPage();
  await signInTab(other, account);
  await other.goto("/user-profile");
  await expect(sessionsOf(other)).toHaveCount(2);

  await page.goto("/user-profile");
  const theirs = sessionsOf(page).filter({ hasText: "Safari 17.5 on iOS 17.5" });
  await expect(theirs).toHaveText(/127\.0\.0\.1 · since \d\d-\d\d-\d{4}, \d+:\d\d:\d\d [ap]m · last used \d\d-\d\d-\d{4}/);
  await expect(sessionsOf(page).filter({ hasText: "This session" })).toHaveCount(1);
  await expect(theirs).not.toContainText("This session");
  await expect(sessionsOf(page).filter({ hasText: "This session" }).getByRole("button")).toHaveCount(0);
  await theirs.getByRole("button", { name: /^Sign Out/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "Signed out" })).toBeVisible();
  await expect(sessionsOf(page)).toHaveCount(1);

  await other.getByRole("textbox", { name: "First name" }).fill("Nobody");
  await other.getByRole("button", { name: "Save" }).click();
  await expectLogin(other);
  await page.reload();
  await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Grace");
  await phone.close();
});

test("all other sessions end at once after a question, and a failure of that is said", async ({ page, browser }) => {
  const account = await signInAsNewcomer(page);
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await signInTab(other, account);
  await other.goto("/user-profile");
  await expect(sessionsOf(other)).toHaveCount(2);
  await signInTab(await elsewhere.newPage(), account);

  await page.goto("/user-profile");
  const ends = page.getByRole("button", { name: /^Sign Out session/ });
  await expect(ends).toHaveCount(2);
  const names = await ends.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  expect(new Set(names).size).toBe(2);
  const everywhere = page.getByRole("button", { name: "Sign Out Everywhere Else" });
  await failNext(page, "**/api/profile/sessions", "DELETE");
  await everywhere.click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await everywhere.click();
  await page.getByRole("dialog", { name: "Sign Out Everywhere Else?" }).getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Sign Out Failed" })).toBeVisible();
  await expect(sessionsOf(page)).toHaveCount(3);
  await everywhere.click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
  await expect(sessionsOf(page)).toHaveCount(1);
  await expect(everywhere).toHaveCount(0);
  await other.reload();
  await expectLogin(other);
  await elsewhere.close();
});

test("recent sign-ins show what succeeded and what failed, of this account alone", async ({ page, request }) => {
  const account = await signInAsNewcomer(page);
  expect(await statusOfLogin(request, { ...account, password: "wrong" })).toBe(401);
  expect(await statusOfLogin(request, { username: "viewer", password: "fairway-demo" })).toBe(200);
  await page.goto("/user-profile");
  const rows = page.getByRole("table", { name: "Recent Sign-ins" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toHaveText(/\d\d-\d\d-\d{4}, \d+:\d\d:\d\d [ap]m\s*Failed.*127\.0\.0\.1/);
  await expect(rows.nth(2)).toContainText("Succeeded");
});
