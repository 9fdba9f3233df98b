import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount } from "#testing/assertions.ts";
import {
  airports,
  searchRequests,
  expectRows,
  flights,
  openForm,
  sampleButton,
  searchButton,
  storms,
  timeDialog,
  timeRange,
} from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, recentSearches } from "#testing/results.ts";
import { searchAirports } from "#testing/search-runs.ts";
import { setField } from "#testing/quick-fields.ts";

beforeEach(() => serveDatasets(gateway));

const searchIdOf = (): string => location.pathname.split("/")[2] ?? "";

it("[SEARCH-44] runs a sample independent of the form and opens its results", async () => {
  const requests = searchRequests();
  await openForm(storms);
  await setField(page.getByRole("textbox", { name: "Storm name", exact: true }), "no such storm");
  await sampleButton().click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.sample).map(({ params }) => params.datasetId)).toEqual(["storm-tracks"]);
  await expect.element(page.getByText("25 sample rows", { exact: true })).toBeVisible();
  await expectCount(recentSearches(), 1);
  expect(requests).toEqual({ searches: [], counts: [] });
});

describe("Search", () => {
  openOnce(async () => {
    await openForm(flights);
    await timeRange().click();
    await setField(timeDialog().getByRole("textbox", { name: "Start" }), "2001-03-01 – 2001-03-05");
    await press("Enter");
    await setField(page.getByRole("textbox", { name: "Origin", exact: true }), "DEN");
    await setField(page.getByRole("textbox", { name: "Delay at least", exact: true }), "30");
    await searchButton().click();
    await expectRows("flights");
  });

  const timed = { start: "2001-03-01T00:00:00.000Z", end: "2001-03-05T23:59:59.000Z" };
  const filters = [
    { name: "origin", value: "DEN", operator: "=" },
    { name: "delay", value: 30, operator: ">=" },
  ];
  const requests = searchRequests();

  it("[SEARCH-48][SEARCH-50] posts one search of the dataset and one count, and opens its results at an address of their own", async () => {
    await expectAddress(/^\/search\/[\w-]+$/);
    expect(requests.searches.map(({ dataset }) => dataset)).toEqual(["Aviation/flights"]);
    expect(requests.counts.map(({ dataset }) => dataset)).toEqual(["Aviation/flights"]);
  });

  it("[SEARCH-56][SEARCH-58] sends range and filters, and nothing that is not set", () => {
    expect(requests.searches[0]?.body).toEqual({ paging: { offset: 0, max: 25 }, timeRange: timed, filters });
    expect(requests.counts[0]?.body).toEqual({ timeRange: timed, filters });
  });

  it("[SEARCH-55] sends the page, and the next one for Load More", async () => {
    expect(requests.searches[0]?.body).toMatchObject({ paging: { offset: 0, max: 25 } });
    expect(requests.counts[0]?.body).not.toHaveProperty("paging");
    await page.getByRole("button", { name: "Load More", exact: true }).click();
    await expect.element(page.getByText(/^50 (rows loaded|of \d+ rows)$/)).toBeVisible();
    expect(requests.searches.slice(1).map(({ body }) => body)).toEqual([{ paging: { offset: 25, max: 25 }, timeRange: timed, filters }]);
    expect(requests.counts).toHaveLength(1);
  });
});

it("[SEARCH-49] gives each search its own address and recent entry, also on the same dataset", async () => {
  await searchAirports();
  await expectRows("airports");
  const first = searchIdOf();
  await searchAirports();
  await expectRows("airports");
  const second = searchIdOf();
  expect(first).not.toBe("");
  expect(second).not.toBe(first);
  await expectCount(recentSearches(), 2);
  await openScreen("/search");
  await expectCount(recentSearches(), 2);
  await openForm(airports);
  await setField(page.getByRole("textbox", { name: "State", exact: true }), "AK");
  await searchButton().click();
  await expectRows("airports");
  await expectCount(recentSearches(), 3);
  await recentSearches().nth(2).getByRole("link").click();
  await expectAddress(`/search/${first}`);
  await expect.element(page.getByRole("group", { name: "Filters applied" }).getByText("state = CO", { exact: true })).toBeVisible();
});

const rows = [{ name: "Aspen-Pitkin County" }, { name: "Centennial" }];

describe("results", () => {
  openOnce(searchAirports);

  for (const [title, results, shown] of [
    ["[SEARCH-51] may be an array", rows, 2],
    ["[SEARCH-52] may be an object, which is one row", rows[0], 1],
    ["[SEARCH-53] may be a JSON string", JSON.stringify(rows), 2],
  ] as const) {
    it(`${title}, and are shown`, async () => {
      await expectRows("airports");
      gateway.answerText(search.run, JSON.stringify({ results }));
      await act("Rerun Search");
      // A header row plus the rows.
      await expectCount(page.getByRole("grid").getByRole("row"), shown + 1);
      for (const { name } of rows.slice(0, shown))
        await expect.element(page.getByRole("grid").getByRole("gridcell", { name, exact: true })).toBeVisible();
    });
  }
});

it("[SEARCH-65] shows progress, then rows and total; a failed count keeps the rows", async () => {
  const releaseRows = gateway.hold(search.run);
  gateway.refuse(search.aggregate, "timed-out", "It took too long.");
  await searchAirports();
  await expectAddress(/\/search\/[\w-]+$/);
  await expect.element(page.getByRole("heading", { level: 1, name: "airports" })).toBeVisible();
  const recent = recentSearches().first();
  await expect.element(recent.getByRole("img", { name: "Searching" })).toBeVisible();
  await expect.element(recent.getByRole("link")).toHaveTextContent("airports");
  await expect.element(recent.getByRole("time")).toHaveAttribute("datetime", expect.stringMatching(/^\d{4}-\d\d-\d\dT/));
  releaseRows();
  await expectRows("airports");
  await expect.element(recent.getByRole("img", { name: "Searching" })).not.toBeInTheDocument();
  await expect.element(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  await expect.element(page.getByText("25 rows loaded", { exact: true })).toBeVisible();
});
