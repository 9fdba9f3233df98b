import { datasets } from "@fairway/contract/datasets";
import { expect, it, beforeEach } from "vitest";
import { page } from "vitest/browser";
import { airports, alterDescription, expectForm, flights, pick, searchButton, storms, picker } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectAddress } from "#testing/assertions.ts";

beforeEach(() => serveDatasets(gateway));

it("explains why a dataset cannot be read and retries", async () => {
  const missing = "This dataset cannot be searched: its data files are missing.";
  // The client retries once by itself.
  gateway.refuse(datasets.describe, "not-ready", missing, { times: 2 });
  await openScreen("/search");
  await pick("flights");
  const failure = page.getByRole("alert");
  await expect.element(failure).toHaveTextContent("its data files are missing");
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expectForm(flights);
});

it("shows a skeleton below the name while the description loads", async () => {
  await openScreen("/search");
  const release = gateway.hold(datasets.describe, ({ params }) => params.datasetId === "storm-tracks");
  await pick("storm-tracks");
  const filters = page.getByRole("region", { name: "Filters", exact: true });
  await expect.element(filters.getByRole("status", { name: "Loading dataset filters" })).toBeVisible();
  await expect.element(filters.getByRole("heading", { level: 2, name: "storm-tracks" })).toBeVisible();
  await expect.element(searchButton()).not.toBeInTheDocument();
  // Another dataset is not blocked meanwhile.
  await pick("airports");
  await expectForm(airports);
  release();
  await pick("storm-tracks");
  await expectForm(storms);
  await expect.element(filters.getByRole("status", { name: "Loading dataset filters" })).not.toBeInTheDocument();
});

it("offers the ranges of the data once their extent was computed", async () => {
  alterDescription(flights, (description) => ({ ...description, timeExtent: null }));
  await openScreen("/search");
  await pick("flights");
  await expectForm(flights);
  const newestDay = page.getByRole("button", { name: "Newest day", exact: true });
  await expect.element(newestDay).not.toBeInTheDocument();
  serveDatasets(gateway);
  await expect.element(newestDay, { timeout: 15_000 }).toBeVisible();
});

it("navigates between selected datasets with Back and Forward, and opens the selection of an address", async () => {
  await openScreen("/search");
  await pick("storm-tracks");
  await expectForm(storms);
  await pick("flights");
  await expectForm(flights);
  await expectAddress("/search?category=Aviation&dataset=flights");
  history.back();
  await expectForm(storms);
  await expect
    .element(picker().getByRole("row", { selected: true }).getByRole("button", { name: "storm-tracks", exact: true }))
    .toBeVisible();
  history.back();
  await expect.element(page.getByRole("heading", { level: 2, name: /searches, maps and charts/ })).toBeVisible();
  history.forward();
  await expectForm(storms);
});

it("shows an overview of datasets before a selection", async () => {
  await openScreen("/search");
  const aviation = page.getByRole("region", { name: "Aviation" });
  await expect
    .element(aviation.getByText("Airports of the United States, the flights between them and the birds in their way."))
    .toBeVisible();
  await aviation.getByRole("button", { name: /^flights Three million flights/ }).click();
  await expectAddress("/search?category=Aviation&dataset=flights");
});
