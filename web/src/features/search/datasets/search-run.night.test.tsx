import { search } from "@fairway/contract/search";
import { expect, it, beforeEach } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import {
  airports,
  searchRequests,
  countries,
  expectForm,
  expectRows,
  openForm,
  searchButton,
  industries,
} from "#testing/datasets-screen.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { recentSearches } from "#testing/results.ts";
import { searchAirports } from "#testing/search-runs.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { setField } from "#testing/quick-fields.ts";

beforeEach(() => serveDatasets(gateway));

it("starts one search on a double click", async () => {
  const requests = searchRequests();
  await openForm(airports);
  await page.getByRole("textbox", { name: "State", exact: true }).fill("CO");
  await searchButton().dblClick();
  await expectRows("airports");
  await expectCount(recentSearches(), 1);
  expect(requests.searches).toHaveLength(1);
});

it("sends no paging to a dataset without PAGINATION", async () => {
  const requests = searchRequests();
  await openForm(countries);
  await page.getByRole("textbox", { name: "Region", exact: true }).fill("South Asia");
  await searchButton().click();
  await expectRows("country-development");
  const body = { filters: [{ name: "region", value: "South Asia", operator: "=" }] };
  expect(requests.searches).toEqual([{ dataset: "People & economy/country-development", body }]);
  expect(requests.counts.map((count) => count.body)).toEqual([body]);
  await expect.element(page.getByText("no more results to load", { exact: true })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Load More", exact: true })).not.toBeInTheDocument();
});

it("treats results that are null, a number or invalid JSON as an error that Retry repeats", async () => {
  const broken = ['{"results":null}', '{"results":7}', '{"results":"not JSON"}', '{"results":[1,2]}', "not JSON at all"];
  for (const text of broken.toReversed()) gateway.answerText(search.run, text, { times: 1 });
  await searchAirports();
  const failure = page.getByRole("alert").filter({ hasText: "Error getting search results." });
  for (const requests of broken.keys()) {
    await expect.poll(() => gateway.received(search.run).length).toBe(requests + 1);
    await expect.element(failure).toBeVisible();
    await expect.element(page.getByText("error performing search", { exact: true })).toBeVisible();
    await expect.element(page.getByRole("grid")).not.toBeInTheDocument();
    await expect.element(recentSearches().first()).toHaveTextContent("Failed");
    await failure.getByRole("button", { name: "Retry", exact: true }).click();
  }
  await expectRows("airports");
  await expect.element(page.getByText("error performing search", { exact: true })).not.toBeInTheDocument();
});

it("searches by Enter in a field and Control+Enter anywhere in the form", async () => {
  await openForm(airports);
  await page.getByRole("textbox", { name: "City", exact: true }).fill("Denver");
  await press("Enter");
  await expectRows("airports");
  await expect.element(page.getByRole("group", { name: "Filters applied" }).getByText("city = Denver", { exact: true })).toBeVisible();
  history.back();
  await expectForm(airports);
  await focus(page.getByRole("combobox", { name: "Operator of City", exact: true }));
  await press("Control+Enter");
  await expectRows("airports");
  await expectCount(recentSearches(), 2);

  // An open dialog disables the shortcuts of the form behind it.
  history.back();
  await expectForm(airports);
  await page.getByRole("button", { name: "Add filter", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Add filter" });
  await press("Control+Enter", dialog.getByLabelText("Value", { exact: true }));
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await expectForm(airports);
  await expectCount(recentSearches(), 2);
});

it("shows 'unknown total result count' for a dataset without COUNT", async () => {
  const requests = searchRequests();
  await openForm(industries);
  await setField(page.getByRole("textbox", { name: "Industry", exact: true }), "Construction");
  await searchButton().click();
  await expectRows("industry-unemployment");
  await expect.element(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Load More", exact: true }).click();
  await expect.element(page.getByText("40 rows loaded", { exact: true })).toBeVisible();
  await expect.element(page.getByText("unknown total result count", { exact: true })).toBeVisible();
  expect(requests.counts).toEqual([]);
  expect(requests.searches).toHaveLength(2);
});
