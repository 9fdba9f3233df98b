import { catalog } from "@fairway/contract/catalog";
import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectTexts } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import "#testing/css-locator.ts";
import { facts } from "#testing/catalog-facts.ts";
import { entry, match } from "#testing/catalogs.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const budget = entry("budget", { communityDescription: "In **euros**." });
const tracks = { ...entry("storm-tracks", { containsLocationData: true, supportsMapResults: true }), dataset: storms };
const entries = [entry("airports", { containsLocationData: true }), budget, tracks];

const names = () => page.getByRole("list", { name: "Datasets" }).getByRole("heading", { level: 2 });
const cards = () => page.getByRole("list", { name: "Datasets" }).getByRole("listitem");
const count = () => page.getByRole("main").getByRole("status");

it("[ROUTE-36][SHELL-10] the entry of the Search group opens the catalog at its address", async () => {
  gateway.answer(catalog.entries, entries);
  await openScreen("/search");
  await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Data Catalog" }).click();
  await expectAddress("/data-catalog");
  await expect.element(page.getByRole("heading", { level: 1, name: "Data Catalog" })).toBeVisible();
});

describe("the catalog", () => {
  openOnce(async () => {
    gateway.answer(catalog.entries, ({ query }) => (query.columnName === "wind" ? entries.slice(2) : entries));
    await openScreen("/data-catalog");
  });

  it("[CATALOG-01][CATALOG-05] narrows its cards by the name of a dataset, counts them, and its address keeps the name", async () => {
    await expectTexts(names(), ["airports", "budget", "storm-tracks"]);
    await expect.element(count()).toHaveTextContent("3 matching datasets");
    await expectAccessible();
    const name = page.getByRole("textbox", { name: "Dataset name" });
    await name.fill("BUD");
    await expectTexts(names(), ["budget"]);
    await expect.element(count()).toHaveTextContent("1 matching dataset");
    await expectAddress("/data-catalog?name=BUD");
    await page.getByRole("button", { name: "Reset Filters" }).click();
    await expectTexts(names(), ["airports", "budget", "storm-tracks"]);
    await expect.element(name).toHaveFocus();
  });

  it("[CATALOG-02][CATALOG-07] narrows its cards by the name of a column, for which it asks 250 ms after typing", async () => {
    await expectTexts(names(), ["airports", "budget", "storm-tracks"]);
    const before = gateway.received(catalog.entries).length;
    const asked = () =>
      gateway
        .received(catalog.entries)
        .slice(before)
        .map(({ query }) => query);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await page.getByRole("textbox", { name: "Column name" }).fill("wind");
    await vi.advanceTimersByTimeAsync(249);
    expect(asked()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await expectTexts(names(), ["storm-tracks"]);
    expect(asked()).toEqual([{ columnName: "wind" }]);
    await expectAddress("/data-catalog?column=wind");
  });
});

it("[ROUTE-37] /metadata is another address of the catalog, also with filters", async () => {
  gateway.answer(catalog.entries, entries);
  await openScreen("/metadata?name=nothing+like+it");
  await expect.element(page.getByRole("heading", { level: 1, name: "Data Catalog" })).toBeVisible();
  await expect.element(page.getByText("No matching datasets")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Dataset name" })).toHaveValue("nothing like it");
});

describe("the addresses of the catalog", () => {
  openOnce(async () => {
    gateway.answer(catalog.entries, ({ query: { containsLocationData, supportsMapResults } }) =>
      entries.filter(
        (one) =>
          (containsLocationData === undefined || String(one.containsLocationData) === containsLocationData) &&
          (supportsMapResults === undefined || String(one.supportsMapResults) === supportsMapResults),
      ),
    );
    await openScreen("/metadata");
  });

  it("[CATALOG-03][CATALOG-04] are narrowed by location and map view", async () => {
    const location = page.getByRole("radiogroup", { name: "Contains location" });
    const map = page.getByRole("radiogroup", { name: "Supports map view" });
    for (const group of [location, map]) await expectTexts(group.css("label"), ["Any", "Yes", "No"]);
    await location.getByText("No", { exact: true }).click();
    await expectTexts(names(), ["budget"]);
    await location.getByText("Yes", { exact: true }).click();
    await map.getByText("No", { exact: true }).click();
    await expectTexts(names(), ["airports"]);
    await location.getByText("Any", { exact: true }).click();
    await map.getByText("Yes", { exact: true }).click();
    await expectTexts(names(), ["storm-tracks"]);
    await expectAddress("/data-catalog?map=yes");
  });

  it("[CATALOG-06] have a card each, which opens the schema of its dataset", async () => {
    await names().getByRole("link", { name: "storm-tracks" }).click();
    await expectAddress("/data-catalog/Tropical%20weather/storm-tracks");
    await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  });
});

it("searches everything that describes datasets in one box, shows where it matched, and opens the schema at the column", async () => {
  gateway.answer(catalog.entries, entries);
  gateway.answer(catalog.find, ({ query }) =>
    query.text !== "time"
      ? { total: 0, hits: [] }
      : {
          total: 2,
          hits: [
            {
              ...tracks,
              matches: [
                match("column", "time_of_day", "time", { columnName: "time_of_day" }),
                match("tag", "Real-time", "time"),
                match("column", "timezone", "time", { columnName: "timezone" }),
                match("columnDescription", "Where the time is taken.", "time", { columnName: "timezone" }),
                match("columnDescription", "Local time.", "time", { columnName: "at", layer: "private" }),
                match("description", "Ask Bob about times.", "times", { layer: "private" }),
              ],
            },
            {
              ...budget,
              matches: [
                match("name", "budget", "budget"),
                match("category", "Tests", "Test"),
                match("description", "…times.", "time", { layer: "community" }),
              ],
            },
          ],
        },
  );
  gateway.answer(datasetFactRoutes.facts, [
    facts("budget", { columns: 1, updatedMs: 2, searches: 1 }),
    facts("storm-tracks", { dataset: storms, columns: 1, updatedMs: 1, searches: 5 }),
  ]);
  await openScreen("/data-catalog?map=any");
  const box = page.getByRole("textbox", { name: "Search the catalog" });
  await expect.element(count()).toHaveTextContent("3 matching datasets");
  await userEvent.keyboard("/");
  await expect.element(box).toHaveFocus();
  const start = performance.now();
  await userEvent.keyboard("time");
  await expectTexts(names(), ["storm-tracks", "budget"]);
  expect(performance.now() - start).toBeGreaterThanOrEqual(250);
  expect(gateway.received(catalog.find).map(({ query }) => query)).toEqual([{ text: "time", limit: 1000, sort: "match", offset: 0 }]);
  await expectAddress("/data-catalog?text=time");
  await expect.element(page.getByText("1 filtered out")).toBeVisible();
  const [first, second] = [cards().nth(0), cards().nth(1)];
  await expectTexts(first.css("mark"), ["time", "time", "time", "time", "time", "times"]);
  await expectTexts(second.css("mark"), ["budget", "Test", "time"]);
  await expect.element(first).toHaveTextContent(/Columntime_of_dayColumntimezone ?Where the time is taken\./);

  await page.getByRole("button", { name: "Sort: Best match" }).click();
  await expectTexts(page.getByRole("menuitemradio"), ["Best match", "Name", "Recently updated", "Most used"]);
  await page.getByRole("menuitemradio", { name: "Recently updated" }).click();
  await expectTexts(names(), ["budget", "storm-tracks"]);
  await expectAddress("/data-catalog?text=time&sort=updated");
  await page.getByRole("button", { name: "Sort: Recently updated" }).click();
  await page.getByRole("menuitemradio", { name: "Most used" }).click();
  await expectTexts(names(), ["storm-tracks", "budget"]);

  await page.getByRole("link", { name: "time_of_day" }).click();
  await expectAddress("/data-catalog/Tropical%20weather/storm-tracks?find=time+times&at=time_of_day");

  await openScreen("/data-catalog?text=tide+gauge&location=yes&sort=name");
  await expect.element(page.getByText("Nothing matches “tide gauge” with these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Remove Contains location" }).click();
  await expect.element(page.getByText("Nothing matches “tide gauge”.")).toBeVisible();
  await expectAddress("/data-catalog?text=tide+gauge&sort=name");
  await expect.element(page.getByText("3 filtered out")).toBeVisible();
  await page.getByRole("button", { name: "Show All" }).click();
  await expectTexts(names(), ["airports", "budget", "storm-tracks"]);
  await expectAddress("/data-catalog?sort=name");
});

it("[CATALOG-13] a catalog that cannot be loaded can be retried", async () => {
  gateway.refuse(catalog.entries, "timed-out", "It took too long.", { times: 1 });
  gateway.answer(catalog.entries, entries);
  gateway.refuse(catalog.entries, "timed-out", "It took too long.", { times: 1 });
  await openScreen("/data-catalog");
  const failed = page.getByRole("alert");
  await expect.element(failed.getByText("Error Loading Dataset Schemas", { exact: true })).toBeVisible();
  await failed.getByRole("button", { name: "Retry" }).click();
  await expectTexts(names(), ["airports", "budget", "storm-tracks"]);
});
