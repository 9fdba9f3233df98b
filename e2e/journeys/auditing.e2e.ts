import { readFile } from "node:fs/promises";
import type { APIRequestContext, Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { bearer, tokenOf } from "../support/gateway.ts";

const table = (page: Page) => page.getByRole("table", { name: "Audit events" });
const rows = (page: Page) =>
  table(page)
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });

/** Creates an account with a sign-in and `calls` further calls in the log, and returns its username. */
async function createAccountWithCalls(request: APIRequestContext, calls: number): Promise<string> {
  const { username, password } = await createAccount();
  const token = bearer(await tokenOf(request, username, password));
  for (let sent = 0; sent < calls; sent += 10) {
    await Promise.all(
      Array.from({ length: Math.min(10, calls - sent) }, (_, index) =>
        request.get(index === 0 ? "/api/auditing/usernames" : "/api/favorite/datasets", token),
      ),
    );
  }
  // Events are written with a delay, so wait until they are in the log.
  const admin = bearer(await tokenOf(request, "admin"));
  await expect
    .poll(async () => {
      const answer = await request.get(`/api/auditing/events?username=${username}`, admin);
      return ((await answer.json()) as { totalElements: number }).totalElements;
    })
    .toBe(calls + 1);
  return username;
}

test("[ROUTE-30][SHELL-24][AUDIT-01][AUDIT-02][AUDIT-03][AUDIT-05][AUDIT-14] the log can be filtered by user and code, and shows the details of an event", async ({
  page,
  signIn,
  request,
}) => {
  const username = await createAccountWithCalls(request, 3);
  await signIn("admin");
  await page.goto("/search");
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Power" }).click();
  await page.getByRole("navigation", { name: "Power" }).getByRole("link", { name: "Audit Logs" }).click();
  await expect(page).toHaveURL(/\/auditing$/);
  await expect(page.getByRole("heading", { level: 1, name: "Audit Logs" })).toBeVisible();
  await page.getByLabel("Username", { exact: true }).selectOption(username);
  await expect(rows(page)).toHaveCount(4);
  for (const cell of await rows(page).locator("[role=cell]:nth-child(2)").allTextContents()) expect(cell).toBe(username);
  await page.getByLabel("Response Code").selectOption("403");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("/api/auditing/usernames");
  await expect(rows(page)).toContainText(/\d\d-\d\d-\d{4}, (?:[1-9]|1[0-2]):\d\d:\d\d [ap]m/);
  expect(await axeViolations(page)).toEqual([]);
  await rows(page).getByRole("button").press("Enter");
  const dialog = page.getByRole("dialog", { name: "Audit Event" });
  for (const text of [username, "403", "GET", "/api/auditing/usernames", "127.0.0.1", "User agent", "Duration"]) {
    await expect(dialog).toContainText(text);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(rows(page).getByRole("button")).toBeFocused();
});

test("[AUDIT-04][AUDIT-16] Load More adds the next page of 50 and disappears after the last; the export contains the filtered events", async ({
  page,
  signIn,
  request,
}) => {
  const username = await createAccountWithCalls(request, 60);
  await signIn("admin");
  await page.goto("/auditing");
  await page.getByLabel("Username", { exact: true }).selectOption(username);
  await expect(page.getByText("50 of 61 shown")).toBeVisible();
  // Button names are unique even for identical calls within one second.
  const names = await rows(page)
    .getByRole("button")
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
  expect(names.length).toBeGreaterThan(10);
  expect(new Set(names).size).toBe(names.length);
  const more = page.getByRole("button", { name: "Load More" });
  const requested = page.waitForRequest(/\/auditing\/events\?.*pageNumber=2/);
  await more.click();
  await requested;
  await expect(page.getByText("61 of 61 shown")).toBeVisible();
  await expect(more).toHaveCount(0);
  await page.getByLabel("Path", { exact: true }).fill("auditing");
  await expect(page.getByText("6 of 6 shown")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^audit-events-.*\.csv$/);
  const [header, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(header).toContain("responseCode,method,path,username");
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(line).toContain(username);
});

test("[AUDIT-01][AUDIT-03] on a phone events show method and path, and the filters open with a button that shows their count", async ({
  page,
  signIn,
  request,
}) => {
  const username = await createAccountWithCalls(request, 3);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn("admin");
  await page.goto("/auditing");
  const filters = page.getByRole("search", { name: "Filters" });
  await expect(filters).toBeHidden();
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await filters.getByLabel("Username", { exact: true }).selectOption(username);
  await filters.getByLabel("Response Code").selectOption("403");
  await expect(rows(page)).toHaveCount(1);
  for (const text of ["GET", "/api/auditing/usernames"]) {
    await expect(rows(page).getByRole("cell", { name: text, exact: true })).toBeInViewport({ ratio: 1 });
  }
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Filters (2)", exact: true }).click();
  await expect(filters).toBeHidden();
  await expect(table(page).getByRole("columnheader")).toHaveCount(7);
  expect(await axeViolations(page)).toEqual([]);
});
