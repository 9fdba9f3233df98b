import type { Page } from "@playwright/test";
import { recordSearches, expectForm, openForm, pick, searchButton } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { openResults } from "../support/results.ts";
import { expectRows } from "../support/searches.ts";

/** Datasets of a service that the demo runs. */
const sunTimes = ["Sun and moon", "sun-times"] as const;
const moonPhases = ["Sun and moon", "moon-phases"] as const;

const grid = (page: Page, dataset: string) => page.getByRole("grid", { name: `Results of ${dataset}`, exact: true });
const headers = (page: Page, dataset: string) => grid(page, dataset).getByRole("columnheader");
const operatorsOf = (page: Page, display: string) =>
  page.getByRole("combobox", { name: `Operator of ${display}`, exact: true }).getByRole("option");

test("an external dataset can be chosen, filtered as its service allows, and loaded page by page", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await pick(page, "sun-times");
  await expectForm(page, sunTimes);
  await expect(page.getByText("To perform a search, you must fill in the following filters: City", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Sample", exact: true })).toHaveCount(0);
  await expect(operatorsOf(page, "City")).toHaveText(["="]);
  await expect(operatorsOf(page, "Date")).toHaveText(["=", "<=", ">="]);
  await page.getByLabel("City", { exact: true }).fill("Tokyo");
  await page.getByRole("combobox", { name: "Operator of Date", exact: true }).selectOption(">=");
  await page.getByLabel("Date", { exact: true }).fill("2030-12-01");
  const calls = recordSearches(page);
  await searchButton(page).click();
  await expectRows(page, "sun-times");
  const filters = [
    { name: "city", value: "Tokyo", operator: "=" },
    { name: "date", value: "2030-12-01", operator: ">=" },
  ];
  expect(calls.searches).toEqual([
    { path: "/api/datasets/Sun and moon/sun-times/search", body: { paging: { offset: 0, max: 25 }, filters } },
  ]);
  await expect(page.getByText("1 – 25 of 31 results", { exact: true })).toBeVisible();
  await expect(grid(page, "sun-times").getByText("2030-12-01", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Load More" }).click();
  await expect(page.getByText("1 – 31 of 31 results", { exact: true })).toBeVisible();
  expect(calls.searches[1]?.body).toEqual({ paging: { offset: 25, max: 25 }, filters });
});

test("an external dataset cannot be sorted, and values cannot be excluded without a <> operator", async ({ page, signIn }) => {
  await signIn();
  const calls = recordSearches(page);
  await openResults(page, { category: sunTimes[0], dataset: sunTimes[1], filters: [["city", "=", "Quito"]] });
  await headers(page, "sun-times").filter({ hasText: "daylight" }).click();
  await grid(page, "sun-times").getByText("Quito", { exact: true }).first().click();
  await expect(grid(page, "sun-times").locator("[aria-sort=ascending], [aria-sort=descending]")).toHaveCount(0);
  await page.getByRole("button", { name: "Leave out this city", exact: true }).click();
  await expect(page.getByText("City can be asked with = only.", { exact: true })).toBeVisible();
  expect(calls.searches).toHaveLength(1);
  await page.getByRole("button", { name: "Keep only this date", exact: true }).click();
  await expect(page.getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
});

test("a service that declares no columns shows the columns of its rows", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, moonPhases);
  await expect(page.getByRole("complementary", { name: "Columns" })).toHaveText(/^Columns ?They come with the rows\.$/);
  await page.getByLabel("Year", { exact: true }).fill("2024");
  await page.getByLabel("Phase", { exact: true }).fill("full moon");
  await searchButton(page).click();
  await expectRows(page, "moon-phases");
  await expect(headers(page, "moon-phases")).toHaveText([/phase/, /at/, /year/]);
  await expect(grid(page, "moon-phases").getByText("2024-01-25T17:54Z", { exact: true })).toBeVisible();
  await expect(grid(page, "moon-phases").getByText("full moon", { exact: true })).toHaveCount(12);
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: /schema/i }).click();
  await expect(page.getByRole("dialog", { name: "Schema for moon-phases" })).toContainText("This dataset's columns come with its rows.");
});

test("[RESULT-13] a refusal of the service is shown in its own words, and another search can follow", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, sunTimes);
  await page.getByLabel("City", { exact: true }).fill("Atlantis");
  await searchButton(page).click();
  const alert = page.getByRole("alert").filter({ hasText: "Error getting search results." });
  await expect(alert).toContainText("The upstream of this dataset answered 404 Not Found: The almanac has no city 'Atlantis'.");
  await expect(alert.getByRole("button", { name: "Retry" })).toBeVisible();
  await expect(page.getByText("error performing search", { exact: true })).toBeVisible();
  await openForm(page, sunTimes);
  await page.getByLabel("City", { exact: true }).fill("Sydney");
  await searchButton(page).click();
  await expectRows(page, "sun-times");
});
