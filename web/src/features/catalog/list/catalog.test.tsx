import { catalog } from "@fairway/contract/catalog";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import "#testing/css-locator.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const entry = (datasetId: string, more: object = {}) => ({
  dataset: { datasetCategory: "Tests", datasetId },
  description: `About ${datasetId}.`,
  communityDescription: "",
  containsLocationData: false,
  supportsMapResults: false,
  ...more,
});
const entries = [
  entry("airports", { containsLocationData: true }),
  entry("budget", { communityDescription: "In **euros**." }),
  { ...entry("storm-tracks", { containsLocationData: true, supportsMapResults: true }), dataset: storms },
];

const names = () => page.getByRole("list", { name: "Datasets" }).getByRole("heading", { level: 2 });
const count = () => page.getByRole("main").getByRole("status");

it("[ROUTE-36][SHELL-10][CATALOG-01][CATALOG-02][CATALOG-05][CATALOG-07] the catalog narrows its cards by the names of datasets and columns as they are typed, and its address keeps the filters", async () => {
  serveDatasets(gateway);
  gateway.answer(catalog.entries, ({ query }) => (query.columnName === "wind" ? entries.slice(2) : entries));
  await openScreen("/search");
  await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Data Catalog" }).click();
  await expectAddress("/data-catalog");
  await expect.element(page.getByRole("heading", { level: 1, name: "Data Catalog" })).toBeVisible();
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

  const before = gateway.received(catalog.entries).length;
  const start = performance.now();
  await page.getByRole("textbox", { name: "Column name" }).fill("wind");
  await expectTexts(names(), ["storm-tracks"]);
  expect(performance.now() - start).toBeGreaterThanOrEqual(250);
  expect(
    gateway
      .received(catalog.entries)
      .slice(before)
      .map(({ query }) => query),
  ).toEqual([{ columnName: "wind" }]);
  await expectAddress("/data-catalog?column=wind");

  await openScreen("/metadata?name=nothing+like+it");
  await expect.element(page.getByText("No matching datasets")).toBeVisible();
  await expect.element(name).toHaveValue("nothing like it");
});

it("[ROUTE-37][CATALOG-03][CATALOG-04][CATALOG-06] the catalog narrows its cards by location and map view, and a card opens the dataset's schema", async () => {
  serveDatasets(gateway);
  gateway.answer(catalog.entries, ({ query: { containsLocationData, supportsMapResults } }) =>
    entries.filter(
      (one) =>
        (containsLocationData === undefined || String(one.containsLocationData) === containsLocationData) &&
        (supportsMapResults === undefined || String(one.supportsMapResults) === supportsMapResults),
    ),
  );
  await openScreen("/metadata");
  await expect.element(page.getByRole("heading", { level: 1, name: "Data Catalog" })).toBeVisible();
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
  await names().getByRole("link", { name: "storm-tracks" }).click();
  await expectAddress("/data-catalog/Tropical%20weather/storm-tracks");
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
});

it("[CATALOG-13] a catalog that cannot be loaded can be retried", async () => {
  serveDatasets(gateway);
  gateway.refuse(catalog.entries, "timed-out", "It took too long.", { times: 1 });
  gateway.answer(catalog.entries, entries);
  gateway.refuse(catalog.entries, "timed-out", "It took too long.", { times: 1 });
  await openScreen("/data-catalog");
  const failed = page.getByRole("alert");
  await expect.element(failed.getByText("Error Loading Dataset Schemas", { exact: true })).toBeVisible();
  await failed.getByRole("button", { name: "Retry" }).click();
  await expectTexts(names(), ["airports", "budget", "storm-tracks"]);
});
