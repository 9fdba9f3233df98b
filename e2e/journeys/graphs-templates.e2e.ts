import { expect, test } from "../support/fixtures.ts";
import { createAccount } from "../support/accounts.ts";
import { breakAnswer } from "../support/datasets.ts";
import {
  choose,
  editor,
  graph,
  graphMenu,
  graphsLink,
  newGraph,
  openGraphs,
  picture,
  save,
  setColumn,
  shownValues,
} from "../support/graphs.ts";
import { visitAs } from "../support/sign-in.ts";
import type { Page } from "@playwright/test";

const path = "/api/favorite/graphTemplates";
const days = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };
const later = { from: "2005-09-18T00:00:00", to: "2005-09-21T12:00:00" };

const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save graph template", exact: true });
const templates = (page: Page) => page.getByRole("dialog", { name: "Graph templates", exact: true });
const openTemplates = (page: Page) => page.getByRole("button", { name: "Templates", exact: true }).click();
const sent = (page: Page, method: string) =>
  page.waitForRequest((asked) => asked.method() === method && new URL(asked.url()).pathname === path);

async function visitAlone(page: Page): Promise<void> {
  const { username, password } = await createAccount();
  await visitAs(page, username, password);
}

async function draw(page: Page): Promise<void> {
  const form = await newGraph(page);
  await choose(form, "Line");
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await setColumn(form, 1, "max", "wind");
  await form.getByLabel("Title").fill("Peaks");
  await save(page);
  await expect(picture(page, "Peaks")).toBeVisible();
}

test("[GRAPH-05][GRAPH-06][GRAPH-08][SAVED-14] a graph is saved as a template under a name and drawn from it over another search", async ({
  page,
}) => {
  await visitAlone(page);
  await openGraphs(page, graphsLink(days));
  await draw(page);
  await graphMenu(page, "Peaks", "Save as template");
  const name = saveDialog(page).getByRole("textbox", { name: "Name" });
  const saving = saveDialog(page).getByRole("button", { name: "Save", exact: true });
  await expect(name).toBeFocused();
  await name.fill("  ");
  await expect(saving).toBeDisabled();
  await name.fill("Peak winds");
  const mend = await breakAnswer(page, path, "The disk is full.");
  await saving.click();
  await expect(saveDialog(page).getByRole("alert")).toHaveText("Save failed: The disk is full.");
  await mend();
  const posting = sent(page, "POST");
  await saving.click();
  const body = (await posting).postDataJSON() as Record<string, string>;
  expect(body).toEqual({
    datasetCategory: "Tropical weather",
    datasetId: "storm-tracks",
    templateName: "Peak winds",
    templateJson: expect.any(String),
  });
  expect(JSON.parse(body["templateJson"] ?? "")).toMatchObject({
    title: "Peaks",
    type: "line",
    groupingType: "day",
    columns: [{ model: "wind", aggregation: "max" }],
  });
  await expect(saveDialog(page)).toHaveCount(0);

  // The same name again: the server's own words.
  await graphMenu(page, "Peaks", "Save as template");
  await name.fill("PEAK WINDS");
  await saving.click();
  await expect(saveDialog(page).getByRole("alert")).toContainText(/^Save failed: .+/);
  await saveDialog(page).getByRole("button", { name: "Cancel", exact: true }).click();

  await openGraphs(page, graphsLink(later));
  await openTemplates(page);
  await expect(templates(page).getByRole("button", { name: "Load" })).toBeDisabled();
  await templates(page).getByRole("radio", { name: "Peak winds" }).check();
  await templates(page).getByRole("button", { name: "Load" }).click();
  await expect(picture(page, "Peaks")).toBeVisible();
  expect((await shownValues(page, "Peaks")).map(([label]) => label)).toEqual(["09/18/2005", "09/19/2005", "09/20/2005", "09/21/2005"]);
});

test("a template that needs a time range opens in the editor, which says so; another dataset does not list it", async ({ page }) => {
  await visitAlone(page);
  await openGraphs(page, graphsLink(days));
  const form = await newGraph(page);
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await form.getByLabel("Title").fill("From the editor");
  await form.getByRole("button", { name: "Save as template" }).click();
  await saveDialog(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(saveDialog(page)).toHaveCount(0);
  await expect(editor(page).getByLabel("Title")).toHaveValue("From the editor");

  // The list stands over the editor, which keeps what is not saved; so does a look at the rows.
  await form.getByLabel("Title").fill("Not saved yet");
  await openTemplates(page);
  await page.keyboard.press("Escape");
  await expect(templates(page)).toHaveCount(0);
  await expect(form.getByLabel("Title")).toHaveValue("Not saved yet");
  await openTemplates(page);
  await templates(page).getByRole("radio", { name: "From the editor" }).check();
  await templates(page).getByRole("button", { name: "Load" }).click();
  await expect(picture(page, "From the editor")).toBeVisible();
  const view = page.getByRole("radiogroup", { name: "View" });
  await choose(view, "Table");
  await expect(form).toHaveCount(0);
  await choose(view, "Graphs");
  await expect(form.getByLabel("Title")).toHaveValue("Not saved yet");
  // Another graph in its place only after a question.
  const question = page.getByRole("dialog", { name: "Discard Changes?" });
  await graphMenu(page, "From the editor", "Edit graph");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(form.getByLabel("Title")).toHaveValue("Not saved yet");
  await graphMenu(page, "From the editor", "Edit graph");
  await question.getByRole("button", { name: "Discard Changes" }).click();
  await expect(form.getByLabel("Title")).toHaveValue("From the editor");

  await openGraphs(page, graphsLink(null, { filters: [["name", "=", "Katrina"]] }));
  await openTemplates(page);
  await templates(page).getByRole("radio", { name: "From the editor" }).check();
  await templates(page).getByRole("button", { name: "Load" }).click();
  await expect(editor(page).getByRole("status")).toHaveText("Temporal grouping needs a time range on the search.");
  await expect(editor(page).getByRole("button", { name: "Save graph" })).toBeDisabled();
  await expect(graph(page, "From the editor")).toHaveCount(0);

  await openGraphs(page, graphsLink(null, { category: "Aviation", dataset: "airports", filters: [["state", "=", "TX"]] }));
  await openTemplates(page);
  await expect(templates(page).getByText("No graph templates of this dataset yet.")).toBeVisible();
});

test("[GRAPH-06][GRAPH-07][SAVED-15] a template is deleted after a question, and stays when the server refuses", async ({ page }) => {
  await visitAlone(page);
  await openGraphs(page, graphsLink(days));
  await draw(page);
  await graphMenu(page, "Peaks", "Save as template");
  await saveDialog(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(saveDialog(page)).toHaveCount(0);

  await openTemplates(page);
  const choice = templates(page).getByRole("radio", { name: "Peaks" });
  await choice.check();
  const remove = templates(page).getByRole("button", { name: "Delete" });
  await remove.click();
  const question = page.getByRole("dialog", { name: "Delete Graph Template?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(choice).toBeVisible();

  const mend = await breakAnswer(page, path, "The disk is full.");
  await remove.click();
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(templates(page).getByRole("alert")).toHaveText("Delete failed: The disk is full.");
  await expect(choice).toBeVisible();
  await mend();

  await remove.click();
  const deleting = sent(page, "DELETE");
  await question.getByRole("button", { name: "Delete" }).click();
  expect((await deleting).postDataJSON()).toMatchObject({
    datasetCategory: "Tropical weather",
    datasetId: "storm-tracks",
    templateName: "Peaks",
  });
  await expect(choice).toHaveCount(0);
  await expect(templates(page).getByText("No graph templates of this dataset yet.")).toBeVisible();
});
