import { type DatasetDescription, datasets } from "@fairway/contract/datasets";
import { search } from "@fairway/contract/search";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { demoDataset, demoDatasets, serveDatasets } from "./demo-datasets.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { grid } from "./results.ts";

type Dataset = readonly [category: string, datasetId: string];

export const storms = ["Tropical weather", "storm-tracks"] as const;
export const dailyWeather = ["Tropical weather", "daily-weather"] as const;
export const earthquakes = ["Natural hazards", "earthquakes"] as const;
export const airports = ["Aviation", "airports"] as const;
export const birdStrikes = ["Aviation", "bird-strikes"] as const;
export const flights = ["Aviation", "flights"] as const;
export const industries = ["People & economy", "industry-unemployment"] as const;
export const countries = ["People & economy", "country-development"] as const;

/** Makes the gateway serve the search forms. A search returns one row: tests of the forms check the requests. */
export function serveSearchForms(): void {
  serveDatasets(gateway);
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 1) }));
}

/** Opens the search form of a dataset and waits for its filters. */
export async function openForm([category, dataset]: Dataset): Promise<void> {
  await openScreen(`/search?${new URLSearchParams({ category, dataset })}`);
  await expectForm([category, dataset]);
}

/** Waits for the search form of a dataset. */
export async function expectForm([, datasetId]: Dataset): Promise<void> {
  await expect.element(formOf(datasetId)).toBeVisible();
  await expect.element(page.getByRole("heading", { level: 2, name: datasetId, exact: true })).toBeVisible();
}

/** Samples a dataset from the datasets screen and waits for its rows. */
export async function sample(datasetId: string): Promise<void> {
  await page.getByRole("region", { name: "Choose a dataset" }).getByText(datasetId, { exact: true }).click();
  await sampleButton().click();
  await expectRows(datasetId);
}

/** Waits for the results screen of a dataset with rows. */
export async function expectRows(datasetId: string): Promise<void> {
  await expect.poll(() => location.pathname + location.hash).toMatch(/^\/search\/[\w-]+#/);
  await expect.element(page.getByRole("heading", { level: 1, name: datasetId })).toBeVisible();
  await expect.element(grid().getByRole("gridcell").first()).toBeVisible();
}

export const formOf = (datasetId: string): Locator => page.getByRole("form", { name: `Search ${datasetId}`, exact: true });
export const picker = (): Locator => page.getByRole("grid", { name: "Datasets", exact: true });
export const pick = (datasetId: string): Promise<void> => picker().getByRole("button", { name: datasetId, exact: true }).click();
export const searchButton = (): Locator => page.getByRole("main").getByRole("button", { name: "Search", exact: true });
export const sampleButton = (): Locator => page.getByRole("main").getByRole("button", { name: "Sample", exact: true });
/** The button that summarizes the time range and opens its dialog. */
export const timeRange = (): Locator => page.getByRole("button", { name: /^Time range:/ });
export const timeDialog = (): Locator => page.getByRole("dialog", { name: "Select Date and Time Range", exact: true });

/** All searches and counts so far, in order, with dataset and body. */
export function searchRequests() {
  const received = (route: typeof search.run | typeof search.aggregate) =>
    gateway.received(route).map(({ params: { category, datasetId }, body }) => ({ dataset: `${category}/${datasetId}`, body }));
  return {
    get searches() {
      return received(search.run);
    },
    get counts() {
      return received(search.aggregate);
    },
  };
}

/** The number of describe calls for a dataset. */
export const describeCount =
  ([, datasetId]: Dataset) =>
  (): number =>
    gateway.received(datasets.describe).filter(({ params }) => params.datasetId === datasetId).length;

/** Serves a changed description of a dataset. */
export function alterDescription([, datasetId]: Dataset, change: (description: DatasetDescription) => DatasetDescription): void {
  serveDatasets(
    gateway,
    demoDatasets().map(({ description, rows }) => ({
      description: description.datasetId === datasetId ? change(description) : description,
      rows,
    })),
  );
}
