import { datasets } from "@fairway/contract/datasets";
import type { DatasetRef } from "@fairway/contract/datasets";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { beforeEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAddress, expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { alterDescription, expectForm, flights, pick, picker, storms } from "#testing/datasets-screen.ts";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { buildColumn, buildFilter } from "#testing/dataset-builders.ts";

beforeEach(() => serveDatasets(gateway));

const demoCategories = () =>
  [...new Set(demoDatasets().map(({ description }) => description.category.id))].map((id) => ({
    id,
    datasetIds: demoDatasets()
      .filter(({ description }) => description.category.id === id)
      .map(({ description }) => description.datasetId),
  }));

/** A gateway that stores favorites, initially these. */
function serveFavorites(initial: readonly DatasetRef[] = []): DatasetRef[] {
  const favorites = [...initial];
  gateway.answer(favoriteDatasets.list, () => favorites);
  gateway.answer(favoriteDatasets.add, ({ body }) => {
    favorites.push(body);
    return body;
  });
  gateway.answer(favoriteDatasets.remove, ({ body }) => {
    favorites.splice(
      favorites.findIndex(({ datasetId }) => datasetId === body.datasetId),
      1,
    );
    return undefined;
  });
  return favorites;
}

describe("the list of datasets", () => {
  openOnce(async () => {
    await openScreen("/search");
    await expectCount(picker().getByRole("rowgroup"), demoCategories().length);
  });

  it("[PICKER-01] shows categories as headers above their datasets, in server order", async () => {
    const categories = demoCategories();
    expect(categories.map(({ id }) => id)).toContain("Tropical weather");
    for (const [index, { id, datasetIds }] of categories.entries()) {
      const group = picker().getByRole("rowgroup").nth(index);
      await expectText(group.getByRole("row").first(), id);
      const names = group
        .getByRole("button")
        .elements()
        .filter((button) => !button.hasAttribute("aria-pressed"));
      expect(names.map((button) => button.textContent)).toEqual(datasetIds);
    }
  });

  it("[PICKER-05] has headers that a click does not select", async () => {
    for (const { id } of demoCategories()) {
      const header = picker().getByRole("rowheader", { name: id, exact: true });
      await expect.element(header.getByRole("button")).not.toBeInTheDocument();
      await header.click();
    }
    await expect.element(picker().getByRole("row", { selected: true })).not.toBeInTheDocument();
    await expectAddress("/search");
  });

  it("[PICKER-02] marks exactly the datasets that support map results with a globe", async () => {
    const datasets = demoDatasets().map(({ description }) => ({
      datasetId: description.datasetId,
      supportsMapResults: description.mapSupport !== null,
    }));
    expect(new Set(datasets.map(({ supportsMapResults }) => supportsMapResults)).size).toBe(2);
    for (const { datasetId, supportsMapResults } of datasets) {
      const row = picker()
        .getByRole("row")
        .filter({ has: page.getByRole("button", { name: datasetId, exact: true }) });
      await expectCount(row.getByRole("img", { name: "Supports map results" }), supportsMapResults ? 1 : 0);
    }
  });

  it("[SEARCH-02] selects a dataset", async () => {
    await pick("storm-tracks");
    await expectForm(storms);
    await expect
      .element(picker().getByRole("row", { selected: true }).getByRole("button", { name: "storm-tracks", exact: true }))
      .toBeVisible();
  });
});

describe("favorites", () => {
  const airportsRef = { datasetCategory: "Aviation", datasetId: "airports" };
  const flightsRef = { datasetCategory: "Aviation", datasetId: "flights" };
  let favorites: DatasetRef[] = [];
  beforeEach(() => {
    favorites = serveFavorites([airportsRef]);
  });
  const star = (datasetId: string) => picker().getByRole("button", { name: `Favorite ${datasetId}`, exact: true });
  const footer = page.getByText(/^\d+ datasets/);

  /** Presses a star, and releases the response only once the mark has changed. */
  async function toggle(datasetId: string, route: typeof favoriteDatasets.add | typeof favoriteDatasets.remove, pressed: "true" | "false") {
    const reads = gateway.received(favoriteDatasets.list).length;
    const release = gateway.hold(route);
    await star(datasetId).click();
    await expect.element(star(datasetId)).toHaveAttribute("aria-pressed", pressed);
    expect(gateway.received(favoriteDatasets.list)).toHaveLength(reads);
    release();
    await expect.poll(() => gateway.received(favoriteDatasets.list).length).toBe(reads + 1);
    await expect.element(star(datasetId)).toHaveAttribute("aria-pressed", pressed);
  }

  it("[PICKER-03][PICKER-09] are marked as the server has them", async () => {
    await openScreen("/search");
    await expect.element(star("airports")).toHaveAttribute("aria-pressed", "true");
    await expect.element(star("flights")).toHaveAttribute("aria-pressed", "false");
    await expectText(footer, "8 datasets, 1 favorite");
  });

  it("[PICKER-08][PICKER-10] are marked at once, saved, and loaded again", async () => {
    await openScreen("/search");
    await expectText(footer, "8 datasets, 1 favorite");
    await toggle("flights", favoriteDatasets.add, "true");
    expect(gateway.received(favoriteDatasets.add).map(({ body }) => body)).toEqual([flightsRef]);
    await expectText(footer, "8 datasets, 2 favorites");
    expect(favorites).toEqual([airportsRef, flightsRef]);
  });

  it("[PICKER-08][PICKER-11] are unmarked at once, removed, and loaded again", async () => {
    await openScreen("/search");
    await expectText(footer, "8 datasets, 1 favorite");
    await toggle("airports", favoriteDatasets.remove, "false");
    expect(gateway.received(favoriteDatasets.remove).map(({ body }) => body)).toEqual([airportsRef]);
    await expectText(footer, "8 datasets");
    expect(favorites).toEqual([]);
  });
});

it("reverts a change that the server refuses", async () => {
  const logged = loggedFailures();
  serveFavorites();
  gateway.refuse(favoriteDatasets.add, "internal", "Broken.");
  const release = gateway.hold(favoriteDatasets.add);
  await openScreen("/search");
  const star = picker().getByRole("button", { name: "Favorite airports", exact: true });
  await expect.element(star).toHaveAttribute("aria-pressed", "false");
  await star.click();
  await expect.element(star).toHaveAttribute("aria-pressed", "true");
  // The star is cleared before the favorites are loaded again.
  const releaseList = gateway.hold(favoriteDatasets.list);
  release();
  await expect.element(star).toHaveAttribute("aria-pressed", "false");
  releaseList();
  await expect.poll(logged).toContain("The favorite could not be changed:");
});

it("[PICKER-03] supports favorites by keyboard: mark, filter, reload and unmark", async () => {
  const favorites = serveFavorites();
  await openScreen("/search");
  await expect.element(picker()).toBeVisible();
  await press("/");
  const search = page.getByRole("searchbox", { name: "Search datasets" });
  await expect.element(search).toHaveFocus();
  await userEvent.keyboard("storm");
  await press("ArrowDown");
  await expect.element(picker().getByRole("button", { name: "storm-tracks", exact: true })).toHaveFocus();
  await press("ArrowLeft");
  const star = picker().getByRole("button", { name: "Favorite storm-tracks", exact: true });
  await expect.element(star).toHaveFocus();
  await press("Space");
  await expect.element(star).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => favorites).toHaveLength(1);

  await openScreen("/search");
  await expect.element(star).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Favorites only" }).click();
  await expectCount(picker().getByRole("row"), 2);
  await expect.element(picker().getByRole("button", { name: "storm-tracks", exact: true })).toBeVisible();
  await expectTexts(page.getByRole("region", { name: "Favorites" }).getByRole("button"), ["storm-tracksTropical weather"]);

  await press("Enter", star);
  await expect.poll(() => favorites).toHaveLength(0);
  await expect.element(page.getByText("No favorites yet. Star a dataset to add it.")).toBeVisible();
});

it("[PICKER-04] shows 'No Datasets Available' to users without datasets", async () => {
  gateway.answer(datasets.list, []);
  await openScreen("/search");
  await expect
    .element(page.getByRole("region", { name: "Choose a dataset" }).getByText("No Datasets Available", { exact: true }))
    .toBeVisible();
  await expect.element(picker()).not.toBeInTheDocument();
});

it("[PICKER-12] shows a failed datasets list and retries it", async () => {
  gateway.refuse(datasets.list, "internal", "The store is away.", { times: 2 });
  const requests = () => gateway.received(datasets.list).length;
  await openScreen("/search");
  const failure = page.getByRole("region", { name: "Choose a dataset" }).getByRole("alert");
  await expect.element(failure.getByText("Error loading datasets.", { exact: true })).toBeVisible();
  expect(requests()).toBe(1);
  // Retry fails again while it is broken.
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.poll(requests).toBe(2);
  await expect.element(failure).toBeVisible();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.element(picker().getByRole("button", { name: "flights", exact: true })).toBeVisible();
  await expect.element(failure).not.toBeInTheDocument();
});

it("shows a skeleton while the datasets list loads", async () => {
  const release = gateway.hold(datasets.list);
  await openScreen("/search");
  await expect.element(page.getByRole("status", { name: "Loading datasets" })).toBeVisible();
  release();
  await expect.element(picker()).toBeVisible();
  await expect.element(page.getByRole("status", { name: "Loading datasets" })).not.toBeInTheDocument();
});

it("renders markup in names and descriptions as text", async () => {
  const evil = `<img src=x onerror="document.title='owned'"><b>bold</b>`;
  alterDescription(flights, (description) => ({
    ...description,
    category: { id: `Aviation${evil}`, description: evil },
    description: evil,
    schema: { columns: [buildColumn(evil, { description: evil })] },
    filterSupport: {
      ...description.filterSupport,
      requiredOrFields: [evil],
      staticFilters: [buildFilter(evil, { description: evil })],
      preFilledFilters: [buildFilter(evil, { id: "p", description: evil, value: evil, preFilled: true })],
    },
  }));
  await openScreen("/search");
  await expect.element(picker().getByRole("rowheader", { name: `Aviation${evil}`, exact: true })).toBeVisible();
  await pick("flights");
  await expectForm(flights);
  await expect.element(page.getByText(evil, { exact: true }).first()).toBeVisible();
  await expect.element(page.getByText(`Aviation${evil}: ${evil}`, { exact: true })).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: evil, exact: true })).toBeVisible();
  await expect.element(page.getByRole("main").css("img, b")).not.toBeInTheDocument();
  expect(document.title).not.toBe("owned");
});
