import { accessList, type DatasetDescription } from "@fairway/contract/datasets";
import {
  airports,
  alterAnswer,
  alterDescription,
  breakAnswer,
  countRequests,
  describePath,
  expectForm,
  flights,
  formOf,
  holdAnswer,
  openForm,
  pick,
  picker,
  sampleButton,
  searchButton,
  storms,
} from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";

test("[SEARCH-04][SEARCH-05][SEARCH-06][SEARCH-08] selecting a dataset describes it, and its filters are set up from the answer", async ({
  page,
  signIn,
}) => {
  await signIn();
  await page.goto("/search");
  await expect(searchButton(page)).toHaveCount(0);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === describePath(storms)),
    pick(page, "storm-tracks"),
  ]);
  expect(answer.request().method()).toBe("GET");
  const { category, description, filterSupport } = (await answer.json()) as DatasetDescription;
  await expectForm(page, storms);
  const form = formOf(page, "storm-tracks");
  await expect(form.getByText(`${category.id}: ${category.description}`, { exact: true })).toBeVisible();
  await expect(form.getByText(description, { exact: true })).toBeVisible();
  const filters = page.getByRole("region", { name: "Filters", exact: true });
  expect(filterSupport.staticFilters.map(({ display }) => display)).toEqual(["Storm name", "Storm id", "Wind at least"]);
  for (const { display, operator } of filterSupport.staticFilters) {
    await expect(filters.getByRole("textbox", { name: display, exact: true })).toHaveValue("");
    await expect(filters.getByRole("combobox", { name: `Operator of ${display}` })).toHaveValue(operator);
  }
  await expect(sampleButton(page)).toBeVisible();
  await expect(searchButton(page)).toBeVisible();

  // The next selection: its own texts and filters, nothing of the last.
  await pick(page, "flights");
  await expectForm(page, flights);
  await expect(filters.getByText(/^Aviation: Airports of the United States/)).toBeVisible();
  await expect(filters.getByText(/^Three million flights/)).toBeVisible();
  await expect(filters.getByRole("textbox")).toHaveCount(3);
  await expect(filters.getByRole("textbox", { name: "Origin", exact: true })).toBeVisible();
  await expect(filters.getByText(description)).toHaveCount(0);
});

test("[SEARCH-09] a description that was loaded is not loaded again on selection", async ({ page, signIn }) => {
  await signIn();
  const describes = countRequests(page, describePath(airports));
  await openForm(page, airports);
  expect(describes()).toBe(1);
  const others = countRequests(page, describePath(flights));
  await pick(page, "flights");
  await expectForm(page, flights);
  expect(others()).toBe(1);
  await pick(page, "airports");
  await expectForm(page, airports);
  await pick(page, "flights");
  await expectForm(page, flights);
  await page.goBack();
  await expectForm(page, airports);
  expect(describes()).toBe(1);
  expect(others()).toBe(1);
});

test("[SEARCH-10] a description that fails to load says so; Retry loads it again", async ({ page, signIn }) => {
  await signIn();
  const path = describePath(flights);
  const describes = countRequests(page, path);
  const mend = await breakAnswer(page, path, "The engine is away.");
  await page.goto("/search");
  await pick(page, "flights");
  const failure = page.getByRole("region", { name: "Filters", exact: true }).getByRole("alert");
  await expect(failure.getByText("Failed to load dataset filters", { exact: true })).toBeVisible();
  await expect(failure.getByText("The engine is away.", { exact: true })).toBeVisible();
  expect(describes()).toBe(1);
  await expect(searchButton(page)).toHaveCount(0);
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.poll(describes).toBe(2);
  await expect(failure).toBeVisible();
  await mend();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expectForm(page, flights);
  await expect(failure).toHaveCount(0);
  expect(describes()).toBe(3);
});

test("a dataset that is no longer open to the user cannot be described, and others still can", async ({ page, signIn }) => {
  await signIn();
  await alterAnswer(page, "/api/datasets", (answer) =>
    accessList.parse(answer).map(({ id, description, datasets }) => ({
      id,
      description,
      datasets: datasets.map((dataset) => (dataset.datasetId === "flights" ? { ...dataset, datasetId: "trains" } : dataset)),
    })),
  );
  await page.goto("/search");
  await pick(page, "trains");
  await expect(page.getByRole("alert").getByText("Failed to load dataset filters", { exact: true })).toBeVisible();
  // Another try would be refused as well.
  await expect(page.getByRole("alert").getByRole("button")).toHaveCount(0);
  await pick(page, "airports");
  await expectForm(page, airports);
});

test("a dataset whose data cannot be read says why, and can be tried again once they are there", async ({ page, signIn }) => {
  await signIn();
  const mend = await breakAnswer(page, describePath(flights), "This dataset cannot be searched: its data files are missing.", 503);
  await page.goto("/search");
  await pick(page, "flights");
  const failure = page.getByRole("alert");
  await expect(failure).toContainText("its data files are missing");
  await mend();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expectForm(page, flights);
});

test("a slow description shows a skeleton below the dataset's name", async ({ page, signIn }) => {
  await signIn();
  const release = await holdAnswer(page, describePath(storms));
  await page.goto("/search");
  await pick(page, "storm-tracks");
  const filters = page.getByRole("region", { name: "Filters", exact: true });
  await expect(filters.getByRole("status", { name: "Loading dataset filters" })).toBeVisible();
  await expect(filters.getByRole("heading", { level: 2, name: "storm-tracks" })).toBeVisible();
  await expect(searchButton(page)).toHaveCount(0);
  // Another dataset in the meantime is not held up.
  await pick(page, "airports");
  await expectForm(page, airports);
  release();
  await pick(page, "storm-tracks");
  await expectForm(page, storms);
  await expect(filters.getByRole("status", { name: "Loading dataset filters" })).toHaveCount(0);
});

test("[SEARCH-47] Sample is offered only where the dataset has SAMPLE", async ({ page, signIn }) => {
  await signIn();
  await alterDescription(page, airports, (description) => ({
    ...description,
    features: description.features.filter((feature) => feature !== "SAMPLE"),
  }));
  await openForm(page, airports);
  await expect(searchButton(page)).toBeVisible();
  await expect(sampleButton(page)).toHaveCount(0);
  await pick(page, "flights");
  await expectForm(page, flights);
  await expect(sampleButton(page)).toBeVisible();
});

test("Back and Forward move between the chosen datasets, and the address opens the choice", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await pick(page, "storm-tracks");
  await expectForm(page, storms);
  await pick(page, "flights");
  await expectForm(page, flights);
  await expect(page).toHaveURL("/search?category=Aviation&dataset=flights");
  await page.goBack();
  await expectForm(page, storms);
  await expect(picker(page).getByRole("row", { selected: true }).getByRole("button", { name: "storm-tracks", exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 2, name: "Choose a dataset to search" })).toBeVisible();
  await page.goForward();
  await expectForm(page, storms);
});

test("a newcomer reads what there is before choosing", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  const aviation = page.getByRole("region", { name: "Aviation" });
  await expect(aviation.getByText("Airports of the United States, the flights between them and the birds in their way.")).toBeVisible();
  await aviation.getByRole("button", { name: /^flights Three million flights/ }).click();
  await expect(page).toHaveURL("/search?category=Aviation&dataset=flights");
});
