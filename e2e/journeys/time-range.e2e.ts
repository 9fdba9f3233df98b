import type { DatasetDescription } from "@fairway/contract/datasets";
import { recordSearches, describePath, flights, openForm, searchButton } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows } from "../support/searches.ts";

test("[SEARCH-56] Newest day finds only the rows of the newest day", async ({ page, signIn }) => {
  await signIn();
  const calls = recordSearches(page);
  const described = page.waitForResponse((response) => new URL(response.url()).pathname === describePath(flights));
  await openForm(page, flights);
  const { timeExtent } = (await (await described).json()) as DatasetDescription;
  const newest = timeExtent?.endMs ?? Number.NaN;
  const start = new Date(newest - 86_400_000).toISOString();
  const end = new Date(newest).toISOString();
  await page.getByRole("button", { name: "Newest day", exact: true }).click();
  const [search, count] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith("/Aviation/flights/search")),
    page.waitForResponse((response) => response.url().includes("/Aviation/flights/aggregate/count/")),
    searchButton(page).click(),
  ]);
  await expectRows(page, "flights");
  expect(calls.searches[0]?.body).toEqual({ paging: { offset: 0, max: 25 }, timeRange: { start, end }, filters: [] });
  expect(calls.counts[0]?.body).toEqual({ timeRange: { start, end }, filters: [] });
  const { results } = (await search.json()) as { results: { date: number }[] };
  expect(results).toHaveLength(25);
  expect(results[0]?.date).toBe(newest);
  expect(results.every(({ date }) => date >= newest - 86_400_000 && date <= newest)).toBe(true);
  const { totalResults } = (await count.json()) as { totalResults: number };
  // One of about 180 days.
  expect(totalResults).toBeGreaterThan(1_000);
  expect(totalResults).toBeLessThan(50_000);
  await expect(page.getByText(`1 – 25 of ${totalResults.toLocaleString("en-US")} results`)).toBeVisible();
});
