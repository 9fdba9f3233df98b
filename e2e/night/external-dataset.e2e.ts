import type { Page } from "@playwright/test";
import { recordSearches, expectForm, pick, picker, searchButton, withoutQuestions } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows } from "../support/searches.ts";

/** Datasets of a service that the demo runs. */
const sunTimes = ["Sun and moon", "sun-times"] as const;
const moonPhases = ["Sun and moon", "moon-phases"] as const;

const grid = (page: Page, dataset: string) => page.getByRole("grid", { name: `Results of ${dataset}`, exact: true });
const headers = (page: Page, dataset: string) => grid(page, dataset).getByRole("columnheader");
const operatorsOf = (page: Page, display: string) =>
  page.getByRole("combobox", { name: `Operator of ${display}`, exact: true }).getByRole("option");

test("an external dataset can be filtered as its service allows and loaded page by page; the service's refusals and columns are shown", async ({
  page,
  signIn,
}) => {
  await signIn();
  await withoutQuestions(page);
  const calls = recordSearches(page);
  await test.step("the form offers what the service supports, and a refusal is shown in its own words", async () => {
    await page.goto("/search");
    await pick(page, "sun-times");
    await expectForm(page, sunTimes);
    await expect(page.getByText("To perform a search, you must fill in the following filters: City", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Sample", exact: true })).toHaveCount(0);
    await expect(operatorsOf(page, "City")).toHaveText(["="]);
    await expect(operatorsOf(page, "Date")).toHaveText(["=", "<=", ">="]);
    await page.getByLabel("City", { exact: true }).fill("Atlantis");
    await searchButton(page).click();
    const alert = page.getByRole("alert").filter({ hasText: "Error getting search results." });
    await expect(alert).toContainText("The service behind this dataset answered 404 Not Found: The almanac has no city 'Atlantis'.");
    await expect(alert.getByRole("button", { name: "Retry" })).toBeVisible();
    await expect(page.getByText("error performing search", { exact: true })).toBeVisible();
    await page.goBack();
  });

  await test.step("another search can follow and is loaded page by page", async () => {
    await expectForm(page, sunTimes);
    calls.searches.length = 0;
    await page.getByLabel("City", { exact: true }).fill("Tokyo");
    await page.getByRole("combobox", { name: "Operator of Date", exact: true }).selectOption(">=");
    await page.getByLabel("Date", { exact: true }).fill("2030-12-01");
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

  await test.step("it cannot be sorted, and values cannot be excluded without a <> operator", async () => {
    await headers(page, "sun-times").filter({ hasText: "daylight" }).click();
    await grid(page, "sun-times").getByText("Tokyo", { exact: true }).first().click();
    await expect(grid(page, "sun-times").locator("[aria-sort=ascending], [aria-sort=descending]")).toHaveCount(0);
    await page.getByRole("button", { name: "Leave out this city", exact: true }).click();
    await expect(page.getByText("City can only be filtered with =.", { exact: true })).toBeVisible();
    expect(calls.searches).toHaveLength(2);
    await page.getByRole("button", { name: "Keep only this date", exact: true }).click();
    await expect(page.getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
  });

  await test.step("a dataset that declares no columns shows the columns of its rows", async () => {
    await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Datasets" }).click();
    await expect(picker(page)).toBeVisible();
    await pick(page, "moon-phases");
    await expectForm(page, moonPhases);
    await expect(page.getByRole("complementary", { name: "Columns" })).toHaveText(/^Columns ?They are read from the rows of a search\.$/);
    await page.getByLabel("Year", { exact: true }).fill("2024");
    await page.getByLabel("Phase", { exact: true }).fill("full moon");
    await searchButton(page).click();
    await expectRows(page, "moon-phases");
    await expect(headers(page, "moon-phases")).toHaveText([/phase/, /at/, /year/]);
    await expect(grid(page, "moon-phases").getByText("2024-01-25T17:54Z", { exact: true })).toBeVisible();
    await expect(grid(page, "moon-phases").getByText("full moon", { exact: true })).toHaveCount(12);
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: /schema/i }).click();
    await expect(page.getByRole("dialog", { name: "Schema for moon-phases" })).toContainText(
      "This dataset's columns are read from the rows of a search.",
    );
  });
});
