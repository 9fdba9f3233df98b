import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { bearer, tokenOf } from "../support/gateway.ts";
import { signInTab } from "../support/own-account.ts";
import { createNotices, createReader } from "../support/notices.ts";

const modal = (page: Page) => page.getByRole("dialog", { name: /^Information Notices?$/ });
const button = (page: Page, name: string) => modal(page).getByRole("button", { name, exact: true });

test("[NOTICE-06][NOTICE-08] a new notice opens after login, can be closed immediately, and is not new at the next login", async ({
  page,
  request,
}) => {
  const [reader, other] = await Promise.all([createReader(), createReader()]);
  const ids = await createNotices(request, reader.role, [{ title: "Maintenance on Sunday", message: "From **8:00** on." }]);
  await signInTab(page, reader);
  await page.goto("/search");
  await expect(modal(page)).toContainText("Maintenance on Sunday");
  await expect(modal(page).locator("strong")).toHaveText("8:00");
  await expect(button(page, "Next")).toHaveCount(0);
  const marked = page.waitForRequest((requested) => requested.url().endsWith("/api/notices/viewed") && requested.method() === "PUT");
  await button(page, "Close").click();
  expect((await marked).postDataJSON()).toEqual(ids);
  await (await marked).response();
  await expect(modal(page)).toHaveCount(0);

  const requested = page.waitForResponse(/\/api\/notices\/new$/);
  await page.reload();
  expect(await (await requested).json()).toEqual([]);
  await expect(modal(page)).toHaveCount(0);

  await page.getByRole("navigation", { name: "Main" }).locator("a[href='/user-profile']").click();
  await page.getByRole("navigation", { name: "Profile" }).getByRole("link", { name: "Notices" }).click();
  await expect(page.getByRole("region", { name: "Chosen notice" })).toContainText("Maintenance on Sunday");

  const stored = await request.get("/api/admin/notices", bearer(await tokenOf(request, "admin")));
  expect(await stored.json()).toContainEqual(
    expect.objectContaining({
      id: ids[0],
      faIcon: "bullhorn",
      title: "Maintenance on Sunday",
      message: "From **8:00** on.",
      roles: [{ roleName: reader.role }],
      createdDateMs: expect.any(Number),
    }),
  );
  const answer = await request.get("/api/notices", bearer(await tokenOf(request, other.username, other.password)));
  expect((await answer.json()) as unknown[]).not.toContainEqual(expect.objectContaining({ id: ids[0] }));
});
