import { expect, test } from "../support/fixtures.ts";
import {
  act,
  alterAnswer,
  bodyOf,
  countCalls,
  countries,
  failOnce,
  grid,
  hold,
  katrina,
  nextSearch,
  openResults,
  portalApi,
  searchCalls,
  searchLink,
  unemployment,
} from "../support/results.ts";
import { exportedRows } from "../support/results-export.ts";

const loaded = (rows: number) => `${rows} rows loaded`;

test("[RESULT-01][RESULT-02][RESULT-05][RESULT-31] a search started from its dataset asks for 25 rows and shows them as a table under a title, with actions and views", async ({
  page,
  signIn,
}) => {
  await signIn();
  await page.goto("/search?category=People+%26+economy&dataset=industry-unemployment");
  const asked = nextSearch(page);
  await page.getByRole("form").getByRole("button", { name: "Search", exact: true }).click();
  expect(bodyOf(await asked).paging).toEqual({ offset: 0, max: 25 });
  await expect(page.getByRole("heading", { level: 1, name: "industry-unemployment", exact: true })).toBeVisible();
  await expect(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  await expect(page.getByText(loaded(25))).toBeVisible();
  await expect(page.getByRole("button", { name: "Actions", exact: true })).toBeVisible();
  const views = page.getByRole("radiogroup", { name: "View" });
  await expect(views.getByRole("radio", { name: "Table" })).toBeChecked();
  await expect(views.getByRole("radio", { name: "Raw" })).toBeEnabled();
  await expect(grid(page)).toBeVisible();
});

test("[RESULT-02] a sample, too, is looked at as Raw and as Table", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, { category: katrina.category, dataset: katrina.dataset, isSample: true });
  await page.getByText("Raw", { exact: true }).click();
  await expect(page.getByRole("treegrid", { name: "Raw results" })).toBeVisible();
  await page.getByText("Table", { exact: true }).click();
  await expect(grid(page)).toBeVisible();
});

test("[RESULT-06] a search that an address opens without a view shows the table", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await expect(page.getByRole("radio", { name: "Table" })).toBeChecked();
});

test("[RESULT-09][RESULT-10][RESULT-11][RESULT-14][RESULT-15] rows come with a loading indication, then the count of the same search", async ({
  page,
  signIn,
}) => {
  await signIn();
  const releaseRows = await hold(page, searchCalls);
  const releaseCount = await hold(page, countCalls);
  const counted = page.waitForRequest(countCalls);
  await page.goto(searchLink(katrina));
  await expect(page.getByRole("status", { name: "Searching storm-tracks" })).toBeVisible();
  await expect(page.getByText("loading result count...", { exact: true })).toBeVisible();
  releaseRows();
  await expect(page.getByText(loaded(25))).toBeVisible();
  await expect(page.getByRole("status", { name: "Searching storm-tracks" })).toHaveCount(0);
  await expect(page.getByText("loading result count...", { exact: true })).toBeVisible();
  const request = await counted;
  expect(request.method()).toBe("POST");
  expect(decodeURIComponent(new URL(request.url()).pathname)).toBe("/api/datasets/Tropical weather/storm-tracks/aggregate/count/*");
  expect(bodyOf(request)).toEqual({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
  releaseCount();
  await expect(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
});

test("[RESULT-10][RESULT-15] the subtitle says what totalResults says, with separators", async ({ page, signIn }) => {
  await signIn();
  await alterAnswer(page, countCalls, (answer) => ({ totalResults: Number(answer["totalResults"]) + 3_000_000 }));
  await page.goto(searchLink(katrina));
  await expect(page.getByText("1 – 25 of 3,000,068 results", { exact: true })).toBeVisible();
});

test("[RESULT-08][RESULT-11][RESULT-15] a dataset that cannot count is not asked to, and its total is unknown", async ({
  page,
  signIn,
}) => {
  await signIn();
  let counts = 0;
  page.on("request", (request) => {
    if (request.url().includes("/aggregate/")) counts += 1;
  });
  await openResults(page, unemployment);
  await expect(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  expect(counts).toBe(0);
});

test("[RESULT-08][RESULT-12] a count that fails leaves the rows, and the total unknown", async ({ page, signIn }) => {
  await signIn();
  await failOnce(page, countCalls);
  await openResults(page, katrina);
  await expect(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  await expect(page.getByText(loaded(25))).toBeVisible();
  await expect(grid(page).getByText("Katrina").first()).toBeVisible();
});

test("[RESULT-07][RESULT-13][RESULT-14][RESULT-16] a search that fails says so with the server's reason, and its retry brings the rows", async ({
  page,
  signIn,
}) => {
  await signIn();
  await failOnce(page, searchCalls);
  await page.goto(searchLink(katrina));
  await expect(page.getByText("error performing search", { exact: true })).toBeVisible();
  const alert = page.getByRole("alert").filter({ hasText: "Error getting search results." });
  await expect(alert).toContainText("Error Occurred");
  await expect(alert).toContainText("Every engine slot is taken.");
  const asked = nextSearch(page);
  await alert.getByRole("button", { name: "Retry" }).click();
  expect(bodyOf(await asked)).toMatchObject({ paging: { offset: 0, max: 25 } });
  await expect(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  await expect(grid(page).getByText("Katrina").first()).toBeVisible();
  await expect(alert).toHaveCount(0);
});

for (const results of [null, 7]) {
  test(`[RESULT-13][RESULT-16] an answer whose results are ${results} is an error, not an empty table`, async ({ page, signIn }) => {
    await signIn();
    await alterAnswer(page, searchCalls, (answer) => ({ ...answer, results }));
    await page.goto(searchLink(katrina));
    await expect(page.getByText("Error Occurred", { exact: true })).toBeVisible();
    await expect(page.getByText("Error getting search results.", { exact: true })).toBeVisible();
    await expect(page.getByText("no results", { exact: true })).toHaveCount(0);
  });
}

test("[RESULT-17] a search that no row satisfies shows 'no results'", async ({ page, signIn }) => {
  await signIn();
  await page.goto(searchLink({ ...katrina, filters: [["name", "=", "No such storm"]] }));
  await expect(page.getByText("no results", { exact: true })).toBeVisible();
  await expect(page.getByText("0 results", { exact: true })).toBeVisible();
  await expect(page.getByText("no more results to load")).toHaveCount(0);
});

test("[RESULT-18][RESULT-30] Load More appends the next 25 until all are there; no row comes twice", async ({ page, request, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const more = page.getByRole("button", { name: "Load More" });
  let asked = nextSearch(page);
  await more.click();
  expect(bodyOf(await asked)).toEqual({
    paging: { offset: 25, max: 25 },
    filters: [{ name: "name", value: "Katrina", operator: "=" }],
  });
  await expect(page.getByText(loaded(50))).toBeVisible();
  await expect(page.getByText("1 – 50 of 68 results", { exact: true })).toBeVisible();
  await expect(page.getByText("no more results to load")).toHaveCount(0);
  asked = nextSearch(page);
  await more.click();
  expect(bodyOf(await asked).paging).toEqual({ offset: 50, max: 25 });
  await expect(page.getByText(loaded(68))).toBeVisible();
  await expect(page.getByText("no more results to load", { exact: true })).toBeVisible();
  await expect(more).toHaveCount(0);
  const api = await portalApi(request);
  expect(await exportedRows(page)).toEqual(await api.rows(katrina, { offset: 0, max: 1_000 }));
});

test("[RESULT-30] a page that fails keeps the rows, and its retry asks for the same page", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await failOnce(page, searchCalls);
  await page.getByRole("button", { name: "Load More" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Error getting search results." });
  await expect(alert).toContainText("Every engine slot is taken.");
  await expect(page.getByText(loaded(25))).toBeVisible();
  await expect(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  await expect(grid(page).getByText("Katrina").first()).toBeVisible();
  const asked = nextSearch(page);
  await alert.getByRole("button", { name: "Retry" }).click();
  expect(bodyOf(await asked).paging).toEqual({ offset: 25, max: 25 });
  await expect(page.getByText(loaded(50))).toBeVisible();
  await expect(alert).toHaveCount(0);
});

test("[RESULT-10][RESULT-18][RESULT-32] a dataset that does not page is asked for everything and offers no Load More", async ({
  page,
  signIn,
}) => {
  await signIn();
  const asked = nextSearch(page);
  await openResults(page, countries);
  expect(bodyOf(await asked)).toEqual({ filters: [] });
  await expect(page.getByText("1 – 682 of 682 results", { exact: true })).toBeVisible();
  await expect(page.getByText("no more results to load", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Load More" })).toHaveCount(0);
});

test("[RESULT-43][RESULT-44] Rerun Search clears rows and count, then asks for the first page again", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await page.getByRole("button", { name: "Load More" }).click();
  await expect(page.getByText(loaded(50))).toBeVisible();
  const releaseRows = await hold(page, searchCalls);
  const releaseCount = await hold(page, countCalls);
  const asked = nextSearch(page);
  const counted = page.waitForRequest(countCalls);
  await act(page, "Rerun Search");
  expect(bodyOf(await asked).paging).toEqual({ offset: 0, max: 25 });
  await counted;
  await expect(page.getByRole("status", { name: "Searching storm-tracks" })).toBeVisible();
  await expect(grid(page)).toHaveCount(0);
  await expect(page.getByText("loading result count...", { exact: true })).toBeVisible();
  await expect(page.getByText(loaded(50))).toHaveCount(0);
  releaseRows();
  releaseCount();
  await expect(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  const next = nextSearch(page);
  await page.getByRole("button", { name: "Load More" }).click();
  expect(bodyOf(await next).paging).toEqual({ offset: 25, max: 25 });
});

test("[RESULT-14] a slow search shows how long it takes, and Cancel ends its request", async ({ page, signIn }) => {
  await signIn();
  const release = await hold(page, searchCalls);
  await page.goto(searchLink(katrina));
  await expect(page.getByRole("timer")).toBeVisible();
  const aborted = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/search"));
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  expect((await aborted).failure()?.errorText).toBe("net::ERR_ABORTED");
  await expect(page.getByText("Search cancelled", { exact: true })).toBeVisible();
  release();
  await page.getByRole("button", { name: "Rerun Search" }).click();
  await expect(page.getByText(loaded(25))).toBeVisible();
});
