import { type ResultRow, searchAnswer } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import {
  airports,
  alterAnswer,
  askedSearches,
  countries,
  flights,
  holdAnswer,
  industries,
  openForm,
  sampleButton,
  searchButton,
  storms,
  timeDialog,
  timeRange,
} from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows, recentSearches } from "../support/searches.ts";

const searchIdOf = (page: Page): string => new URL(page.url()).pathname.split("/")[2] ?? "";
const searchPath = "/api/datasets/Aviation/airports/search";

/** Airports of Colorado: a search whose answer the journeys alter. */
async function searchAirports(page: Page): Promise<void> {
  await openForm(page, airports);
  await page.getByRole("textbox", { name: "State", exact: true }).fill("CO");
  await searchButton(page).click();
}

test("[SEARCH-44] Sample runs a sample, which asks nothing of the form, and opens its results", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, storms);
  await page.getByRole("textbox", { name: "Storm name", exact: true }).fill("no such storm");
  const answered = page.waitForResponse(
    (response) => new URL(response.url()).pathname === "/api/datasets/Tropical%20weather/storm-tracks/sample",
  );
  await sampleButton(page).click();
  await expectRows(page, "storm-tracks");
  const answer = await answered;
  expect(answer.request().method()).toBe("GET");
  const { results } = (await answer.json()) as { results: unknown[] };
  expect(results).toHaveLength(25);
  await expect(page.getByText("25 sample rows", { exact: true })).toBeVisible();
  await expect(recentSearches(page)).toHaveCount(1);
  expect(asked).toEqual({ searches: [], counts: [] });
});

test("a double click on Search starts one search", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, airports);
  await page.getByRole("textbox", { name: "State", exact: true }).fill("CO");
  await searchButton(page).dblclick();
  await expectRows(page, "airports");
  await expect(recentSearches(page)).toHaveCount(1);
  expect(asked.searches).toHaveLength(1);
});

test("[SEARCH-48][SEARCH-50][SEARCH-55][SEARCH-56][SEARCH-58] a search of flights sends range, filters and page, and nothing else; Load More sends the next page", async ({
  page,
  signIn,
}) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, flights);
  await timeRange(page).click();
  await timeDialog(page).getByRole("textbox", { name: "Start" }).fill("2001-03-01 – 2001-03-05");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Origin", exact: true }).fill("DEN");
  await page.getByRole("textbox", { name: "Delay at least", exact: true }).fill("30");
  const answered = page.waitForResponse((response) => response.url().endsWith("/Aviation/flights/search"));
  await searchButton(page).click();
  await expectRows(page, "flights");
  const asks = {
    timeRange: { start: "2001-03-01T00:00:00.000Z", end: "2001-03-05T23:59:59.000Z" },
    filters: [
      { name: "origin", value: "DEN", operator: "=" },
      { name: "delay", value: 30, operator: ">=" },
    ],
  };
  const path = "/api/datasets/Aviation/flights/search";
  expect(asked.searches).toEqual([{ path, body: { paging: { offset: 0, max: 25 }, ...asks } }]);
  expect(asked.counts).toEqual([{ path: "/api/datasets/Aviation/flights/aggregate/count/*", body: asks }]);
  // The rows of the answer are the rows of the table.
  const { results } = (await (await answered).json()) as { results: { destination: string; delay: number }[] };
  expect(results).toHaveLength(25);
  const first = page.getByRole("grid").getByRole("row").nth(1);
  await expect(first).toContainText("DEN");
  await expect(first).toContainText(results[0]?.destination ?? "none");
  await expect(first.getByRole("gridcell", { name: String(results[0]?.delay), exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Load More", exact: true }).click();
  await expect(page.getByText("50 rows loaded", { exact: true })).toBeVisible();
  expect(asked.searches.slice(1)).toEqual([{ path, body: { paging: { offset: 25, max: 25 }, ...asks } }]);
  expect(asked.counts).toHaveLength(1);
});

test("[SEARCH-55] a dataset without PAGINATION is asked without paging", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, countries);
  await page.getByRole("textbox", { name: "Region", exact: true }).fill("South Asia");
  await searchButton(page).click();
  await expectRows(page, "country-development");
  const body = { filters: [{ name: "region", value: "South Asia", operator: "=" }] };
  expect(asked.searches).toEqual([{ path: "/api/datasets/People & economy/country-development/search", body }]);
  expect(asked.counts.map((count) => count.body)).toEqual([body]);
  await expect(page.getByText("no more results to load", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Load More", exact: true })).toHaveCount(0);
});

test("a dataset without COUNT is not counted: 'unknown total result count'", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, industries);
  await page.getByRole("textbox", { name: "Industry", exact: true }).fill("Construction");
  await searchButton(page).click();
  await expectRows(page, "industry-unemployment");
  await expect(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Load More", exact: true }).click();
  await expect(page.getByText("50 rows loaded", { exact: true })).toBeVisible();
  await expect(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  expect(asked.counts).toEqual([]);
  expect(asked.searches).toHaveLength(2);
});

test("[SEARCH-49] each search, also a second one on the same dataset, has its own address and its own recent entry", async ({
  page,
  signIn,
}) => {
  await signIn();
  await searchAirports(page);
  await expectRows(page, "airports");
  const first = searchIdOf(page);
  await searchAirports(page);
  await expectRows(page, "airports");
  const second = searchIdOf(page);
  expect(first).not.toBe("");
  expect(second).not.toBe(first);
  await expect(recentSearches(page)).toHaveCount(2);
  await page.goto("/search");
  await expect(recentSearches(page)).toHaveCount(2);
  await openForm(page, airports);
  await page.getByRole("textbox", { name: "State", exact: true }).fill("AK");
  await searchButton(page).click();
  await expectRows(page, "airports");
  await expect(recentSearches(page)).toHaveCount(3);
  await recentSearches(page).nth(2).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/search/${first}#`));
  await expect(page.getByRole("group", { name: "Filters applied" }).getByText("state = CO", { exact: true })).toBeVisible();
});

for (const [row, how, change] of [
  ["SEARCH-51", "an array", (rows: unknown[]) => rows.slice(0, 2)],
  ["SEARCH-52", "an object, which is one row", (rows: unknown[]) => rows[0]],
  ["SEARCH-53", "a JSON string", (rows: unknown[]) => JSON.stringify(rows.slice(0, 2))],
] as const) {
  test(`[${row}] results may be ${how}`, async ({ page, signIn }) => {
    await signIn();
    let shown: ResultRow[] = [];
    await alterAnswer(page, searchPath, (body) => {
      const answer = searchAnswer.parse(body);
      shown = answer.results.slice(0, row === "SEARCH-52" ? 1 : 2);
      return { ...answer, results: change(answer.results) };
    });
    await searchAirports(page);
    await expectRows(page, "airports");
    expect(shown).toHaveLength(row === "SEARCH-52" ? 1 : 2);
    // A header row, then the rows.
    await expect(page.getByRole("grid").getByRole("row")).toHaveCount(shown.length + 1);
    for (const { name } of shown)
      await expect(page.getByRole("grid").getByRole("gridcell", { name: String(name), exact: true })).toBeVisible();
  });
}

test("[SEARCH-54] results that are null, a number or no JSON are a search error; Retry asks again", async ({ page, signIn }) => {
  await signIn();
  const broken: unknown[] = [null, 7, "not JSON", [1, 2]];
  await page.route(
    (url) => url.pathname === searchPath,
    async (route) => {
      const response = await route.fetch();
      if (broken.length === 0) return route.fulfill({ response });
      return route.fulfill({ response, json: { results: broken.shift() } });
    },
  );
  await searchAirports(page);
  const failure = page.getByRole("alert").filter({ hasText: "Error getting search results." });
  for (let left = 3; left >= 0; left -= 1) {
    await expect(failure).toBeVisible();
    await expect(page.getByText("error performing search", { exact: true })).toBeVisible();
    await expect(page.getByRole("grid")).toHaveCount(0);
    await expect.poll(() => broken.length).toBe(left);
    await expect(recentSearches(page).first()).toContainText("Failed");
    await failure.getByRole("button", { name: "Retry", exact: true }).click();
  }
  await expectRows(page, "airports");
  await expect(page.getByText("error performing search", { exact: true })).toHaveCount(0);
});

test("[SEARCH-65] a record shows that it searches, then its rows and total; a count that fails leaves the rows", async ({
  page,
  signIn,
}) => {
  await signIn();
  const releaseRows = await holdAnswer(page, searchPath);
  await page.route(
    (url) => url.pathname.startsWith("/api/datasets/Aviation/airports/aggregate/"),
    (route) => route.fulfill({ status: 504, json: { errors: [{ code: "timed-out", message: "It took too long." }] } }),
  );
  await searchAirports(page);
  await expect(page).toHaveURL(/\/search\/[\w-]+#/);
  await expect(page.getByRole("heading", { level: 1, name: "airports" })).toBeVisible();
  const recent = recentSearches(page).first();
  await expect(recent.getByRole("img", { name: "Searching" })).toBeVisible();
  await expect(recent.getByRole("link")).toContainText("airports");
  await expect(recent.getByRole("time")).toHaveAttribute("datetime", /^\d{4}-\d\d-\d\dT/);
  releaseRows();
  await expectRows(page, "airports");
  await expect(recent.getByRole("img", { name: "Searching" })).toHaveCount(0);
  await expect(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  await expect(page.getByText("25 rows loaded", { exact: true })).toBeVisible();
});

test("Search by Enter in a field and by Control+Enter anywhere in the form", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, airports);
  await page.getByRole("textbox", { name: "City", exact: true }).fill("Denver");
  await page.keyboard.press("Enter");
  await expectRows(page, "airports");
  await expect(page.getByRole("group", { name: "Filters applied" }).getByText("city = Denver", { exact: true })).toBeVisible();
  await page.goBack();
  await page.getByRole("combobox", { name: "Operator of City", exact: true }).focus();
  await page.keyboard.press("Control+Enter");
  await expectRows(page, "airports");
  await expect(recentSearches(page)).toHaveCount(2);
});
