import { graphTemplates } from "@fairway/contract/graph-templates";
import { type SavedSearch, savedSearches } from "@fairway/contract/saved-searches";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { alterDescription, expectRows, openForm, searchButton, storms, timeDialog, timeRange } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { focus, press, type } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, expectSearch, header, katrina, openResults, searchLink, shownColumns } from "#testing/results.ts";

beforeEach(() => {
  serveDatasets(gateway);
  serveSaved([]);
});

/** A gateway that keeps saved searches, with those of these names to begin with. */
function serveSaved(names: readonly string[], text = query, description = ""): void {
  const kept: SavedSearch[] = names.map((queryName) => savedSearch(queryName, text, description));
  const isTaken = (name: string, id?: string) => kept.some((one) => one.id !== id && one.queryName.toLowerCase() === name.toLowerCase());
  const taken = () => new Refused("name-taken", "A saved search with this name already exists for this dataset.", "queryName");
  gateway.answer(savedSearches.list, () => kept);
  gateway.answer(savedSearches.shared, []);
  gateway.answer(savedSearches.create, ({ body }) => {
    if (isTaken(body.queryName)) throw taken();
    const made = savedSearch(body.queryName, body.query ?? "", body.description);
    kept.push(made);
    return made;
  });
  gateway.answer(savedSearches.edit, ({ params, body }) => {
    const found = kept.find(({ id }) => id === params.id);
    if (!found) throw new Refused("not-found", "There is no such saved search.");
    if (isTaken(body.queryName, found.id)) throw taken();
    const { query: changed = found.query, description: described = found.description } = body;
    return Object.assign(found, { queryName: body.queryName, query: changed, queryJson: changed, description: described });
  });
  gateway.answer(savedSearches.remove, ({ body }) => {
    kept.splice(
      kept.findIndex(({ queryName }) => queryName === body.queryName),
      1,
    );
    return undefined;
  });
}

const savedSearch = (queryName: string, text: string, description: string): SavedSearch => ({
  datasetCategory,
  datasetId,
  id: `id of ${queryName}`,
  queryName,
  description,
  query: text,
  queryJson: text,
  sharedWithRoles: [],
  createdDateMs: 0,
});

/** What the newest saved search holds. */
const sentQuery = (): unknown => JSON.parse(gateway.received(savedSearches.create).at(-1)?.body.query ?? "null");

const [datasetCategory, datasetId] = storms;
const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });

const saveDialog = () => page.getByRole("dialog", { name: "Save Search Filters", exact: true });
const savedDialog = () => page.getByRole("dialog", { name: "Saved search filters", exact: true });
const savedButton = () => page.getByRole("button", { name: "Saved search filters", exact: true });
const choice = (name: string) => savedDialog().getByRole("radio", { name, exact: true });
const inDialog = (name: string) => savedDialog().getByRole("button", { name, exact: true });

/** The saved searches of storm tracks, as its form shows them. */
async function openSaved(): Promise<void> {
  await openForm(storms);
  await savedButton().click();
  await expect.element(savedDialog()).toBeVisible();
}

it("[SAVED-02][SAVED-06][SAVED-08][SAVED-09][SAVED-10] filters are saved under a name from the results and loaded into the form", async () => {
  serveSaved([]);
  await openResults(katrina);
  await act("Save Search Filters");
  const save = saveDialog().getByRole("button", { name: "Save", exact: true });
  await expect.element(saveDialog().getByRole("textbox", { name: "Name" })).toHaveFocus();
  await expect.element(save).toBeDisabled();
  await saveDialog().getByRole("textbox", { name: "Name" }).fill("  The big one ");

  gateway.refuse(savedSearches.create, "internal", "The disk is full.", { times: 1 });
  await save.click();
  await expectText(saveDialog().getByRole("alert"), "Save failed: The disk is full.");
  await save.click();
  await expect.element(saveDialog()).not.toBeInTheDocument();
  const [, body] = gateway.received(savedSearches.create).map((call) => call.body);
  expect(body).toMatchObject({ datasetCategory, datasetId, queryName: "The big one" });
  expect(JSON.parse(body?.query ?? "")).toEqual({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
  await expect.element(saveDialog()).not.toBeInTheDocument();

  await openForm(storms);
  await expect.element(searchButton()).toBeVisible();
  await savedButton().click();
  await expect.element(inDialog("Load")).toBeDisabled();
  await expect.element(inDialog("Delete")).toBeDisabled();
  await choice("The big one").click();
  await inDialog("Load").click();
  await expect.element(savedDialog()).not.toBeInTheDocument();
  await searchButton().click();
  await expectSearch(expect.objectContaining({ filters: [{ name: "name", value: "Katrina", operator: "=" }] }));
});

it("[SAVED-09][SAVED-11][SAVED-12] a saved search is deleted after a question, at once, and comes back when the server refuses", async () => {
  serveSaved(["Katrina", "Rita"]);
  await openForm(storms);
  await savedButton().click();
  await expectCount(savedDialog().getByRole("radio"), 2);
  await savedDialog().getByRole("searchbox").fill("kat");
  await expectCount(savedDialog().getByRole("radio"), 1);
  await choice("Katrina").click();
  const question = page.getByRole("dialog", { name: "Delete Saved Search?" });
  await inDialog("Delete").click();
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(choice("Katrina")).toBeVisible();
  // Escape closes the question alone.
  await inDialog("Delete").click();
  await expect.element(question).toBeVisible();
  await press("Escape");
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(choice("Katrina")).toBeVisible();

  gateway.refuse(savedSearches.remove, "internal", "The disk is full.", { times: 1 });
  const refuse = gateway.hold(savedSearches.remove);
  await inDialog("Delete").click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(choice("Katrina")).not.toBeInTheDocument();
  refuse();
  await expectText(savedDialog().getByRole("alert"), "Delete failed: The disk is full.");
  await expect.element(choice("Katrina")).toBeVisible();

  await inDialog("Delete").click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect
    .poll(() => gateway.received(savedSearches.remove).at(-1)?.body)
    .toEqual({ datasetCategory, datasetId, queryName: "Katrina", query });
  await expect.element(choice("Katrina")).not.toBeInTheDocument();
  await savedDialog().getByRole("searchbox").fill("");
  await expect.element(choice("Rita")).toBeVisible();
  await inDialog("Cancel").click();
  await expect.element(savedDialog()).not.toBeInTheDocument();
});

it("[RESULT-45] a sample has no filters to save", async () => {
  await openScreen(searchLink({ category: katrina.category, dataset: katrina.dataset, isSample: true }));
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Rerun Search", exact: true })).toBeEnabled();
  await expect.element(page.getByRole("menuitem", { name: "Save Search Filters", exact: true })).toBeDisabled();
});

it("[SESSION-22][SESSION-23] saved searches and graph templates are fetched with the login; a failure is only logged", async () => {
  gateway.refuse(savedSearches.list, "internal", "No searches today.");
  gateway.refuse(graphTemplates.list, "internal", "No templates today.");
  const logged = vi.spyOn(console, "warn").mockReturnValue(undefined);
  await openScreen("/search");
  for (const what of ["The saved searches could not be loaded:", "The graph templates could not be loaded:"]) {
    await expect.poll(() => logged.mock.calls.map(([text]) => String(text))).toContain(what);
  }
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await expect.element(page.getByText(/No (searches|templates) today/)).not.toBeInTheDocument();
});

it("columns, order and view are saved when ticked, and come back with the search", async () => {
  serveSaved([]);
  await openResults({ ...katrina, sort: [["wind", "desc"]] });
  await act("Show Column Visibility");
  await page.getByRole("checkbox", { name: "latitude", exact: true }).click();
  const shown = shownColumns();
  expect(shown).not.toContain("latitude");
  await page.getByText("Raw", { exact: true }).click();
  await act("Save Search Filters");
  await saveDialog().getByRole("textbox", { name: "Name" }).fill("Strongest first");
  await saveDialog().getByRole("textbox", { name: "Description" }).fill("For the morning report.");
  for (const part of ["Columns shown and their order", "Order of the rows", "View (table or raw)"]) {
    await expect.element(saveDialog().getByRole("checkbox", { name: part, exact: true })).not.toBeChecked();
    await saveDialog().getByRole("checkbox", { name: part, exact: true }).click();
  }
  await saveDialog().getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(saveDialog()).not.toBeInTheDocument();
  const saved = sentQuery() as { columns: string[] };
  expect(saved).toMatchObject({ sort: [{ column: "wind", direction: "desc" }], view: "raw" });
  expect(saved.columns).toEqual(expect.arrayContaining(shown));
  expect(saved.columns).not.toContain("latitude");
  await expect.element(saveDialog()).not.toBeInTheDocument();

  // On another machine: nothing of the first one is in the browser.
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith("fairway.columns."))) localStorage.removeItem(key);
  await openSaved();
  await expect.element(savedDialog().getByText("For the morning report.", { exact: true })).toBeVisible();
  await savedDialog().getByRole("searchbox").fill("morning");
  await choice("Strongest first").click();
  await inDialog("Load").click();
  await expect
    .element(page.getByRole("status").filter({ hasText: "Strongest first" }))
    .toHaveTextContent("From the saved search Strongest first. The results show its columns, its order and its view (raw).");
  await searchButton().click();
  await expectSearch(expect.objectContaining({ sort: [{ column: "wind", direction: "desc" }] }));
  await expect.element(page.getByRole("treegrid", { name: "Raw results" })).toBeVisible();
  await page.getByText("Table", { exact: true }).click();
  await expect.element(header("wind")).toHaveAttribute("aria-sort", "descending");
  // Those in sight: the panel of columns stands no longer beside the table.
  expect(shownColumns().slice(0, shown.length)).toEqual(shown);

  // Back at the form it is still said; forgotten, the search is like any other.
  await openForm(storms);
  await page.getByRole("button", { name: "Forget that the filters came from Strongest first" }).click();
  await expect.element(page.getByText("From the saved search")).not.toBeInTheDocument();
  await searchButton().click();
  await expectSearch({ paging: { offset: 0, max: 25 }, filters: [{ name: "name", value: "Katrina", operator: "=" }] });
});

it("[SAVED-04] a range that follows the clock is saved as such, with the start and end that it had", async () => {
  const begun = Date.UTC(2005, 7, 30, 6, 7, 8);
  vi.setSystemTime(begun);
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
  expect(sentQuery()).toEqual({
    timeRange: { start: "2005-08-23T06:07:08.000Z", end: "2005-08-30T06:07:08.000Z", last: "7d" },
    filters: [],
  });
  await expect.element(saveDialog()).not.toBeInTheDocument();

  await openForm(storms);
  await page.getByRole("button", { name: "Clear time range" }).click();
  vi.setSystemTime(begun + 86_400_000);
  await savedButton().click();
  await choice("This week").click();
  await inDialog("Load").click();
  await expectText(timeRange(), "Time range: Last 7 days");
  await searchButton().click();
  await expectSearch(expect.objectContaining({ timeRange: { start: "2005-08-24T06:07:08.000Z", end: "2005-08-31T06:07:08.000Z" } }));
});

it("[SAVED-08] a saved search is renamed and described; a name in use is refused with the server's message", async () => {
  serveSaved(["Katrina", "Rita"]);
  await openSaved();
  const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
  const edit = savedDialog().getByRole("button", { name: "Edit Katrina", exact: true });
  await edit.click();
  const name = editing.getByRole("textbox", { name: "Name" });
  await expect.element(name).toHaveValue("Katrina");
  await expect.element(name).toHaveFocus();
  await name.fill("RITA");
  await editing.getByRole("button", { name: "Save", exact: true }).click();
  await expectText(editing.getByRole("alert"), "Save failed: A saved search with this name already exists for this dataset.");
  await name.fill(" ");
  await expect.element(editing.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await name.fill("The big one");
  await editing.getByRole("textbox", { name: "Description" }).fill("August 2005");
  await editing.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => gateway.received(savedSearches.edit).at(-1)?.body)
    .toEqual({ queryName: "The big one", description: "August 2005", sharedWithRoles: [] });
  await expect.element(editing).not.toBeInTheDocument();
  await expect.element(choice("The big one")).toBeVisible();
  await expect.element(choice("Katrina")).not.toBeInTheDocument();
  await expect.element(savedDialog().getByText("August 2005", { exact: true })).toBeVisible();
  // Escape leaves the editor, then the list.
  await press("Enter", savedDialog().getByRole("button", { name: "Edit Rita", exact: true }));
  await expect.element(editing).toBeVisible();
  await press("Escape");
  await expect.element(editing).not.toBeInTheDocument();
  await expect.element(savedDialog().getByRole("button", { name: "Edit Rita", exact: true })).toHaveFocus();
  await press("Escape");
  await expect.element(savedDialog()).not.toBeInTheDocument();
  await expect.element(savedButton()).toHaveFocus();
});

it("[SAVED-08] a search saved under a name in use is refused, and can take the place of the other one", async () => {
  const old = JSON.stringify({ filters: [{ name: "name", value: "Rita", operator: "=" }] });
  serveSaved(["Of the day"], old, "Changes every morning");
  await openResults(katrina);
  await act("Save Search Filters");
  const name = saveDialog().getByRole("textbox", { name: "Name" });
  const replace = saveDialog().getByRole("button", { name: "Replace", exact: true });
  await name.fill("of the DAY");
  await expect.element(replace).not.toBeInTheDocument();
  await press("Enter", name);
  await expectText(saveDialog().getByRole("alert"), "Save failed: A saved search with this name already exists for this dataset.");
  await expect.element(replace).toBeVisible();
  // Another name is another search.
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

it("what the dataset no longer has is named when a search is loaded, and the rest of it still searches", async () => {
  const whole = JSON.stringify({
    filters: [
      { name: "name", value: "Katrina", operator: "=" },
      { name: "wind", value: 64, operator: ">=" },
    ],
    columns: ["name", "wind"],
    sort: [{ column: "wind", direction: "desc" }],
  });
  serveSaved(["Strong"], whole);
  alterDescription(storms, (description) => ({
    ...description,
    schema: { columns: description.schema.columns.filter(({ name }) => name !== "wind") },
    filterSupport: {
      ...description.filterSupport,
      staticFilters: description.filterSupport.staticFilters.filter(({ name }) => name !== "wind"),
    },
  }));
  await openSaved();
  await choice("Strong").click();
  await inDialog("Load").click();
  const told = page.getByRole("status").filter({ hasText: "From the saved search Strong" });
  await expect.element(told).toHaveTextContent("Left out, as the dataset no longer has it: wind >= 64, the column wind, the order by wind");
  await searchButton().click();
  await expectSearch({ paging: { offset: 0, max: 25 }, filters: [{ name: "name", value: "Katrina", operator: "=" }] });
});

it("a saved search is found, edited and loaded by the keyboard alone", async () => {
  serveSaved(["Andrew", "Katrina", "Rita"]);
  await openForm(storms);
  await focus(savedButton());
  await press("Enter");
  await expect.element(savedDialog().getByRole("searchbox")).toHaveFocus();
  await type("RIT");
  // Nothing is chosen yet: Enter neither loads nor searches.
  await press("Enter");
  await expectCount(savedDialog().getByRole("radio"), 1);
  await press("Tab");
  await expect.element(choice("Rita")).toHaveFocus();
  await press("Space");
  await press("Tab");
  await expect.element(savedDialog().getByRole("button", { name: "Edit Rita", exact: true })).toHaveFocus();
  await press("Enter");
  const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
  await expect.element(editing.getByRole("textbox", { name: "Name" })).toHaveFocus();
  await press("End");
  await type(" 2005");
  await press("Enter");
  await expect.element(editing).not.toBeInTheDocument();
  await expect.element(choice("Rita 2005")).toBeChecked();
  await expect.element(savedDialog().getByRole("button", { name: "Edit Rita 2005", exact: true })).toHaveFocus();
  for (const name of ["Delete", "Cancel", "Load"]) {
    await press("Tab");
    await expect.element(inDialog(name)).toHaveFocus();
  }
  await press("Enter");
  await expect.element(savedDialog()).not.toBeInTheDocument();
  await expect.element(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
  await expect.element(savedButton()).toHaveFocus();
});
