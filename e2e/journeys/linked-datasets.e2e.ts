import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { airports, askedSearches, breakAnswer, describePath, flights, openForm, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { alterRows, cell, katrina, openResults } from "../support/results.ts";
import { expectRows, recentSearches } from "../support/searches.ts";

const links = (page: Page) => page.getByRole("region", { name: "Linked datasets", exact: true });
const searchLinks = (page: Page) => links(page).getByRole("button", { name: "Search linked datasets", exact: true });
const rowLinks = (page: Page) => page.getByRole("group", { name: "Linked datasets", exact: true });
const equals = (name: string, value: string) => ({ name, value, operator: "=" });
const applied = (page: Page) => page.getByRole("group", { name: "Filters applied" });

test("[SEARCH-61][SEARCH-62] the linked datasets of a form are searched, each by its own filters, and each is shown; the last one stays", async ({
  page,
  signIn,
}) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, airports);
  // A link says what it still needs.
  await expect(links(page).getByRole("listitem")).toHaveText([
    "Departuresflights, needs Airport code",
    "Arrivalsflights, needs Airport code",
    "Bird strikesbird-strikes, needs Airport code",
  ]);
  await expect(searchLinks(page)).toBeDisabled();
  // Only what a column is to equal can be linked by.
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  await page.getByRole("combobox", { name: "Operator of Airport code", exact: true }).selectOption("<>");
  await expect(searchLinks(page)).toBeDisabled();
  await page.getByRole("combobox", { name: "Operator of Airport code", exact: true }).selectOption("=");
  await expect(links(page).getByRole("listitem").first()).toHaveText("Departuresflights, origin = DEN");

  await searchLinks(page).click();
  await expectRows(page, "bird-strikes");
  expect(asked.searches).toEqual([
    { path: "/api/datasets/Aviation/flights/search", body: { paging: { offset: 0, max: 25 }, filters: [equals("origin", "DEN")] } },
    { path: "/api/datasets/Aviation/flights/search", body: { paging: { offset: 0, max: 25 }, filters: [equals("destination", "DEN")] } },
    { path: "/api/datasets/Aviation/bird-strikes/search", body: { paging: { offset: 0, max: 25 }, filters: [equals("iata", "DEN")] } },
  ]);
  // Its filter came with the link: it stands locked.
  await expect(applied(page).getByText("iata = DEN", { exact: true })).toBeVisible();
  await expect(applied(page).getByRole("button", { name: /iata/ })).toHaveCount(0);
  await expect(recentSearches(page)).toHaveCount(3);
  await page.goBack();
  await expectRows(page, "flights");
  await expect(applied(page).getByText("destination = DEN", { exact: true })).toBeVisible();
  await page.goBack();
  await expect(applied(page).getByText("origin = DEN", { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("textbox", { name: "Airport code", exact: true })).toHaveValue("DEN");
  expect(await axeViolations(page)).toEqual([]);
});

test("[SEARCH-61][SEARCH-62] a row leads to its linked datasets, one by one or all together", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, { category: flights[0], dataset: flights[1], filters: [["origin", "=", "DEN"]] });
  const destination = await cell(page, 1, "destination").innerText();
  const asked = askedSearches(page);
  await cell(page, 1, "origin").focus();
  await page.keyboard.press("Enter");
  await expect(rowLinks(page).getByRole("button")).toHaveText(["Origin airport", "Destination airport", "Search all linked datasets"]);
  expect(await axeViolations(page, { within: ["[aria-label='Row details']"] })).toEqual([]);
  await rowLinks(page).getByRole("button", { name: "Destination airport", exact: true }).press("Enter");
  await expectRows(page, "airports");
  await expect(applied(page).getByText(`iata = ${destination}`, { exact: true })).toBeVisible();
  expect(asked.searches.map(({ body }) => (body as { filters: unknown }).filters)).toEqual([[equals("iata", destination)]]);

  await page.goBack();
  await expectRows(page, "flights");
  // Beside what a cell under the pointer offers.
  await cell(page, 1, "date").click({ position: { x: 8, y: 8 } });
  await rowLinks(page).getByRole("button", { name: "Search all linked datasets", exact: true }).click();
  await expect(applied(page).getByText(`iata = ${destination}`, { exact: true })).toBeVisible();
  await expect.poll(() => asked.searches.length).toBe(3);
  expect(asked.searches.slice(1).map(({ body }) => (body as { filters: unknown }).filters)).toEqual([
    [equals("iata", "DEN")],
    [equals("iata", destination)],
  ]);
});

test("[SEARCH-61] a link whose dataset is gone says so, and the others are searched", async ({ page, signIn, expectComplaints }) => {
  await signIn();
  await breakAnswer(page, describePath(["Aviation", "bird-strikes"]), "There is no dataset 'bird-strikes' in 'Aviation'.", 404);
  await openForm(page, airports);
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  await searchLinks(page).click();
  const failure = page.getByRole("alert").filter({ hasText: "Linked dataset not searched" });
  await expect(failure).toContainText("Bird strikes: There is no dataset 'bird-strikes' in 'Aviation'.");
  await expectRows(page, "flights");
  await expect(recentSearches(page)).toHaveCount(2);
  expectComplaints(/bird-strikes/);
});

test("a row without the value that a link needs offers it, but not to press", async ({ page, signIn }) => {
  await signIn();
  await alterRows(page, (rows) => rows.map((row) => ({ ...row, storm_id: null })));
  await openResults(page, katrina);
  await cell(page, 1, "name").click();
  await expect(rowLinks(page).getByRole("button", { name: "Whole track", exact: true })).toBeDisabled();
  await openForm(page, storms);
  await expect(searchLinks(page)).toBeDisabled();
});
