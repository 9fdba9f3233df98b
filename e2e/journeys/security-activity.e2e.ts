import { demoPassword } from "@fairway/contract/api";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount } from "../support/accounts.ts";
import { chooseInRow, openAdmin } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { adminHeaders, signInByCall, signInTab } from "../support/own-account.ts";

test("changes of how one signs in are listed on the Profile screen, and for administrators in the menu of the row", async ({
  page,
  request,
  browser,
}) => {
  const account = await createAccount();
  const { access_token: token } = await signInByCall(request, account);
  const profile = { email: "marie@fairway.example", firstName: "Marie", lastName: "Keller" };
  const changed = await request.put("/api/profile", { data: profile, headers: { authorization: `Bearer ${token}` } });
  expect(changed.status()).toBe(200);
  const headers = await adminHeaders(request);
  const users = (await (await request.get("/api/admin/users", { headers })).json()) as { id: string; username: string }[];
  const id = users.find(({ username }) => username === account.username)?.id;
  const password = { setPassword: true, value: account.password };
  const given = await request.put("/api/admin/users", { headers, data: { id, username: account.username, ...profile, password } });
  expect(given.status()).toBe(200);

  await signInTab(page, account);
  await page.goto("/user-profile");
  const lines = page.getByRole("list", { name: "Security activity" }).getByRole("listitem");
  await expect(lines).toHaveText([/^Password changed.* · administrator admin$/, /^Email changed.* · you$/]);
  expect(await axeViolations(page)).toEqual([]);

  const context = await browser.newContext();
  const theirs = await context.newPage();
  await signInTab(theirs, { username: "admin", password: demoPassword });
  await openAdmin(theirs, "/user-settings", "Users");
  await chooseInRow(theirs, account.username, "Security Activity");
  const dialog = theirs.getByRole("dialog", { name: `Security Activity of ${account.username}` });
  await expect(dialog.getByRole("listitem").last()).toHaveText(/^Email changed.* · the user$/);
  expect(await axeViolations(theirs)).toEqual([]);
  await context.close();
});
