import type { DatasetDescription } from "@fairway/contract/datasets";
import type { Page } from "@playwright/test";
import {
  describePath,
  earthquakes,
  expectForm,
  flights,
  pick,
  picker,
  recordSearches,
  searchButton,
  timeDialog,
  timeRange,
  withoutQuestions,
} from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { adminHeaders, signInAsNewAccount } from "../support/own-account.ts";
import { expectRows, sample } from "../support/searches.ts";

const favorites = "/api/favorite/datasets";
const path = "/api/datasets/Aviation/flights/search";

/** Searches with the form that is open. Returns the rows of the answer. */
async function search<Row>(page: Page, datasetId: string): Promise<Row[]> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith(`/${datasetId}/search`)),
    searchButton(page).click(),
  ]);
  await expectRows(page, datasetId);
  return ((await answer.json()) as { results: Row[] }).results;
}

async function openDatasets(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Datasets" }).click();
  await expect(picker(page)).toBeVisible();
}

test("[SEARCH-50][SEARCH-58] a user marks a favorite that persists, samples a dataset, and finds the rows of a time range and of filters", async ({
  page,
}) => {
  await signInAsNewAccount(page);
  await withoutQuestions(page);
  const calls = recordSearches(page);
  const star = picker(page).getByRole("button", { name: "Favorite storm-tracks", exact: true });
  await test.step("marks a favorite by keyboard", async () => {
    await page.goto("/search");
    await expect(picker(page)).toBeVisible();
    await page.keyboard.press("/");
    await page.keyboard.type("storm-t");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowLeft");
    await expect(star).toBeFocused();
    const saved = page.waitForResponse((response) => response.request().method() === "POST" && response.url().endsWith(favorites));
    await page.keyboard.press("Space");
    expect((await saved).ok()).toBe(true);
    await page.getByRole("searchbox", { name: "Search datasets" }).fill("");
  });
  await test.step("samples a dataset", async () => {
    await sample(page, "storm-tracks");
    expect(calls.searches).toEqual([]);
  });

  await test.step("Newest day finds only the rows of the newest day", async () => {
    // The newest day is offered once the time extent is known, which is computed in the background.
    const headers = await adminHeaders(page.request);
    const extent = async () => {
      const description = await page.request.get(describePath(flights), { headers });
      return ((await description.json()) as DatasetDescription).timeExtent;
    };
    // Each gateway computes its own, and calls that are made at once reach all of them.
    await expect.poll(async () => (await Promise.all([extent(), extent(), extent(), extent()])).includes(null)).toBe(false);
    await openDatasets(page);
    const described = page.waitForResponse((response) => new URL(response.url()).pathname === describePath(flights));
    await pick(page, "flights");
    await expectForm(page, flights);
    const { timeExtent } = (await (await described).json()) as DatasetDescription;
    const newest = timeExtent?.endMs ?? Number.NaN;
    await page.getByRole("button", { name: "Newest day", exact: true }).click();
    const counted = page.waitForResponse((response) => response.url().includes("/Aviation/flights/aggregate/count/"));
    const rows = await search<{ date: number }>(page, "flights");
    const range = { start: new Date(newest - 86_400_000).toISOString(), end: new Date(newest).toISOString() };
    expect(calls.searches).toEqual([{ path, body: { paging: { offset: 0, max: 25 }, timeRange: range, filters: [] } }]);
    expect(calls.counts.map(({ body }) => body)).toEqual([{ timeRange: range, filters: [] }]);
    expect(rows).toHaveLength(25);
    expect(rows[0]?.date).toBe(newest);
    expect(rows.every(({ date }) => date >= newest - 86_400_000 && date <= newest)).toBe(true);
    const { totalResults } = (await (await counted).json()) as { totalResults: number };
    // One of about 180 days.
    expect(totalResults).toBeGreaterThan(1_000);
    expect(totalResults).toBeLessThan(50_000);
    await expect(page.getByText(`1 – 25 of ${totalResults.toLocaleString("en-US")} results`)).toBeVisible();
  });

  await test.step("a search sends only time range, filters and page, and Load More the next page", async () => {
    await page.goBack();
    await expectForm(page, flights);
    await timeRange(page).click();
    await timeDialog(page).getByRole("textbox", { name: "Start" }).fill("2001-03-01 – 2001-03-05");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Origin", exact: true }).fill("DEN");
    await page.getByRole("textbox", { name: "Delay at least", exact: true }).fill("30");
    const rows = await search<{ destination: string; delay: number }>(page, "flights");
    const body = {
      timeRange: { start: "2001-03-01T00:00:00.000Z", end: "2001-03-05T23:59:59.000Z" },
      filters: [
        { name: "origin", value: "DEN", operator: "=" },
        { name: "delay", value: 30, operator: ">=" },
      ],
    };
    expect(calls.searches.slice(1)).toEqual([{ path, body: { paging: { offset: 0, max: 25 }, ...body } }]);
    expect(calls.counts.slice(1)).toEqual([{ path: "/api/datasets/Aviation/flights/aggregate/count/*", body }]);
    // The table shows the rows of the answer.
    expect(rows).toHaveLength(25);
    const first = page.getByRole("grid").getByRole("row").nth(1);
    await expect(first).toContainText("DEN");
    await expect(first).toContainText(rows[0]?.destination ?? "none");
    await expect(first.getByRole("gridcell", { name: String(rows[0]?.delay), exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Load More", exact: true }).click();
    await expect(page.getByText(/^50 of [\d,]+ rows$/)).toBeVisible();
    expect(calls.searches.slice(2)).toEqual([{ path, body: { paging: { offset: 25, max: 25 }, ...body } }]);
    expect(calls.counts).toHaveLength(2);
  });

  await test.step("a pre-filled filter applies although it is never sent", async () => {
    await openDatasets(page);
    await pick(page, "earthquakes");
    await expectForm(page, earthquakes);
    await page.getByRole("textbox", { name: "Magnitude at least", exact: true }).fill("1");
    const rows = await search<{ type: string }>(page, "earthquakes");
    expect(calls.searches.at(-1)?.body).toEqual({ paging: { offset: 0, max: 25 }, filters: [{ name: "mag", value: 1, operator: ">=" }] });
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(["earthquake"]));
  });

  await test.step("the favorite is still marked after a page load, and can be unmarked", async () => {
    await page.goto("/search");
    await expect(star).toHaveAttribute("aria-pressed", "true");
    await page.getByRole("button", { name: "Favorites only" }).click();
    await expect(picker(page).getByRole("row")).toHaveCount(2);
    const removed = page.waitForResponse((response) => response.request().method() === "DELETE" && response.url().endsWith(favorites));
    await star.click();
    expect((await removed).ok()).toBe(true);
    await expect(page.getByText("No favorites yet. Star a dataset to add it.")).toBeVisible();
  });
});
