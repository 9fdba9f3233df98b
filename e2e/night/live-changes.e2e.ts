import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { createNotices, createReader } from "../support/notices.ts";
import { signInAsNewAccount, signInTab } from "../support/own-account.ts";
import { expectDatasets, expectLogin } from "../support/sign-in.ts";

const bar = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("the tabs of a browser show what is new without a reload, by one stream, until the user signs out", async ({
  page,
  context,
  request,
}) => {
  const reader = await createReader();
  let streams = 0;
  let ended = 0;
  const isStream = (call: { url: () => string }) => new URL(call.url()).pathname === "/api/live";
  context.on("request", (requested) => (streams += isStream(requested) ? 1 : 0));
  context.on("requestfailed", (requested) => (ended += isStream(requested) ? 1 : 0));
  context.on("requestfinished", (requested) => (ended += isStream(requested) ? 1 : 0));
  const opened = context.waitForEvent("response", isStream);
  await signInTab(page, reader);
  await page.goto("/search");
  await expectDatasets(page);
  expect((await opened).headers()["content-type"]).toBe("text/event-stream");
  const other = await context.newPage();
  // A notice that a tab finds when it loads is opened, not offered: the tab has read once by itself and once because it heard of the stream.
  let asked = 0;
  let read = 0;
  const isNotices = (call: { url: () => string }) => new URL(call.url()).pathname === "/api/notices/new";
  other.on("request", (requested) => (asked += isNotices(requested) ? 1 : 0));
  other.on("requestfailed", (requested) => (read += isNotices(requested) ? 1 : 0));
  other.on("requestfinished", (requested) => (read += isNotices(requested) ? 1 : 0));
  await other.goto("/search");
  await expectDatasets(other);
  await expect.poll(() => [asked, read]).toEqual([2, 2]);

  await test.step("a notice is offered in both; read in one, it is offered in neither", async () => {
    await createNotices(request, reader.role, [{ title: "Maintenance at noon", message: "For **one** hour." }]);
    for (const tab of [page, other]) await expect(bar(tab, "New notices")).toContainText("New notice: Maintenance at noon");
    await bar(page, "New notices").getByRole("button", { name: "Read" }).click();
    const dialog = page.getByRole("dialog", { name: "Information Notice" });
    await expect(dialog.locator("strong")).toHaveText("one");
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    for (const tab of [page, other]) await expect(bar(tab, "New notices")).toHaveCount(0);
    expect([streams, ended]).toEqual([1, 0]);
  });

  await test.step("a sign-out in one tab ends the stream for all", async () => {
    await other.getByRole("button", { name: "Logout" }).click();
    await other.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
    for (const tab of [other, page]) await expectLogin(tab);
    await expect.poll(() => ended).toBe(streams);
  });
});

test("another version of the web app is offered, and its load keeps what was typed", async ({ page }) => {
  await page.route("**/api/live", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: 'data: {"kind":"open","build":"0123456789abcdef"}\n\n' }),
  );
  await signInAsNewAccount(page);
  await page.goto("/user-profile");
  await expect(bar(page, "New version")).toContainText("A new version is available.");
  const name = page.getByRole("textbox", { name: "First name" });
  await name.fill("Augusta");
  await Promise.all([page.waitForEvent("load"), bar(page, "New version").getByRole("button", { name: "Reload" }).click()]);
  await expect(name).toHaveValue("Augusta");
  // A gateway of the version before has answered: it is not offered again and again.
  await expect(bar(page, "New version")).toHaveCount(0);
});
