import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { bearer, tokenOf } from "../support/gateway.ts";
import { createNotices, createReader } from "../support/notices.ts";
import { logIn, visitAs } from "../support/sign-in.ts";

const modal = (page: Page) => page.getByRole("dialog", { name: /^Information Notices?$/ });
const button = (page: Page, name: string) => modal(page).getByRole("button", { name, exact: true });

test("[NOTICE-06][NOTICE-08][NOTICE-10][NOTICE-12][NOTICEADM-03] one new notice opens after login, closes at once, and is not new at the next one", async ({
  page,
  request,
}) => {
  const [reader, other] = await Promise.all([createReader(), createReader()]);
  const ids = await createNotices(request, reader.role, [{ title: "Maintenance on Sunday", message: "From **8:00** on." }]);
  await visitAs(page, reader.username, reader.password);
  await expect(modal(page)).toContainText("Maintenance on Sunday");
  await expect(modal(page).locator("strong")).toHaveText("8:00");
  await expect(button(page, "Next")).toHaveCount(0);
  const marked = page.waitForRequest((asked) => asked.url().endsWith("/api/notices/viewed") && asked.method() === "PUT");
  await button(page, "Close").click();
  expect((await marked).postDataJSON()).toEqual(ids);
  await (await marked).response();
  await expect(modal(page)).toHaveCount(0);

  const asked = page.waitForResponse(/\/api\/notices\/new$/);
  await page.reload();
  expect(await (await asked).json()).toEqual([]);
  await expect(modal(page)).toHaveCount(0);

  const kept = await request.get("/api/admin/notices", bearer(await tokenOf(request, "admin")));
  expect(await kept.json()).toContainEqual(
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

test("[NOTICE-07][NOTICE-09][NOTICE-10] of several new notices each is stepped to before Close appears, and all are viewed then", async ({
  page,
  request,
}) => {
  const reader = await createReader();
  const titles = ["First of three", "Second of three", "Third of three"];
  const ids = await createNotices(
    request,
    reader.role,
    titles.map((title) => ({ title, message: title })),
  );
  await visitAs(page, reader.username, reader.password);
  await expect(modal(page)).toContainText("Third of three");
  await expect(button(page, "Close")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(button(page, "Previous")).toBeDisabled();
  await button(page, "Next").click();
  await expect(modal(page)).toContainText("Second of three");
  await expect(button(page, "Close")).toHaveCount(0);
  await button(page, "Next").click();
  await expect(modal(page)).toContainText("First of three");
  await expect(button(page, "Next")).toBeDisabled();
  await expect(button(page, "Close")).toBeVisible();
  await button(page, "Previous").click();
  await expect(modal(page)).toContainText("Second of three");
  const marked = page.waitForRequest(/\/api\/notices\/viewed$/);
  await button(page, "Close").click();
  expect(new Set((await marked).postDataJSON() as string[])).toEqual(new Set(ids));
});

test("[ROUTE-33][SHELL-25][NOTICE-01][NOTICE-03][NOTICE-04] the Notices screen lists the newest first, with a viewer that shows stored markup as text", async ({
  page,
  request,
}) => {
  const reader = await createReader();
  await createNotices(request, reader.role, [
    { title: "An older one", message: "Nothing new." },
    {
      title: "<b>Newest</b>",
      faIcon: "triangle-exclamation",
      severity: "warning",
      message: "<img src=x onerror=alert(1)> [status](https://status.example/) [trap](javascript:alert(1))",
    },
  ]);
  const token = await tokenOf(request, reader.username, reader.password);
  const told = (await (await request.get("/api/notices/new", bearer(token))).json()) as { id: string }[];
  await request.put("/api/notices/viewed", { ...bearer(token), data: told.map(({ id }) => id) });
  await visitAs(page, reader.username, reader.password);
  await page.goto("/notices");
  await expect(page.getByRole("heading", { level: 1, name: "Notices", exact: true })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Profile" }).getByRole("link", { name: "Notices" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  const items = page.getByRole("list", { name: "Notices" }).getByRole("button");
  await expect(items).toContainText(["<b>Newest</b>", "An older one"]);
  const viewer = page.getByRole("region", { name: "Chosen notice" });
  await expect(viewer.getByRole("heading", { name: "<b>Newest</b>" })).toBeVisible();
  await expect(viewer.locator("svg[data-icon=triangle-exclamation]")).toBeVisible();
  await expect(viewer).toContainText("Warning");
  await expect(viewer).toContainText(/\d\d-\d\d-\d{4}, (?:[1-9]|1[0-2]):\d\d:\d\d [ap]m/);
  await expect(viewer).toContainText("<img src=x onerror=alert(1)>");
  await expect(viewer.locator("img")).toHaveCount(0);
  await expect(viewer.getByRole("link")).toHaveCount(1);
  await expect(viewer.getByRole("link", { name: "status" })).toHaveAttribute("rel", /noopener/);
  expect(await axeViolations(page)).toEqual([]);
  await items.nth(1).click();
  await expect(viewer).toContainText("Nothing new.");
});

test("[NOTICE-11][SESSION-24] a failed load of the screen offers a retry, and a failed load of the new ones shows nothing", async ({
  page,
  request,
  expectComplaints,
}) => {
  expectComplaints(/new notices could not be loaded/);
  const reader = await createReader();
  await createNotices(request, reader.role, [{ title: "Behind a failure", message: "x" }]);
  const broken = (status: number) => ({ status, json: { errors: [{ code: "internal", message: "It broke." }] } });
  await page.route("**/api/notices/new", (route) => route.fulfill(broken(500)));
  await page.route("**/api/notices", (route) => route.fulfill(broken(500)));
  await page.goto("/login");
  const asked = page.waitForResponse("**/api/notices/new");
  await logIn(page, reader.username, reader.password);
  await asked;
  await expect(page.getByRole("heading", { level: 1, name: "Datasets" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.goto("/notices");
  await expect(page.getByText("An error occurred while loading notices.")).toBeVisible();
  await page.unroute("**/api/notices");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("list", { name: "Notices" })).toContainText("Behind a failure");
});
