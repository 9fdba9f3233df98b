import { savedSearches } from "@fairway/contract/saved-searches";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText } from "#testing/assertions.ts";
import { expectRows, openForm, searchButton, storms, timeDialog, timeRange } from "#testing/datasets-screen.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, alterRows, katrina, openResults, searches } from "#testing/results.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";
import { openSaved, savedDialog, savedButton } from "#testing/saved-dialog.ts";

const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });

const saveDialog = () => page.getByRole("dialog", { name: "Save Search Filters", exact: true });
const choice = (name: string) => savedDialog().getByRole("radio", { name, exact: true });
const inDialog = (name: string) => savedDialog().getByRole("button", { name, exact: true });
const serveSaved = (names: readonly string[]) => serveSavedSearches(names.map((name) => buildSavedSearch(name, query)));
/** The query of the newest saved search. */
const createdQuery = (): unknown => JSON.parse(gateway.received(savedSearches.create).at(-1)?.body.query ?? "null");

beforeEach(() => alterRows((rows) => rows.slice(0, 1)));

it("saves a relative range as such, with its start and end", async () => {
  const startMs = Date.UTC(2005, 7, 30, 6, 7, 8);
  vi.setSystemTime(startMs);
  serveSaved([]);
  await openForm(storms);
  await timeRange().click();
  await timeDialog().getByRole("button", { name: "Last 7 days", exact: true }).click();
  await timeDialog().getByRole("button", { name: "Done", exact: true }).click();
  await searchButton().click();
  await expectRows("storm-tracks");
  await act("Save Search Filters");
  await saveDialog().getByRole("textbox", { name: "Name" }).fill("This week");
  await saveDialog().getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(saveDialog()).not.toBeInTheDocument();
  expect(createdQuery()).toEqual({
    timeRange: { start: "2005-08-23T06:07:08.000Z", end: "2005-08-30T06:07:08.000Z", last: "7d" },
    filters: [],
  });
  await expect.element(saveDialog()).not.toBeInTheDocument();

  await openForm(storms);
  await page.getByRole("button", { name: "Clear time range" }).click();
  vi.setSystemTime(startMs + 86_400_000);
  await savedButton().click();
  await choice("This week").click();
  await inDialog("Load").click();
  await expectText(timeRange(), "Time range: Last 7 days");
  await searchButton().click();
  await expect
    .poll(() => searches().at(-1))
    .toMatchObject({ timeRange: { start: "2005-08-24T06:07:08.000Z", end: "2005-08-31T06:07:08.000Z" } });
});

it("refuses a duplicate name and can replace the existing search", async () => {
  const existing = JSON.stringify({ filters: [{ name: "name", value: "Rita", operator: "=" }] });
  serveSavedSearches([buildSavedSearch("Of the day", existing, { description: "Changes every morning" })]);
  await openResults(katrina);
  await act("Save Search Filters");
  const name = saveDialog().getByRole("textbox", { name: "Name" });
  const replace = saveDialog().getByRole("button", { name: "Replace", exact: true });
  await name.fill("of the DAY");
  await expect.element(replace).not.toBeInTheDocument();
  await press("Enter", name);
  await expectText(saveDialog().getByRole("alert"), "Save failed: A saved search with this name already exists for this dataset.");
  await expect.element(replace).toBeVisible();
  // Another name creates another search.
  await name.fill("Of the night");
  await expect.element(replace).not.toBeInTheDocument();
  await name.fill("of the DAY");
  await replace.click();
  await expect.poll(() => gateway.received(savedSearches.edit).at(-1)?.body).toEqual({ queryName: "of the DAY", query });
  await expect.element(saveDialog()).not.toBeInTheDocument();
  await openSaved();
  await expectCount(savedDialog().getByRole("radio"), 1);
  await expect.element(savedDialog().getByText("Changes every morning", { exact: true })).toBeVisible();
  await choice("of the DAY").click();
  await inDialog("Load").click();
  await expect.element(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
});
