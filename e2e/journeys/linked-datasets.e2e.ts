import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { airports, recordSearches, openForm } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows, recentSearches } from "../support/searches.ts";

const links = (page: Page) => page.getByRole("region", { name: "Linked datasets", exact: true });
const searchLinks = (page: Page) => links(page).getByRole("button", { name: "Search linked datasets", exact: true });
const equals = (name: string, value: string) => ({ name, value, operator: "=" });
const applied = (page: Page) => page.getByRole("group", { name: "Filters applied" });

test("[SEARCH-61][SEARCH-62] searching the linked datasets of a form opens a search for each with its own filters, and shows the last one", async ({
  page,
  signIn,
}) => {
  await signIn();
  const calls = recordSearches(page);
  await openForm(page, airports);
  // A link shows which filters it still needs.
  await expect(links(page).getByRole("listitem")).toHaveText([
    "Departuresflights, needs Airport code",
    "Arrivalsflights, needs Airport code",
    "Bird strikesbird-strikes, needs Airport code",
  ]);
  await expect(searchLinks(page)).toBeDisabled();
  // Only an "=" filter can be used for a link.
  await page.getByRole("textbox", { name: "Airport code", exact: true }).fill("DEN");
  await page.getByRole("combobox", { name: "Operator of Airport code", exact: true }).selectOption("<>");
  await expect(searchLinks(page)).toBeDisabled();
  await page.getByRole("combobox", { name: "Operator of Airport code", exact: true }).selectOption("=");
  await expect(links(page).getByRole("listitem").first()).toHaveText("Departuresflights, origin = DEN");

  await searchLinks(page).click();
  await expectRows(page, "bird-strikes");
  expect(calls.searches).toEqual([
    { path: "/api/datasets/Aviation/flights/search", body: { paging: { offset: 0, max: 25 }, filters: [equals("origin", "DEN")] } },
    { path: "/api/datasets/Aviation/flights/search", body: { paging: { offset: 0, max: 25 }, filters: [equals("destination", "DEN")] } },
    { path: "/api/datasets/Aviation/bird-strikes/search", body: { paging: { offset: 0, max: 25 }, filters: [equals("iata", "DEN")] } },
  ]);
  // The filter of the link is locked.
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
