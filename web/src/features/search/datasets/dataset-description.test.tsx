import { type DatasetDescription, datasets } from "@fairway/contract/datasets";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import {
  airports,
  alterDescription,
  describeCount,
  expectForm,
  flights,
  formOf,
  openForm,
  pick,
  picker,
  sampleButton,
  searchButton,
  storms,
} from "#testing/datasets-screen.ts";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway, openScreen } from "#testing/open-screen.tsx";

beforeEach(() => serveDatasets(gateway));

function descriptionOf([, datasetId]: readonly [string, string]): DatasetDescription {
  const found = demoDatasets().find(({ description }) => description.datasetId === datasetId);
  if (!found) throw new Error(`No dataset ${datasetId}`);
  return found.description;
}

describe("a selected dataset", () => {
  openOnce(async () => {
    await openScreen("/search");
    await expect.element(picker()).toBeVisible();
    await expect.element(searchButton()).not.toBeInTheDocument();
    await pick("storm-tracks");
    await expectForm(storms);
  });

  const filters = () => page.getByRole("region", { name: "Filters", exact: true });

  it("[SEARCH-04] shows the descriptions of its category and of itself", async () => {
    const { category, description } = descriptionOf(storms);
    const form = formOf("storm-tracks");
    await expect.element(form.getByText(`${category.id}: ${category.description}`, { exact: true })).toBeVisible();
    await expect.element(form.getByText(description, { exact: true })).toBeVisible();
  });

  it("[SEARCH-06] offers Sample and Search", async () => {
    await expect.element(sampleButton()).toBeVisible();
    await expect.element(searchButton()).toBeVisible();
  });

  it("[SEARCH-08] loads its description, which sets up the filters", async () => {
    expect(describeCount(storms)()).toBe(1);
    const { filterSupport } = descriptionOf(storms);
    expect(filterSupport.staticFilters.map(({ display }) => display)).toEqual(["Storm name", "Storm id", "Wind at least"]);
    for (const { display, operator } of filterSupport.staticFilters) {
      await expect.element(filters().getByRole("textbox", { name: display, exact: true })).toHaveValue("");
      await expect.element(filters().getByRole("combobox", { name: `Operator of ${display}` })).toHaveValue(operator);
    }
  });

  it("[SEARCH-05] is followed by the texts and filters of the next alone", async () => {
    await expectCount(filters().getByRole("textbox"), 3);
    await pick("flights");
    await expectForm(flights);
    await expect.element(filters().getByText(/^Aviation: Airports of the United States/)).toBeVisible();
    await expect.element(filters().getByText(/^Three million flights/)).toBeVisible();
    await expectCount(filters().getByRole("textbox"), 3);
    await expect.element(filters().getByRole("textbox", { name: "Origin", exact: true })).toBeVisible();
    await expect.element(filters().getByText(descriptionOf(storms).description)).not.toBeInTheDocument();
  });
});

it("[SEARCH-09] does not reload a cached description on selection", async () => {
  const describes = describeCount(airports);
  await openForm(airports);
  expect(describes()).toBe(1);
  const others = describeCount(flights);
  await pick("flights");
  await expectForm(flights);
  expect(others()).toBe(1);
  await pick("airports");
  await expectForm(airports);
  await pick("flights");
  await expectForm(flights);
  history.back();
  await expectForm(airports);
  expect(describes()).toBe(1);
  expect(others()).toBe(1);
});

it("[SEARCH-10] shows a failed description and retries it", async () => {
  const describes = describeCount(flights);
  gateway.refuse(datasets.describe, "internal", "The engine is away.", { times: 2 });
  await openScreen("/search");
  await pick("flights");
  const failure = page.getByRole("region", { name: "Filters", exact: true }).getByRole("alert");
  await expect.element(failure.getByText("Failed to load dataset filters", { exact: true })).toBeVisible();
  await expect.element(failure.getByText("The engine is away.", { exact: true })).toBeVisible();
  expect(describes()).toBe(1);
  await expect.element(searchButton()).not.toBeInTheDocument();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.poll(describes).toBe(2);
  await expect.element(failure).toBeVisible();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expectForm(flights);
  await expect.element(failure).not.toBeInTheDocument();
  expect(describes()).toBe(3);
});

it("cannot describe an inaccessible dataset, but others", async () => {
  gateway.refuse(datasets.describe, "not-found", "There is no such dataset.", { times: 1 });
  gateway.answer(datasets.list, [
    {
      id: "Aviation",
      description: "",
      datasets: ["trains", "airports"].map((datasetId) => ({
        datasetCategory: "Aviation",
        datasetId,
        description: "",
        supportsMapResults: false,
      })),
    },
  ]);
  await openScreen("/search");
  await pick("trains");
  await expect.element(page.getByRole("alert").getByText("Failed to load dataset filters", { exact: true })).toBeVisible();
  // A retry would fail as well.
  await expect.element(page.getByRole("alert").getByRole("button")).not.toBeInTheDocument();
  await pick("airports");
  await expectForm(airports);
});

it("[SEARCH-47] offers Sample only for datasets with SAMPLE", async () => {
  alterDescription(airports, (description) => ({
    ...description,
    features: description.features.filter((feature) => feature !== "SAMPLE"),
  }));
  await openForm(airports);
  await expect.element(searchButton()).toBeVisible();
  await expect.element(sampleButton()).not.toBeInTheDocument();
  await pick("flights");
  await expectForm(flights);
  await expect.element(sampleButton()).toBeVisible();
});
