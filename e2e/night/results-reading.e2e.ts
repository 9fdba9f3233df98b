import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { bodyOf, cell, header, katrina, nextSearch, openResults, type SearchParams } from "../support/results.ts";

/** The hurricane of 2005: some 30 rows of a week. */
const hurricane: SearchParams = {
  ...katrina,
  filters: [
    ["name", "=", "Katrina"],
    ["season", "=", 2005],
  ],
};

test("results are read by keyboard: rows over time narrow the search, columns show what they hold, rows are compared", async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn();
  const extras: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/distribution/")) extras.push(request.url());
  });
  await openResults(page, hurricane);
  const panel = page.getByRole("region", { name: "Rows over time" });
  const start = panel.getByRole("slider", { name: "Start of the selected time" });
  await expect(start).toHaveAttribute("aria-valuetext", /^08\/23\/2005, .*, (\d+) of \1 rows$/);
  await expect(header(page, "name").getByText("Katrina 100%")).toBeVisible();
  expect(extras).toHaveLength(2);
  expect(await axeViolations(page)).toEqual([]);

  await start.focus();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  const shown = Number(/, (\d+) of \d+ rows$/.exec((await start.getAttribute("aria-valuetext")) ?? "")?.[1]);
  expect(shown).toBeGreaterThan(0);
  const narrowed = nextSearch(page);
  await page.keyboard.press("Enter");
  expect(bodyOf(await narrowed).timeRange?.start).toMatch(/^2005-08-2\d/);
  await expect(page.getByText(new RegExp(`of ${shown} results$`))).toBeVisible();

  await cell(page, 1, "name").focus();
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Compare" }).press("Enter");
  const comparison = page.getByRole("dialog", { name: "Compare 2 rows" });
  await expect(comparison.getByRole("rowheader", { name: "time (differs)" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(comparison).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: "reduce" });

  test("rows go on as one scrolls, and a bar narrows the search", async ({ page, signIn }) => {
    await signIn();
    await openResults(page, katrina);
    await expect(page.getByText("25 of 68 rows", { exact: true })).toBeVisible();
    await page.getByRole("grid").hover();
    // A slow page drops what is scrolled while it moves.
    await expect(async () => {
      const next = nextSearch(page, { timeout: 2_000 });
      await page.mouse.wheel(0, 5_000);
      expect(bodyOf(await next).paging).toEqual({ offset: 25, max: 25 });
    }).toPass();
    await expect(page.getByText("50 of 68 rows", { exact: true })).toBeVisible();

    const panel = page.getByRole("region", { name: "Rows over time" });
    await panel.locator("svg[preserveAspectRatio]").tap();
    await panel.getByRole("button", { name: "Set as time range" }).tap();
    await expect(page.getByRole("button", { name: "Remove time range" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
