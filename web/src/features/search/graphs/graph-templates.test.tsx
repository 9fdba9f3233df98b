import { graphTemplates } from "@fairway/contract/graph-templates";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import {
  choose,
  days,
  editor,
  graph,
  graphMenu,
  graphsLink,
  newGraph,
  openGraphs,
  picture,
  save,
  serveAggregates,
  setColumn,
  shownValues,
} from "#testing/graphs.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { serveGraphTemplates } from "#testing/saved-searches.ts";

const later = { from: "2005-09-18T00:00:00", to: "2005-09-21T12:00:00" };

const saveDialog = () => page.getByRole("dialog", { name: "Save graph template", exact: true });
const templates = () => page.getByRole("dialog", { name: "Graph templates", exact: true });
const openTemplates = () => page.getByRole("button", { name: "Templates", exact: true }).click();

async function draw(): Promise<void> {
  const form = await newGraph();
  await choose(form, "Line");
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await setColumn(form, 1, "max", "wind");
  await form.getByLabelText("Title").fill("Peaks");
  await save();
  await expect.element(picture("Peaks")).toBeVisible();
}

beforeEach(() => {
  serveDatasets(gateway);
  serveAggregates();
  serveGraphTemplates();
});

it("[GRAPH-05][GRAPH-06][GRAPH-07][GRAPH-08][SAVED-14][SAVED-15] saves a graph as a named template, draws it for another search, deletes it after confirmation and keeps it if the server refuses", async () => {
  await openGraphs(graphsLink(days));
  await draw();
  await graphMenu("Peaks", "Save as template");
  const name = saveDialog().getByRole("textbox", { name: "Name" });
  const saving = saveDialog().getByRole("button", { name: "Save", exact: true });
  await expect.element(name).toHaveFocus();
  await name.fill("  ");
  await expect.element(saving).toBeDisabled();
  await name.fill("Peak winds");
  gateway.refuse(graphTemplates.create, "internal", "The disk is full.", { times: 1 });
  await saving.click();
  await expectText(saveDialog().getByRole("alert"), "Save failed: The disk is full.");
  await saving.click();
  await expect.element(saveDialog()).not.toBeInTheDocument();
  const body = gateway.received(graphTemplates.create).at(-1)?.body;
  expect(body).toEqual({
    datasetCategory: "Tropical weather",
    datasetId: "storm-tracks",
    templateName: "Peak winds",
    templateJson: expect.any(String),
  });
  expect(JSON.parse(body?.templateJson ?? "")).toMatchObject({
    title: "Peaks",
    type: "line",
    groupingType: "day",
    columns: [{ model: "wind", aggregation: "max" }],
  });
  await expect.element(saveDialog()).not.toBeInTheDocument();

  // A duplicate name shows the message of the server.
  await graphMenu("Peaks", "Save as template");
  await name.fill("PEAK WINDS");
  await saving.click();
  await expect
    .element(saveDialog().getByRole("alert"))
    .toHaveTextContent("Save failed: A graph template with this name already exists for this dataset.");
  await saveDialog().getByRole("button", { name: "Cancel", exact: true }).click();

  await openGraphs(graphsLink(later));
  await openTemplates();
  await expect.element(templates().getByRole("button", { name: "Load" })).toBeDisabled();
  await templates().getByRole("radio", { name: "Peak winds" }).click();
  await templates().getByRole("button", { name: "Load" }).click();
  await expect.element(picture("Peaks")).toBeVisible();
  expect((await shownValues("Peaks")).map(([label]) => label)).toEqual(["09/18/2005", "09/19/2005", "09/20/2005", "09/21/2005"]);

  await openTemplates();
  const choice = templates().getByRole("radio", { name: "Peak winds" });
  await choice.click();
  const remove = templates().getByRole("button", { name: "Delete" });
  await remove.click();
  const confirmDialog = page.getByRole("dialog", { name: "Delete Graph Template?" });
  await confirmDialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(choice).toBeVisible();

  gateway.refuse(graphTemplates.remove, "internal", "The disk is full.", { times: 1 });
  await remove.click();
  await confirmDialog.getByRole("button", { name: "Delete" }).click();
  await expectText(templates().getByRole("alert"), "Delete failed: The disk is full.");
  await expect.element(choice).toBeVisible();

  await remove.click();
  await confirmDialog.getByRole("button", { name: "Delete" }).click();
  await expect
    .poll(() => gateway.received(graphTemplates.remove).at(-1)?.body)
    .toMatchObject({
      datasetCategory: "Tropical weather",
      datasetId: "storm-tracks",
      templateName: "Peak winds",
    });
  await expect.element(choice).not.toBeInTheDocument();
  await expect.element(templates().getByText("No graph templates yet.")).toBeVisible();
});

it("opens a template that needs a time range in the editor; other datasets do not list it", async () => {
  await openGraphs(graphsLink(days));
  const form = await newGraph();
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await form.getByLabelText("Title").fill("From the editor");
  await form.getByRole("button", { name: "Save as template" }).click();
  await saveDialog().getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(saveDialog()).not.toBeInTheDocument();
  await expect.element(editor().getByLabelText("Title")).toHaveValue("From the editor");

  // The dialog and other views keep the unsaved draft.
  await form.getByLabelText("Title").fill("Not saved yet");
  await openTemplates();
  await press("Escape");
  await expect.element(templates()).not.toBeInTheDocument();
  await expect.element(form.getByLabelText("Title")).toHaveValue("Not saved yet");
  await openTemplates();
  await templates().getByRole("radio", { name: "From the editor" }).click();
  await templates().getByRole("button", { name: "Load" }).click();
  await expect.element(picture("From the editor")).toBeVisible();
  const view = page.getByRole("radiogroup", { name: "View" });
  await choose(view, "Table");
  await expect.element(form).not.toBeInTheDocument();
  await choose(view, "Graphs");
  await expect.element(form.getByLabelText("Title")).toHaveValue("Not saved yet");
  // Editing another graph requires confirmation.
  const confirmDialog = page.getByRole("dialog", { name: "Discard your changes?" });
  await graphMenu("From the editor", "Edit graph");
  await confirmDialog.getByRole("button", { name: "Keep editing" }).click();
  await expect.element(form.getByLabelText("Title")).toHaveValue("Not saved yet");
  await graphMenu("From the editor", "Edit graph");
  await confirmDialog.getByRole("button", { name: "Discard" }).click();
  await expect.element(form.getByLabelText("Title")).toHaveValue("From the editor");

  await openGraphs(graphsLink(null, { filters: [["name", "=", "Katrina"]] }));
  await openTemplates();
  await templates().getByRole("radio", { name: "From the editor" }).click();
  await templates().getByRole("button", { name: "Load" }).click();
  await expectText(editor().getByRole("status"), "Temporal grouping needs a time range on the search.");
  await expect.element(editor().getByRole("button", { name: "Save graph" })).toBeDisabled();
  await expect.element(graph("From the editor")).not.toBeInTheDocument();

  await openGraphs(graphsLink(null, { category: "Aviation", dataset: "airports", filters: [["state", "=", "TX"]] }));
  await openTemplates();
  await expect.element(templates().getByText("No graph templates yet.")).toBeVisible();
});
