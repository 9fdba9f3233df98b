import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { openForm, searchButton, storms, timeDialog, timeRange } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseAction, bodyOf, nextSearch } from "../support/results.ts";
import { expectRows } from "../support/searches.ts";

// During Katrina, so that the last days have rows.
const startMs = Date.UTC(2005, 7, 30, 6, 7, 8, 900);
const day = 86_400_000;
/** The time range of the last days before a time, in whole seconds. */
const days = (count: number, nowMs: number) => {
  const endMs = Math.floor(nowMs / 1_000) * 1_000;
  return { start: new Date(endMs - count * day).toISOString(), end: new Date(endMs).toISOString() };
};
const lastField = (page: Page) => timeDialog(page).getByRole("textbox", { name: "Last", exact: true });
const unitField = (page: Page) => timeDialog(page).getByRole("combobox", { name: "Unit", exact: true });
const done = (page: Page) => timeDialog(page).getByRole("button", { name: "Done", exact: true });
const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Searches the storm tracks of the last days. */
async function searchLastDays(page: Page, count: number): Promise<void> {
  await openForm(page, storms);
  await timeRange(page).click();
  await lastField(page).fill(String(count));
  await unitField(page).selectOption("days");
  await done(page).click();
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
}

test("a copied link keeps the relative time, and another one the absolute time", async ({ page, signIn, context }) => {
  await page.clock.setFixedTime(startMs);
  await signIn();
  await searchLastDays(page, 3);
  const searchId = new URL(page.url()).pathname;
  await chooseAction(page, "Copy Link to Search");
  const relativeLink = await readClipboard(page);
  await chooseAction(page, "Copy Link with Absolute Time");
  await expect.poll(() => readClipboard(page)).not.toBe(relativeLink);
  const absoluteLink = await readClipboard(page);
  expect(new URL(absoluteLink).pathname).not.toBe(searchId);

  for (const [link, range] of [
    [relativeLink, days(3, startMs + day)],
    [absoluteLink, days(3, startMs)],
  ] as const) {
    const other = await context.newPage();
    await other.clock.setFixedTime(startMs + day);
    await signIn("editor", other);
    const requested = nextSearch(other);
    await other.goto(link);
    expect(bodyOf(await requested)).toMatchObject({ timeRange: range });
    await expectRows(other, "storm-tracks");
    await other.getByRole("button", { name: "Actions", exact: true }).click();
    await expect(other.getByRole("menuitem", { name: "Copy Link to Search", exact: true })).toBeVisible();
    await expect(other.getByRole("menuitem", { name: "Copy Link with Absolute Time", exact: true })).toHaveCount(
      link === relativeLink ? 1 : 0,
    );
    await other.close();
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the time range dialog has no axe violations and can be used by keyboard in ${colorScheme}`, async ({ page, signIn }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await signIn();
    await openForm(page, storms);
    await timeRange(page).focus();
    await page.keyboard.press("Enter");
    await expect(timeDialog(page).getByRole("textbox", { name: "Start" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(timeDialog(page).getByRole("textbox", { name: "End" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(lastField(page)).toBeFocused();
    await page.keyboard.type("0");
    await page.keyboard.press("Tab");
    await expect(unitField(page)).toBeFocused();
    await expect(timeDialog(page).getByText("A whole number from 1 to 99,999.")).toBeVisible();
    expect(await axeViolations(page, { within: ["[role=dialog]"] })).toEqual([]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("12");
    await page.keyboard.press("Enter");
    await expect(timeDialog(page)).toHaveCount(0);
    await expect(timeRange(page)).toHaveText("Time range: Last 12 hours");
    await expect(timeRange(page)).toBeFocused();
    expect(await axeViolations(page)).toEqual([]);
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a relative time range can be chosen in the dialog without horizontal scrolling", async ({ page, signIn }) => {
    await signIn();
    await openForm(page, storms);
    await timeRange(page).tap();
    await lastField(page).fill("36");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await done(page).tap();
    await expect(timeRange(page)).toHaveText("Time range: Last 36 hours");
  });
});
