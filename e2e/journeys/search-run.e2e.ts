import { recordSearches, flights, openForm, searchButton, timeDialog, timeRange } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows } from "../support/searches.ts";

test("[SEARCH-48][SEARCH-50][SEARCH-55][SEARCH-56][SEARCH-58] a search sends only time range, filters and page, and Load More the next page", async ({
  page,
  signIn,
}) => {
  await signIn();
  const calls = recordSearches(page);
  await openForm(page, flights);
  await timeRange(page).click();
  await timeDialog(page).getByRole("textbox", { name: "Start" }).fill("2001-03-01 – 2001-03-05");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Origin", exact: true }).fill("DEN");
  await page.getByRole("textbox", { name: "Delay at least", exact: true }).fill("30");
  const answered = page.waitForResponse((response) => response.url().endsWith("/Aviation/flights/search"));
  await searchButton(page).click();
  await expectRows(page, "flights");
  const search = {
    timeRange: { start: "2001-03-01T00:00:00.000Z", end: "2001-03-05T23:59:59.000Z" },
    filters: [
      { name: "origin", value: "DEN", operator: "=" },
      { name: "delay", value: 30, operator: ">=" },
    ],
  };
  const path = "/api/datasets/Aviation/flights/search";
  expect(calls.searches).toEqual([{ path, body: { paging: { offset: 0, max: 25 }, ...search } }]);
  expect(calls.counts).toEqual([{ path: "/api/datasets/Aviation/flights/aggregate/count/*", body: search }]);
  // The table shows the rows of the answer.
  const { results } = (await (await answered).json()) as { results: { destination: string; delay: number }[] };
  expect(results).toHaveLength(25);
  const first = page.getByRole("grid").getByRole("row").nth(1);
  await expect(first).toContainText("DEN");
  await expect(first).toContainText(results[0]?.destination ?? "none");
  await expect(first.getByRole("gridcell", { name: String(results[0]?.delay), exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Load More", exact: true }).click();
  await expect(page.getByText("50 rows loaded", { exact: true })).toBeVisible();
  expect(calls.searches.slice(1)).toEqual([{ path, body: { paging: { offset: 25, max: 25 }, ...search } }]);
  expect(calls.counts).toHaveLength(1);
});
