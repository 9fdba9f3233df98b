import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  chooseAction,
  type SearchParams,
  cell,
  failOnce,
  grid,
  katrina,
  openResults,
  searchCalls,
  searchLink,
} from "../support/results.ts";

/** Few rows with every kind of cell, because axe checks each of them. */
const fewRows: SearchParams = { ...katrina, filters: [...(katrina.filters ?? []), ["wind", ">=", 140]] };

async function expectNoViolations(page: Page, { hasMenu = false } = {}): Promise<void> {
  // Menus are outside of landmarks, as in the ARIA menu pattern.
  const violations = await axeViolations(page, { withoutRules: hasMenu ? ["region"] : [] });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)).toEqual([]);
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, reducedMotion: "reduce" });

    test("axe finds no violations in the table, its details and its columns", async ({ page, signIn }) => {
      await signIn();
      await openResults(page, fewRows);
      await expect(page.getByText(/^1 – \d of \d results$/)).toBeVisible();
      await expectNoViolations(page);
      await cell(page, 1, "name").click();
      await expect(page.getByRole("region", { name: "Row details" })).toBeVisible();
      await expectNoViolations(page);
      await chooseAction(page, "Show Column Visibility");
      await expect(page.getByRole("region", { name: "Columns", exact: true })).toBeVisible();
      await expectNoViolations(page);
    });

    test("axe finds no violations in the raw view, the export and schema dialogs, the menu and an error", async ({ page, signIn }) => {
      await signIn();
      await openResults(page, fewRows);
      await page.getByText("Raw", { exact: true }).click();
      await expect(page.getByRole("treegrid", { name: "Raw results" })).toBeVisible();
      await expectNoViolations(page);
      await chooseAction(page, "Export Current Results");
      await expect(page.getByRole("dialog").getByRole("button", { name: "CSV", exact: true })).toBeVisible();
      await expectNoViolations(page);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await chooseAction(page, "Explore Dataset Schema");
      await expect(page.getByRole("dialog").getByRole("rowheader").first()).toBeVisible();
      await expectNoViolations(page);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await page.getByRole("button", { name: "Actions", exact: true }).click();
      await expect(page.getByRole("menuitem", { name: "Rerun Search" })).toBeVisible();
      await expectNoViolations(page, { hasMenu: true });
      await page.keyboard.press("Escape");
      await failOnce(page, searchCalls);
      await page.goto(searchLink(fewRows));
      await expect(page.getByText("Error getting search results.")).toBeVisible();
      await expectNoViolations(page);
    });
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  const expectNoSidewaysScroll = async (page: Page) =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  test("results can be read, paged, arranged and exported without horizontal scrolling", async ({ page, signIn }) => {
    await signIn();
    await openResults(page, katrina);
    await expect(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeInViewport();
    await expect(page.getByText("1 – 25 of 68 results", { exact: true })).toBeInViewport();
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Load More" }).tap();
    await expect(page.getByText("1 – 50 of 68 results", { exact: true })).toBeVisible();

    await cell(page, 1, "name").tap();
    const details = page.getByRole("region", { name: "Row details" });
    await expect(details.getByRole("heading", { name: "Katrina" })).toBeInViewport();
    await details.getByRole("button", { name: "Next row" }).tap();
    await expect(details.getByText("Row 2 of 50 loaded")).toBeInViewport();
    await details.getByRole("button", { name: "Close row details" }).tap();
    await expect(details).toHaveCount(0);

    await page.getByRole("button", { name: "Actions", exact: true }).tap();
    await page.getByRole("menuitem", { name: "Show Column Visibility" }).tap();
    const columns = page.getByRole("region", { name: "Columns", exact: true });
    await columns.getByRole("checkbox", { name: "name", exact: true }).tap();
    await expect(columns.getByText("17 columns, 1 hidden")).toBeInViewport();
    await columns.getByRole("button", { name: "Close columns" }).tap();
    await expect(columns).toHaveCount(0);
    await expect(cell(page, 1, "name")).toHaveCount(0);
    await expect(grid(page)).toBeVisible();

    await page.getByText("Raw", { exact: true }).tap();
    await expect(page.getByRole("treegrid", { name: "Raw results" })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Actions", exact: true }).tap();
    await page.getByRole("menuitem", { name: "Export Current Results" }).tap();
    await expect(page.getByRole("dialog").getByRole("button", { name: "JSON", exact: true })).toBeInViewport();
    await expectNoSidewaysScroll(page);
  });
});
