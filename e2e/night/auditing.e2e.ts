import { readFile } from "node:fs/promises";
import type { APIRequestContext, Page } from "@playwright/test";
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
        request.get(index === 0 ? "/api/auditing/usernames" : index === 1 ? "/api/notices/new" : "/api/filesets", token),
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

test("the log can be filtered by user and code, shows the details of an event, and exports the filtered events", async ({
  page,
  signIn,
  request,
}) => {
  const username = await createAccountWithCalls(request, 3);
  await signIn("admin");
  await page.goto("/auditing");
  await page.getByLabel("Username", { exact: true }).selectOption(username);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole("checkbox", { name: "Hide background reads" }).uncheck();
  await expect(rows(page)).toHaveCount(4);
  for (const cell of await rows(page).locator("[role=cell]:nth-child(2)").allTextContents()) expect(cell).toBe(username);
  await page.getByLabel("Response Code").selectOption("403");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("/api/auditing/usernames");
  await expect(rows(page)).toContainText(/\d\d-\d\d-\d{4}, (?:[1-9]|1[0-2]):\d\d:\d\d [ap]m/);
  await rows(page).getByRole("button").press("Enter");
  const dialog = page.getByRole("dialog", { name: "Audit Event" });
  for (const text of [username, "403", "GET", "/api/auditing/usernames", "127.0.0.1", "User agent", "Duration"]) {
    await expect(dialog).toContainText(text);
  }
  await page.keyboard.press("Escape");
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^audit-events-.*\.csv$/);
  const [header, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(header).toContain("responseCode,method,path,username");
  expect(lines).toHaveLength(1);
  for (const line of lines) expect(line).toContain(username);
});
