import { catalog } from "@fairway/contract/catalog";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import "#testing/css-locator.ts";
import { entry, match } from "#testing/catalogs.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const budget = entry("budget", { communityDescription: "In **euros**." });
const tracks = { ...entry("storm-tracks", { containsLocationData: true, supportsMapResults: true }), dataset: storms };
const entries = [entry("airports", { containsLocationData: true }), budget, tracks];

const names = () => page.getByRole("list", { name: "Datasets" }).getByRole("heading", { level: 2 });
const cards = () => page.getByRole("list", { name: "Datasets" }).getByRole("listitem");
const count = () => page.getByRole("main").getByRole("status");

it("shows the datasets with the most words where none has all, and names the missing word", async () => {
  gateway.answer(catalog.entries, entries);
  gateway.answer(catalog.find, {
    total: 2,
    hits: [
      { ...tracks, matches: [match("column", "wind", "wind", { columnName: "wind" })], missing: ["Speed"] },
      { ...budget, matches: [match("columnDescription", "kt: knots, speed", "speed", { columnName: "gusts" })], missing: ["wind"] },
    ],
  });
  await openScreen("/data-catalog?text=wind+Speed");
  await expect.element(page.getByText("No dataset has all words of “wind Speed”. These have the most:")).toBeVisible();
  await expectTexts(names(), ["storm-tracks", "budget"]);
  await expect.element(count()).toHaveTextContent("0 matching datasets");
  await expect.element(cards().nth(0)).toHaveTextContent("Without “Speed”");
  await expect.element(cards().nth(1)).toHaveTextContent("Without “wind”");
  await expectAccessible();
  gateway.answer(catalog.find, { total: 1, hits: [{ ...tracks, matches: [match("name", "storm-tracks", "storm")] }] });
  await page.getByRole("textbox", { name: "Search the catalog" }).fill("storm");
  await expect.element(count()).toHaveTextContent("1 matching dataset");
  await expect.element(page.getByText(/No dataset has all words/)).not.toBeInTheDocument();
});

it("lists 1,000 datasets, rendering only the visible cards, also on a phone", async () => {
  gateway.answer(
    catalog.entries,
    Array.from({ length: 1_000 }, (_, index) => entry(`dataset-${1_000 + index}`)),
  );
  await page.viewport(390, 844);
  await openScreen("/data-catalog");
  await expect.element(count()).toHaveTextContent("1,000 matching datasets");
  await expect.element(cards().first()).toHaveAttribute("aria-setsize", "1000");
  expect(names().elements().length).toBeLessThan(40);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  const filters = page.getByRole("button", { name: "Filters" });
  await expect.element(page.getByRole("textbox", { name: "Dataset name" })).not.toBeInTheDocument();
  await filters.click();
  await page.getByRole("textbox", { name: "Dataset name" }).fill("1999");
  await expectTexts(names(), ["dataset-1999"]);
  await expectAccessible();
});

it("Back from a schema returns to the same card of the list", async () => {
  gateway.answer(
    catalog.entries,
    Array.from({ length: 200 }, (_, index) => ({
      ...entry(`dataset-${1_000 + index}`),
      dataset: index === 150 ? storms : { datasetCategory: "Tests", datasetId: `dataset-${1_000 + index}` },
    })),
  );
  await openScreen("/data-catalog");
  const card = names().getByRole("link", { name: "storm-tracks" });
  const scroller = () => page.getByRole("list", { name: "Datasets" }).element().parentElement;
  await expect.element(names().first()).toBeVisible();
  await expect
    .poll(() => {
      if (!card.query()) scroller()?.scrollBy(0, 600);
      return card.query();
    })
    .not.toBeNull();
  await card.click();
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  history.back();
  await expect.element(page.getByRole("heading", { level: 1, name: "Data Catalog" })).toBeVisible();
  await expect.element(card).toBeInViewport();
  // A list that is searched anew starts at its first card.
  await page.getByRole("textbox", { name: "Dataset name" }).fill("dataset-1");
  await expect.element(names().first()).toHaveTextContent("dataset-1000");
});
