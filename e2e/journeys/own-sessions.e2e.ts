import { expect, test } from "../support/fixtures.ts";
import { signInAsNewcomer, signInTab } from "../support/own-account.ts";
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
