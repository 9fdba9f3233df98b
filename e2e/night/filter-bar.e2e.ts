import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { katrina, openResults } from "../support/results.ts";

const bar = (page: Page) => page.getByRole("combobox", { name: "Type a filter", exact: true });
const chips = (page: Page) => page.getByRole("group", { name: "Filters applied" });
const option = (page: Page, name: RegExp) => page.getByRole("listbox").getByRole("option", { name });

/** Waits for the answer of the next search with as many filters. */
const nextSearch = (page: Page, filterCount: number) =>
  page.waitForResponse((response) => {
    const { filters } = response.url().endsWith("/search")
      ? (response.request().postDataJSON() as { filters: unknown[] })
      : { filters: [] };
    return response.ok() && filters.length === filterCount;
  });

test("by keyboard, a filter is typed into the results with suggested columns, operators and counted values, changed, removed and brought back", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await bar(page).focus();
  await page.keyboard.type("stat");
  await expect(option(page, /^status/)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(option(page, /equal to/).first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(bar(page)).toHaveValue("status = ");
  await page.keyboard.type("hurr");
  // The engine counts the rows of each value.
  await expect(option(page, /./).first()).toHaveText(/^hurricane\s*[\d,]+ rows$/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(bar(page)).toHaveValue("status = hurricane");
  await page.keyboard.type(" and wind >= 100");
  const searched = nextSearch(page, 3);
  await page.keyboard.press("Enter");
  const rows = ((await (await searched).json()) as { results: { status: string; wind: number }[] }).results;
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ status, wind }) => status !== "hurricane" || wind < 100)).toEqual([]);
  await expect(chips(page).getByText("wind >= 100", { exact: true })).toBeVisible();
  await expect(bar(page)).toBeFocused();

  await page.keyboard.press("Backspace");
  await expect(bar(page)).toHaveValue("status = hurricane");
  await page.keyboard.press("Escape");
  await expect(bar(page)).toHaveValue("");
  await page.getByRole("button", { name: /^Remove filter wind/i }).press("Enter");
  await expect(chips(page).getByText("wind >= 100", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
  await expect(chips(page).getByText("wind >= 100", { exact: true })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a filter is typed and chosen by touch, and what follows it is another filter", async ({ page, signIn }) => {
    await signIn();
    await openResults(page, katrina);
    await bar(page).tap();
    await page.keyboard.type("stat");
    await option(page, /^status/).tap();
    await expect(bar(page)).toHaveValue("status ");
    await option(page, /^=/).tap();
    await expect(bar(page)).toHaveValue("status = ");
    await page.keyboard.type("hurr");
    await option(page, /^hurricane\s*[\d,]+ rows$/).tap();
    await expect(bar(page)).toHaveValue("status = hurricane");
    const searched = nextSearch(page, 2);
    await page.getByRole("button", { name: "Add typed filter" }).tap();
    await searched;
    await expect(chips(page).getByText("status = hurricane", { exact: true })).toBeVisible();

    // A filter that was taken back is left as it is by leaving the field or by a tap, and what is typed then is another one.
    await page.keyboard.press("Backspace");
    await expect(bar(page)).toHaveValue("status = hurricane");
    await page.getByRole("button", { name: "Keep it as it is" }).tap();
    await expect(bar(page)).toHaveValue("");
    await page.keyboard.press("Backspace");
    await expect(bar(page)).toHaveValue("status = hurricane");
    await page.getByRole("button", { name: "Actions", exact: true }).focus();
    await expect(bar(page)).toHaveValue("");
    await bar(page).tap();
    await page.keyboard.type("wind >= 100");
    await expect(bar(page)).toHaveValue("wind >= 100");
    const again = nextSearch(page, 3);
    await page.keyboard.press("Enter");
    await again;
    await expect(chips(page).getByText("wind >= 100", { exact: true })).toBeVisible();
    await expect(chips(page).getByText("status = hurricane", { exact: true })).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });
});
