import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, countries, expectSearch, grid, katrina, openResults, searchLink } from "#testing/results.ts";

beforeEach(() => serveDatasets(gateway));

const loaded = (rows: number) => new RegExp(`^${rows} (rows loaded|of 68 rows)$`);

describe("a search started from its dataset", () => {
  openOnce(async () => {
    await openScreen("/search?category=People+%26+economy&dataset=industry-unemployment");
    await page.getByRole("form").getByRole("button", { name: "Search", exact: true }).click();
    await expect.element(grid()).toBeVisible();
  });

  const views = page.getByRole("radiogroup", { name: "View" });

  it("[RESULT-01] has a title, a subtitle, actions and views", async () => {
    await expect.element(page.getByRole("heading", { level: 1, name: "industry-unemployment", exact: true })).toBeVisible();
    await expect.element(page.getByText("unknown total result count", { exact: true })).toBeVisible();
    await expect.element(page.getByRole("button", { name: "Actions", exact: true })).toBeVisible();
    await expect.element(views).toBeVisible();
  });

  it("[RESULT-02][RESULT-05] is shown as a table, and offers Raw", async () => {
    await expect.element(views.getByRole("radio", { name: "Table" })).toBeChecked();
    await expect.element(views.getByRole("radio", { name: "Raw" })).toBeEnabled();
  });

  it("[RESULT-31] loads 25 rows", async () => {
    await expectSearch(expect.objectContaining({ paging: { offset: 0, max: 25 } }));
    await expect.element(page.getByText(loaded(25))).toBeVisible();
  });

  it("[RESULT-08][RESULT-15] asks for no total that its dataset cannot count, and shows it as unknown", async () => {
    expect(gateway.received(search.aggregate)).toEqual([]);
    await expect.element(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  });
});

it("[RESULT-02] offers Raw and Table for a sample", async () => {
  await openResults({ category: katrina.category, dataset: katrina.dataset, isSample: true });
  await page.getByText("Raw", { exact: true }).click();
  await expect.element(page.getByRole("treegrid", { name: "Raw results" })).toBeVisible();
  await page.getByText("Table", { exact: true }).click();
  await expect.element(grid()).toBeVisible();
});

describe("a search", () => {
  const searching = page.getByRole("status", { name: "Searching storm-tracks" });
  const counting = page.getByText("loading result count...", { exact: true });
  let releaseRows = () => {};
  let releaseCount = () => {};

  beforeEach(async () => {
    releaseRows = gateway.hold(search.run);
    releaseCount = gateway.hold(search.aggregate);
    await openScreen(searchLink(katrina));
  });

  it("[RESULT-14] shows that it is searching, then its rows", async () => {
    await expect.element(searching).toBeVisible();
    releaseRows();
    await expect.element(page.getByText(loaded(25))).toBeVisible();
    await expect.element(searching).not.toBeInTheDocument();
    releaseCount();
  });

  it("[RESULT-09][RESULT-11] shows that its total loads, before and after the rows", async () => {
    await expect.element(counting).toBeVisible();
    releaseRows();
    await expect.element(page.getByText(loaded(25))).toBeVisible();
    await expect.element(counting).toBeVisible();
    releaseCount();
    await expect.element(counting).not.toBeInTheDocument();
  });

  it("[RESULT-10][RESULT-15] counts its rows, and shows the total", async () => {
    releaseRows();
    releaseCount();
    await expect.element(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
    expect(gateway.received(search.aggregate)).toEqual([
      expect.objectContaining({
        params: { category: "Tropical weather", datasetId: "storm-tracks", aggregationType: "count", column: "*" },
        body: { filters: [{ name: "name", value: "Katrina", operator: "=" }] },
      }),
    ]);
  });
});

describe("a search without a view in its address", () => {
  openOnce(async () => {
    gateway.answer(search.aggregate, { totalResults: 3_000_068 });
    await openScreen(searchLink(katrina));
  });

  it("[RESULT-10][RESULT-15] has a total with separators in its subtitle", async () => {
    await expect.element(page.getByText("1 – 25 of 3,000,068 results", { exact: true })).toBeVisible();
  });

  it("[RESULT-06] is shown as a table", async () => {
    await expect.element(page.getByRole("radio", { name: "Table" })).toBeChecked();
  });
});

it("[RESULT-08][RESULT-12] keeps the rows and shows the total as unknown if the count fails", async () => {
  gateway.refuse(search.aggregate, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await openResults(katrina);
  await expect.element(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  await expect.element(page.getByText(loaded(25))).toBeVisible();
  await expect.element(grid().getByText("Katrina").first()).toBeVisible();
});

describe("a failed search", () => {
  openOnce(async () => {
    gateway.refuse(search.run, "engine-busy", "Every engine slot is taken.", { times: 1 });
    await openScreen(searchLink(katrina));
    await expect.element(page.getByRole("main").getByRole("alert")).toBeVisible();
  });

  const alert = page.getByRole("alert").filter({ hasText: "Error getting search results." });

  it("[RESULT-07] is named in the subtitle", async () => {
    await expect.element(page.getByText("error performing search", { exact: true })).toBeVisible();
  });

  it("[RESULT-16] is an error for the reason of the server", async () => {
    await expect.element(alert).toHaveTextContent("Error Occurred");
    await expect.element(alert).toHaveTextContent("Every engine slot is taken.");
  });

  it("[RESULT-13][RESULT-14] runs again on Retry", async () => {
    await alert.getByRole("button", { name: "Retry" }).click();
    await expectSearch(expect.objectContaining({ paging: { offset: 0, max: 25 } }));
    await expect.element(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
    await expect.element(grid().getByText("Katrina").first()).toBeVisible();
    await expect.element(alert).not.toBeInTheDocument();
  });
});

for (const results of [null, 7]) {
  it(`[RESULT-13][RESULT-16] treats a response whose results are ${results} as an error, not as an empty table`, async () => {
    gateway.answerText(search.run, JSON.stringify({ results }));
    await openScreen(searchLink(katrina));
    await expect.element(page.getByText("Error Occurred", { exact: true })).toBeVisible();
    await expect.element(page.getByText("Error getting search results.", { exact: true })).toBeVisible();
    await expect.element(page.getByText("no results", { exact: true })).not.toBeInTheDocument();
  });
}

it("[RESULT-17] shows 'no results' if no row matches", async () => {
  await openScreen(searchLink({ ...katrina, filters: [["name", "=", "No such storm"]] }));
  await expect.element(page.getByText("no results", { exact: true })).toBeVisible();
  await expect.element(page.getByText("0 results", { exact: true })).toBeVisible();
  await expect.element(page.getByText("no more results to load")).not.toBeInTheDocument();
});

it("offers no removal of a filter that the dataset requires where no row matches", async () => {
  await openScreen(
    searchLink({
      ...katrina,
      filters: [
        ["name", "=", "No such storm"],
        ["wind", ">", 5],
      ],
    }),
  );
  const filters = page.getByRole("list", { name: "Filters of this search" });
  await expect.element(filters.getByText("name = No such storm")).toBeVisible();
  await expect.element(filters.getByRole("button")).toHaveAccessibleName("Remove wind > 5");
});

it("[RESULT-18][RESULT-30] appends 25 rows per Load More until all are loaded", async () => {
  await openResults(katrina);
  const more = page.getByRole("button", { name: "Load More" });
  await more.click();
  await expectSearch({
    paging: { offset: 25, max: 25 },
    filters: [{ name: "name", value: "Katrina", operator: "=" }],
  });
  await expect.element(page.getByText(loaded(50))).toBeVisible();
  await expect.element(page.getByText("1 – 50 of 68 results", { exact: true })).toBeVisible();
  await expect.element(page.getByText("no more results to load")).not.toBeInTheDocument();
  await more.click();
  await expectSearch(expect.objectContaining({ paging: { offset: 50, max: 25 } }));
  await expect.element(page.getByText(loaded(68))).toBeVisible();
  await expect.element(page.getByText("no more results to load", { exact: true })).toBeVisible();
  await expect.element(more).not.toBeInTheDocument();
});

it("[RESULT-30] keeps the rows if a page fails, and retries that page", async () => {
  await openResults(katrina);
  gateway.refuse(search.run, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await page.getByRole("button", { name: "Load More" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Error getting search results." });
  await expect.element(alert).toHaveTextContent("Every engine slot is taken.");
  await expect.element(page.getByText(loaded(25))).toBeVisible();
  await expect.element(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  await expect.element(grid().getByText("Katrina").first()).toBeVisible();
  await alert.getByRole("button", { name: "Retry" }).click();
  await expectSearch(expect.objectContaining({ paging: { offset: 25, max: 25 } }));
  await expect.element(page.getByText(loaded(50))).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
});

describe("a search of a dataset that does not page", () => {
  openOnce(() => openResults(countries));

  it("[RESULT-10] requests everything", async () => {
    await expectSearch({ filters: [] });
    await expect.element(page.getByText("1 – 60 of 60 results", { exact: true })).toBeVisible();
  });

  it("[RESULT-18][RESULT-32] has no more results and no Load More", async () => {
    await expect.element(page.getByText("no more results to load", { exact: true })).toBeVisible();
    await expect.element(page.getByRole("button", { name: "Load More" })).not.toBeInTheDocument();
  });
});

it("[RESULT-43][RESULT-44] clears rows and count on Rerun Search and requests the first page", async () => {
  await openResults(katrina);
  await page.getByRole("button", { name: "Load More" }).click();
  await expect.element(page.getByText(loaded(50))).toBeVisible();
  const releaseRows = gateway.hold(search.run);
  const releaseCount = gateway.hold(search.aggregate);
  const countRequests = gateway.received(search.aggregate).length;
  await act("Rerun Search");
  await expectSearch(expect.objectContaining({ paging: { offset: 0, max: 25 } }));
  await expect.poll(() => gateway.received(search.aggregate).length).toBe(countRequests + 1);
  await expect.element(page.getByRole("status", { name: "Searching storm-tracks" })).toBeVisible();
  await expect.element(grid()).not.toBeInTheDocument();
  await expect.element(page.getByText("loading result count...", { exact: true })).toBeVisible();
  await expect.element(page.getByText(loaded(50))).not.toBeInTheDocument();
  releaseRows();
  releaseCount();
  await expect.element(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Load More" }).click();
  await expectSearch(expect.objectContaining({ paging: { offset: 25, max: 25 } }));
});

it("[RESULT-14] shows the elapsed time of a slow search and aborts its request on Cancel", async () => {
  const release = gateway.hold(search.run);
  await openScreen(searchLink(katrina));
  await expect.element(page.getByRole("timer")).toBeVisible();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(page.getByText("Search canceled", { exact: true })).toBeVisible();
  expect(gateway.received(search.run).map(({ signal }) => signal?.aborted)).toEqual([true]);
  release();
  await page.getByRole("button", { name: "Rerun Search" }).click();
  await expect.element(page.getByText(loaded(25))).toBeVisible();
});
