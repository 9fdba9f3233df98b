import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { airports, searchRequests, expectRows, flights, openForm } from "#testing/datasets-screen.ts";
import { demoDataset, demoDatasets } from "#testing/demo-datasets.ts";
import { focus, press } from "#testing/keyboard.ts";
import { cell, openResults, recentSearches } from "#testing/results.ts";
import { serve, links, searchLinks, rowLinks } from "#testing/linked-datasets.ts";

beforeEach(() => serve(demoDatasets()));

const equals = (name: string, value: string) => ({ name, value, operator: "=" });
const applied = () => page.getByRole("group", { name: "Filters applied" });

it("[SEARCH-61][SEARCH-62] searches the linked datasets of a form by their filters and shows each, the last one finally; axe finds no violations in the form", async () => {
  const requests = searchRequests();
  await openForm(airports);
  // Links name the values they need.
  await expectTexts(links().getByRole("listitem"), [
    "Departuresflights, needs Airport code",
    "Arrivalsflights, needs Airport code",
    "Bird strikesbird-strikes, needs Airport code",
  ]);
  await expect.element(searchLinks()).toBeDisabled();
  // Links use only equality filters.
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  await page.getByRole("combobox", { name: "Operator of Airport code", exact: true }).selectOptions("<>");
  await expect.element(searchLinks()).toBeDisabled();
  await page.getByRole("combobox", { name: "Operator of Airport code", exact: true }).selectOptions("=");
  await expectText(links().getByRole("listitem").first(), "Departuresflights, origin = DEN");

  await searchLinks().click();
  await expectRows("bird-strikes");
  expect(requests.searches).toEqual([
    { dataset: "Aviation/flights", body: { paging: { offset: 0, max: 25 }, filters: [equals("origin", "DEN")] } },
    { dataset: "Aviation/flights", body: { paging: { offset: 0, max: 25 }, filters: [equals("destination", "DEN")] } },
    { dataset: "Aviation/bird-strikes", body: { paging: { offset: 0, max: 25 }, filters: [equals("iata", "DEN")] } },
  ]);
  // The filter of the link is locked.
  await expect.element(applied().getByText("iata = DEN", { exact: true })).toBeVisible();
  await expect.element(applied().getByRole("button", { name: /iata/ })).not.toBeInTheDocument();
  await expectCount(recentSearches(), 3);
  history.back();
  await expectRows("flights");
  await expect.element(applied().getByText("destination = DEN", { exact: true })).toBeVisible();
  history.back();
  await expect.element(applied().getByText("origin = DEN", { exact: true })).toBeVisible();
  history.back();
  await expect.element(page.getByRole("textbox", { name: "Airport code", exact: true })).toHaveValue("DEN");
  expect(await axeViolations()).toEqual([]);
});

it("[SEARCH-61][SEARCH-62] opens the linked datasets of a row one by one or all together", async () => {
  await openResults({ category: flights[0], dataset: flights[1], filters: [["origin", "=", "DEN"]] });
  const destination = cell(1, "destination").element().textContent;
  const requests = searchRequests();
  await focus(cell(1, "origin"));
  await press("Enter");
  await expectTexts(rowLinks().getByRole("button"), ["Origin airport", "Destination airport", "Search all linked datasets"]);
  await press("Enter", rowLinks().getByRole("button", { name: "Destination airport", exact: true }));
  await expectRows("airports");
  await expect.element(applied().getByText(`iata = ${destination}`, { exact: true })).toBeVisible();
  expect(requests.searches.slice(1).map(({ body }) => body.filters)).toEqual([[equals("iata", destination)]]);

  history.back();
  await expectRows("flights");
  // Between the checkbox and the buttons of the hovered cell.
  await cell(1, "date").click({ position: { x: 40, y: 8 } });
  await rowLinks().getByRole("button", { name: "Search all linked datasets", exact: true }).click();
  await expect.element(applied().getByText(`iata = ${destination}`, { exact: true })).toBeVisible();
  await expect.poll(() => requests.searches.length).toBe(4);
  expect(requests.searches.slice(2).map(({ body }) => body.filters)).toEqual([[equals("iata", "DEN")], [equals("iata", destination)]]);
});

it("[SEARCH-61] reports a link to a missing dataset and searches the others", async () => {
  serve(demoDatasets().filter(({ description }) => description.datasetId !== "bird-strikes"));
  await openForm(airports);
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  await searchLinks().click();
  const failure = page.getByRole("alert").filter({ hasText: "Linked dataset not searched" });
  await expect.element(failure).toHaveTextContent("Bird strikes: There is no such dataset.");
  await expectRows("flights");
  await expectCount(recentSearches(), 2);
});

it("[SEARCH-61] reports a link that lacks a required filter of its dataset and searches the others", async () => {
  const strikes = demoDataset("bird-strikes");
  const filterSupport = { ...strikes.description.filterSupport, requiredOrFields: ["species"] };
  const others = demoDatasets().filter(({ description }) => description.datasetId !== "bird-strikes");
  serve([...others, { ...strikes, description: { ...strikes.description, filterSupport } }]);
  await openForm(airports);
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  await searchLinks().click();
  const failure = page.getByRole("alert").filter({ hasText: "Linked dataset not searched" });
  await expect.element(failure).toHaveTextContent("Bird strikes: To perform a search, you must add one of the following filters");
  await expectRows("flights");
  await expectCount(recentSearches(), 2);
});
