import { randomUUID } from "node:crypto";
import { demoPassword } from "@fairway/contract/api";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount, signInTab } from "../support/own-account.ts";
import { chooseAction, katrina, openResults } from "../support/results.ts";

const bell = (page: Page, unread: number) => page.getByRole("button", { name: `Notifications, ${unread} unread`, exact: true });
const item = (page: Page, name: string) =>
  page.getByRole("list", { name: "Alerts", exact: true }).getByRole("listitem").filter({ hasText: name });

test("a search on the screen is monitored, notifies its owner, is snoozed on a phone, and is ended by an administrator", async ({
  page,
  browser,
}) => {
  const name = `Katrina ${randomUUID().slice(0, 8)}`;
  const owner = await signInAsNewAccount(page);

  await test.step("the owner makes an alert of a search by keyboard, which fires at its first check", async () => {
    await openResults(page, katrina);
    await chooseAction(page, "Create Alert");
    const form = page.getByRole("dialog", { name: "New Alert", exact: true });
    await expect(form.getByRole("textbox", { name: "Name" })).toBeFocused();
    await page.keyboard.type(name);
    await form.getByRole("combobox", { name: "Tell me about" }).selectOption("More rows than");
    await form.getByRole("textbox", { name: "Rows" }).fill("60");
    await expect(form.getByRole("button", { name: "Save", exact: true })).toBeEnabled();
    await page.keyboard.press("Enter");
    await expect(form).toHaveCount(0);
    await page.getByRole("button", { name: "View alerts", exact: true }).press("Enter");
    await expect(item(page, name)).toContainText("Firing");
    await expect(item(page, name)).toContainText(`“${name}” in storm-tracks: more than 60 rows, checked every hour`);
    await expect(item(page, name)).toContainText("68 rows");
  });

  await test.step("the notification leads to the rows", async () => {
    await bell(page, 1).press("Enter");
    await page.getByRole("link", { name: `${name}: 68 rows`, exact: true }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Edit filter name = Katrina", exact: true })).toBeVisible();
  });

  await test.step("the owner reads its history and snoozes it on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/alerts");
    await page.getByRole("button", { name, exact: true }).press("Enter");
    const history = page.getByRole("dialog", { name: `History of ${name}`, exact: true });
    await expect(history.getByRole("listitem")).toContainText("68 rows · sent as notification");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).press("Enter");
    await page.getByRole("menuitem", { name: "Snooze for 1 hour", exact: true }).press("Enter");
    await expect(item(page, name)).toContainText("Snoozed until");
  });

  await test.step("an administrator ends it with a reason, which the owner sees without a reload", async () => {
    const context = await browser.newContext();
    const admin = await context.newPage();
    await signInTab(admin, { username: "admin", password: demoPassword });
    await admin.goto("/alert-settings");
    // The demo starts with one that fires.
    await expect(admin.getByRole("row", { name: /Strong earthquakes/ })).toContainText("admin");
    await expect(admin.getByRole("row", { name: /Strong earthquakes/ })).toContainText("Firing");
    await admin.getByRole("button", { name: `End ${name} of ${owner.username}`, exact: true }).press("Enter");
    const dialog = admin.getByRole("dialog", { name: `End ${name} of ${owner.username}?` });
    await dialog.getByRole("textbox", { name: "Reason" }).fill("The season is over.");
    await dialog.getByRole("button", { name: "End alert", exact: true }).click();
    await expect(admin.getByRole("row", { name: new RegExp(name) })).toContainText("Ended: The season is over.");
    await context.close();
    await expect(item(page, name)).toContainText("The season is over.");
    await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).press("Enter");
    await expect(page.getByRole("menuitem", { name: "Resume", exact: true })).toHaveCount(0);
    await page.getByRole("menuitem", { name: "Delete", exact: true }).press("Enter");
    await page.getByRole("dialog", { name: "Delete Alert?" }).getByRole("button", { name: "Delete", exact: true }).click();
    await expect(page.getByText("No alerts yet")).toBeVisible();
  });
});
