import { type DatasetDescription } from "@fairway/contract/datasets";
import { describePath, expectForm, flights, formOf, pick, sampleButton, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";

test("[SEARCH-04][SEARCH-05][SEARCH-06][SEARCH-08] selecting a dataset shows its description and filters", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await expect(searchButton(page)).toHaveCount(0);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === describePath(storms)),
    pick(page, "storm-tracks"),
  ]);
  expect(answer.request().method()).toBe("GET");
  const { category, description, filterSupport } = (await answer.json()) as DatasetDescription;
  await expectForm(page, storms);
  const form = formOf(page, "storm-tracks");
  await expect(form.getByText(`${category.id}: ${category.description}`, { exact: true })).toBeVisible();
  await expect(form.getByText(description, { exact: true })).toBeVisible();
  const filters = page.getByRole("region", { name: "Filters", exact: true });
  expect(filterSupport.staticFilters.map(({ display }) => display)).toEqual(["Storm name", "Storm id", "Wind at least"]);
  for (const { display, operator } of filterSupport.staticFilters) {
    await expect(filters.getByRole("textbox", { name: display, exact: true })).toHaveValue("");
    await expect(filters.getByRole("combobox", { name: `Operator of ${display}` })).toHaveValue(operator);
  }
  await expect(sampleButton(page)).toBeVisible();
  await expect(searchButton(page)).toBeVisible();

  // Another selection replaces all texts and filters.
  await pick(page, "flights");
  await expectForm(page, flights);
  await expect(filters.getByText(/^Aviation: Airports of the United States/)).toBeVisible();
  await expect(filters.getByText(/^Three million flights/)).toBeVisible();
  await expect(filters.getByRole("textbox")).toHaveCount(3);
  await expect(filters.getByRole("textbox", { name: "Origin", exact: true })).toBeVisible();
  await expect(filters.getByText(description)).toHaveCount(0);
});
