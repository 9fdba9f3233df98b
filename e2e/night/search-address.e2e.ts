import type { Browser, Page } from "@playwright/test";
import { recordSearches, openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows, recentSearches } from "../support/searches.ts";

const fragmentOf = (parts: unknown): string => `1.${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
const applied = (page: Page) => page.getByRole("group", { name: "Filters applied" });

/** Searches the strong positions of one storm. */
async function searchKatrina(page: Page): Promise<void> {
  await openForm(page, storms);
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("Katrina");
  await page.getByRole("textbox", { name: "Wind at least", exact: true }).fill("50");
  await page.getByRole("button", { name: "All data", exact: true }).click();
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
}

async function openOtherBrowser(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  return context.newPage();
}

test("a URL opened in another browser by another user restores the search; the gateway's error for an invalid value names it", async ({
  page,
  signIn,
  browser,
}) => {
  await signIn("viewer");
  const calls = recordSearches(page);
  await searchKatrina(page);
  const address = page.url();

  const other = await openOtherBrowser(browser);
  await signIn("editor", other);
  const otherCalls = recordSearches(other);
  await other.goto(address);
  await expectRows(other, "storm-tracks");
  await expect(other).toHaveURL(address);
  await expect(applied(other).getByText("name = Katrina", { exact: true })).toBeVisible();
  await expect(applied(other).getByText("wind >= 50", { exact: true })).toBeVisible();
  await expect(applied(other).getByText(/ – .* UTC$/)).toBeVisible();
  expect(otherCalls.searches).toEqual(calls.searches);
  expect(otherCalls.counts).toEqual(calls.counts);
  expect(calls.searches).toHaveLength(1);
  await expect(recentSearches(other)).toHaveCount(1);
  const subtitle = (await page.getByText(/^1 – \d+ of \d+ results$/).textContent()) ?? "";
  await expect(other.getByText(subtitle, { exact: true })).toBeVisible();

  const filters = [
    ["name", "=", "Katrina"],
    ["no_such_column", "=", "x"],
  ];
  await other.goto(`/search/stored#${fragmentOf({ c: "Tropical weather", d: "storm-tracks", f: filters })}`);
  await expect(other.getByRole("alert").filter({ hasText: "Error getting search results." })).toContainText("no_such_column");
  await other.context().close();
});
