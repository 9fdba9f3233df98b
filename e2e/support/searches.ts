import { type Page, expect } from "@playwright/test";

/** Runs Sample for a dataset on the datasets screen and waits for its rows. */
export async function sample(page: Page, dataset: string): Promise<void> {
  await page.getByRole("region", { name: "Choose a dataset" }).getByText(dataset, { exact: true }).click();
  await page.getByRole("button", { name: "Sample" }).click();
  await expectRows(page, dataset);
}

/** Expects the results screen of a dataset with rows. */
export async function expectRows(page: Page, dataset: string): Promise<void> {
  await expect(page).toHaveURL(/\/search\/[\w-]+#/);
  await expect(page.getByRole("heading", { level: 1, name: dataset })).toBeVisible();
  await expect(page.getByRole("grid").getByRole("gridcell").first()).toBeVisible();
}

export const recentSearches = (page: Page) => page.getByRole("list", { name: /^Recent searches/ }).getByRole("listitem");
