import { graphTemplates } from "@fairway/contract/graph-templates";
import { savedSearches } from "@fairway/contract/saved-searches";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { openForm, pick, searchButton, storms } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { act, alterRows, expectSearch, header, katrina, openResults, searches, searchLink, shownColumns } from "#testing/results.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";
import { openSaved, savedDialog, savedButton } from "#testing/saved-dialog.ts";
import { setField } from "#testing/quick-fields.ts";

const [datasetCategory, datasetId] = storms;
const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });

const saveDialog = () => page.getByRole("dialog", { name: "Save Search Filters", exact: true });
const choice = (name: string) => savedDialog().getByRole("radio", { name, exact: true });
const inDialog = (name: string) => savedDialog().getByRole("button", { name, exact: true });
const serveSaved = (names: readonly string[]) => serveSavedSearches(names.map((name) => buildSavedSearch(name, query)));
/** The query of the newest saved search. */
const createdQuery = (): unknown => JSON.parse(gateway.received(savedSearches.create).at(-1)?.body.query ?? "null");

function logs(): () => string {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  return () => warn.mock.calls.flat().map(String).join("\n");
}

beforeEach(() => {
  serveDatasets(gateway);
  alterRows((rows) => rows.slice(0, 1));
});

describe("filters of results", () => {
  openOnce(async () => {
    serveSaved([]);
    await openResults(katrina);
  });

  const name = () => saveDialog().getByRole("textbox", { name: "Name" });
  const save = () => saveDialog().getByRole("button", { name: "Save", exact: true });

  it("[SAVED-08] say why they were not saved", async () => {
    await act("Save Search Filters");
    await setField(name(), "Refused");
    gateway.refuse(savedSearches.create, "internal", "The disk is full.", { times: 1 });
    await save().click();
    await expectText(saveDialog().getByRole("alert"), "Save failed: The disk is full.");
    await saveDialog().getByRole("button", { name: "Cancel", exact: true }).click();
    await expect.element(saveDialog()).not.toBeInTheDocument();
  });

  it("[SAVED-02][SAVED-06] are saved under a name", async () => {
    await act("Save Search Filters");
    await expect.element(name()).toHaveFocus();
    await expect.element(save()).toBeDisabled();
    await setField(name(), "  The big one ");
    await save().click();
    await expect
      .poll(() => gateway.received(savedSearches.create).at(-1)?.body)
      .toMatchObject({ datasetCategory, datasetId, queryName: "The big one" });
    expect(createdQuery()).toEqual({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
    await expect.element(saveDialog()).not.toBeInTheDocument();
  });

  it("[SAVED-09][SAVED-10] are loaded into the form, although the page loaded the list before they were saved", async () => {
    await act("Save Search Filters");
    await setField(name(), "Newer");
    await save().click();
    await expect.element(saveDialog()).not.toBeInTheDocument();
    await page.getByRole("link", { name: "Datasets", exact: true }).click();
    await pick("storm-tracks");
    await expect.element(searchButton()).toBeVisible();
    await savedButton().click();
    await expect.element(inDialog("Load")).toBeDisabled();
    await expect.element(inDialog("Delete")).toBeDisabled();
    await choice("Newer").click();
    await inDialog("Load").click();
    await expect.element(savedDialog()).not.toBeInTheDocument();
    await searchButton().click();
    await expect.poll(() => searches().at(-1)).toMatchObject({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
  });
});

it("[RESULT-45] has no filters to save for a sample", async () => {
  await openScreen(searchLink({ category: katrina.category, dataset: katrina.dataset, isSample: true }));
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Rerun Search", exact: true })).toBeEnabled();
  await expect.element(page.getByRole("menuitem", { name: "Save Search Filters", exact: true })).toBeDisabled();
});

it("[SESSION-22][SESSION-23] prefetches saved searches and graph templates after login; failures are only logged", async () => {
  gateway.refuse(savedSearches.list, "internal", "No searches today.");
  gateway.refuse(graphTemplates.list, "internal", "No templates today.");
  const logged = logs();
  await openScreen("/search");
  await expect.poll(logged).toContain("The saved searches could not be loaded");
  await expect.poll(logged).toContain("The graph templates could not be loaded");
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await expect.element(page.getByText(/No (searches|templates) today/)).not.toBeInTheDocument();
});

it("saves columns, order and view if selected, and restores them with the search", async () => {
  serveSaved([]);
  await openResults({ ...katrina, sort: [["wind", "desc"]] });
  await act("Show Column Visibility");
  await page.getByRole("checkbox", { name: "latitude", exact: true }).click();
  const shown = shownColumns();
  expect(shown).not.toContain("latitude");
  await page.getByText("Raw", { exact: true }).click();
  await act("Save Search Filters");
  await setField(saveDialog().getByRole("textbox", { name: "Name" }), "Strongest first");
  await setField(saveDialog().getByRole("textbox", { name: "Description" }), "For the morning report.");
  for (const part of ["Columns shown and their order", "Order of the rows", "View (table or raw)"]) {
    await expect.element(saveDialog().getByRole("checkbox", { name: part, exact: true })).not.toBeChecked();
    await saveDialog().getByRole("checkbox", { name: part, exact: true }).click();
  }
  await saveDialog().getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(saveDialog()).not.toBeInTheDocument();
  const saved = createdQuery() as { columns: string[] };
  expect(saved).toMatchObject({ sort: [{ column: "wind", direction: "desc" }], view: "raw" });
  expect(saved.columns).toEqual(expect.arrayContaining(shown));
  expect(saved.columns).not.toContain("latitude");
  await expect.element(saveDialog()).not.toBeInTheDocument();

  // As for another user: without preferred columns.
  localStorage.removeItem("fairway.user.preferences");
  await reloadScreen();
  await openSaved();
  await expect.element(savedDialog().getByText("For the morning report.", { exact: true })).toBeVisible();
  await setField(savedDialog().getByRole("searchbox"), "morning");
  await choice("Strongest first").click();
  await inDialog("Load").click();
  await expect
    .element(page.getByRole("status").filter({ hasText: "Strongest first" }))
    .toHaveTextContent("From the saved search Strongest first. The results show its columns, its order and its view (raw).");
  await searchButton().click();
  await expect.poll(() => searches().at(-1)).toMatchObject({ sort: [{ column: "wind", direction: "desc" }] });
  await expect.element(page.getByRole("treegrid", { name: "Raw results" })).toBeVisible();
  await page.getByText("Table", { exact: true }).click();
  await expect.element(header("wind")).toHaveAttribute("aria-sort", "descending");
  // Only visible ones: the columns panel is closed now.
  expect(shownColumns().slice(0, shown.length)).toEqual(shown);

  // The form still shows it; after forgetting, the search is like any other.
  await openForm(storms);
  await page.getByRole("button", { name: "Detach from Strongest first" }).click();
  await expect.element(page.getByText("From the saved search")).not.toBeInTheDocument();
  await searchButton().click();
  await expectSearch({ paging: { offset: 0, max: 25 }, filters: [{ name: "name", value: "Katrina", operator: "=" }] });
});
