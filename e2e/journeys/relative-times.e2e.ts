import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { askedSearches, openForm, searchButton, storms, timeDialog, timeRange } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { act, bodyOf, nextSearch } from "../support/results.ts";
import { expectRows, recentSearches } from "../support/searches.ts";

// In the days of Katrina, so that the last days hold rows.
const begun = Date.UTC(2005, 7, 30, 6, 7, 8, 900);
const day = 86_400_000;
/** What the last days before a moment are, as a search says it: whole seconds. */
const days = (count: number, nowMs: number) => {
  const endMs = Math.floor(nowMs / 1_000) * 1_000;
  return { start: new Date(endMs - count * day).toISOString(), end: new Date(endMs).toISOString() };
};
const lastField = (page: Page) => timeDialog(page).getByRole("textbox", { name: "Last", exact: true });
const unitField = (page: Page) => timeDialog(page).getByRole("combobox", { name: "Unit", exact: true });
const done = (page: Page) => timeDialog(page).getByRole("button", { name: "Done", exact: true });
const chip = (page: Page) => page.getByRole("group", { name: "Filters applied" }).getByRole("button", { name: /^Edit filter Last/ });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Storm tracks of the last days, searched at `begun`. */
async function searchLastDays(page: Page, count: number): Promise<void> {
  await openForm(page, storms);
  await timeRange(page).click();
  await lastField(page).fill(String(count));
  await unitField(page).selectOption("days");
  await done(page).click();
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
}

test("[SEARCH-21][SEARCH-22][SEARCH-23][SEARCH-56] the last days are counted back from the moment of each search", async ({
  page,
  signIn,
}) => {
  await page.clock.setFixedTime(begun);
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, storms);
  await timeRange(page).click();
  const dialog = timeDialog(page);
  await lastField(page).fill("30");
  await unitField(page).selectOption("days");
  // What it is now stands in the fields.
  await expect(dialog.getByRole("textbox", { name: "Start" })).toHaveValue("07/31/2005, 06:07:08 AM");
  await expect(dialog.getByRole("textbox", { name: "End" })).toHaveValue("08/30/2005, 06:07:08 AM");
  await done(page).click();
  await expect(dialog).toHaveCount(0);
  await expect(timeRange(page)).toHaveText("Time range: Last 30 days");
  await expect(page.getByText("Counted back from the moment of each search.", { exact: true })).toBeVisible();

  // The form was left open for an hour: the search ends with the moment it is asked at.
  await page.clock.setFixedTime(begun + 3_600_000);
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
  expect(asked.searches[0]?.body).toEqual({ paging: { offset: 0, max: 25 }, timeRange: days(30, begun + 3_600_000), filters: [] });
  expect(asked.counts[0]?.body).toEqual({ timeRange: days(30, begun + 3_600_000), filters: [] });
  await expect(chip(page)).toHaveText("Last 30 days");
  await expect(chip(page)).toHaveAccessibleName("Edit filter Last 30 days, 07/31/2005, 07:07:08 AM – 08/30/2005, 07:07:08 AM UTC");
  await expect(page.getByTitle("07/31/2005, 07:07:08 AM – 08/30/2005, 07:07:08 AM UTC")).toBeVisible();
  await expect(recentSearches(page).first()).toContainText("Last 30 days");

  // A further page is of the same rows; a rerun and a reload ask for the days before now.
  await page.clock.setFixedTime(begun + 2 * 3_600_000);
  const more = nextSearch(page);
  await page.getByRole("button", { name: "Load More" }).click();
  expect(bodyOf(await more)).toMatchObject({ paging: { offset: 25, max: 25 }, timeRange: days(30, begun + 3_600_000) });
  const again = nextSearch(page);
  await act(page, "Rerun Search");
  expect(bodyOf(await again)).toMatchObject({ paging: { offset: 0 }, timeRange: days(30, begun + 2 * 3_600_000) });
  await page.clock.setFixedTime(begun + 3 * 3_600_000);
  const reloaded = nextSearch(page);
  await page.reload();
  expect(bodyOf(await reloaded)).toMatchObject({ timeRange: days(30, begun + 3 * 3_600_000) });
  await expect(chip(page)).toHaveText("Last 30 days");
});

test("a preset up to now follows the clock; a day that is picked or typed does not", async ({ page, signIn }) => {
  await page.clock.setFixedTime(begun);
  await signIn();
  await openForm(page, storms);
  const dialog = timeDialog(page);
  for (const [preset, amount, unit] of [
    ["Last 15 minutes", "15", "minutes"],
    ["Last 1 hour", "1", "hours"],
    ["Last 24 hours", "24", "hours"],
    ["Last 7 days", "7", "days"],
    ["Last 30 days", "30", "days"],
  ] as const) {
    await timeRange(page).click();
    await dialog.getByRole("button", { name: preset, exact: true }).click();
    await expect(lastField(page)).toHaveValue(amount);
    await expect(unitField(page)).toHaveValue(unit);
    await done(page).click();
    await expect(timeRange(page)).toHaveText(`Time range: ${preset}`);
  }
  // Opened again it begins with the span, counted from now.
  await page.clock.setFixedTime(begun + day);
  await timeRange(page).click();
  await expect(lastField(page)).toHaveValue("30");
  await expect(dialog.getByRole("textbox", { name: "End" })).toHaveValue("08/31/2005, 06:07:08 AM");
  await dialog.getByRole("textbox", { name: "Start" }).fill("2005-08-20");
  await expect(lastField(page)).toHaveValue("");
  await done(page).click();
  await expect(timeRange(page)).toHaveText("Time range: 08/20/2005, 12:00:00 AM – 08/31/2005, 06:07:08 AM");
  // Without its amount it stays what it was.
  await timeRange(page).click();
  await lastField(page).fill("2");
  await lastField(page).fill("");
  await done(page).click();
  await expect(timeRange(page)).toHaveText("Time range: 08/31/2005, 04:07:08 AM – 08/31/2005, 06:07:08 AM");
});

test("[SEARCH-36] a span that is none is not accepted, and says why", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, storms);
  await timeRange(page).click();
  for (const [amount, unit, problem] of [
    ["0", "hours", "A whole number from 1 to 99,999."],
    ["1.5", "days", "A whole number from 1 to 99,999."],
    ["100000", "weeks", "A whole number from 1 to 99,999."],
    ["10000", "months", "A whole number from 1 to 9,999."],
    ["soon", "minutes", "A whole number from 1 to 99,999."],
  ] as const) {
    await lastField(page).fill(amount);
    await unitField(page).selectOption(unit);
    await done(page).click();
    await expect(timeDialog(page).getByText(problem, { exact: true })).toBeVisible();
    await expect(lastField(page)).toHaveAttribute("aria-invalid", "true");
  }
  await lastField(page).fill("9999");
  await unitField(page).selectOption("months");
  await done(page).click();
  await expect(timeRange(page)).toHaveText("Time range: Last 9999 months");
  const asked = nextSearch(page);
  await searchButton(page).click();
  // The server takes the longest there is.
  expect((await (await asked).response())?.status()).toBe(200);
});

test("a link keeps the span; another link keeps the time itself", async ({ page, signIn, context }) => {
  await page.clock.setFixedTime(begun);
  await signIn();
  await searchLastDays(page, 3);
  const searchId = new URL(page.url()).pathname;
  await act(page, "Copy Link to Search");
  const following = await copied(page);
  await act(page, "Copy Link with Absolute Time");
  await expect.poll(() => copied(page)).not.toBe(following);
  const fixed = await copied(page);
  expect(new URL(fixed).pathname).not.toBe(searchId);

  for (const [link, range] of [
    [following, days(3, begun + day)],
    [fixed, days(3, begun)],
  ] as const) {
    const other = await context.newPage();
    await other.clock.setFixedTime(begun + day);
    await signIn("editor", other);
    const asked = nextSearch(other);
    await other.goto(link);
    expect(bodyOf(await asked)).toMatchObject({ timeRange: range });
    await expectRows(other, "storm-tracks");
    await other.getByRole("button", { name: "Actions", exact: true }).click();
    await expect(other.getByRole("menuitem", { name: "Copy Link to Search", exact: true })).toBeVisible();
    await expect(other.getByRole("menuitem", { name: "Copy Link with Absolute Time", exact: true })).toHaveCount(
      link === following ? 1 : 0,
    );
    await other.close();
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the dialog of ranges is clean to axe and walked by the keyboard in ${colorScheme}`, async ({ page, signIn }) => {
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

  test("a span is chosen in the dialog, and nothing scrolls sideways", async ({ page, signIn }) => {
    await signIn();
    await openForm(page, storms);
    await timeRange(page).tap();
    await lastField(page).fill("36");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await done(page).tap();
    await expect(timeRange(page)).toHaveText("Time range: Last 36 hours");
  });
});
