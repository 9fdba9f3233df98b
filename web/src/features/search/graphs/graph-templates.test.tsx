import { graphTemplates } from "@fairway/contract/graph-templates";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import {
  choose,
  days,
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
import { gateway } from "#testing/open-screen.tsx";
import { serveGraphTemplates } from "#testing/saved-searches.ts";
import { setField } from "#testing/quick-fields.ts";

const later = { from: "2005-09-18T00:00:00", to: "2005-09-21T12:00:00" };

const peaks = { datasetCategory: "Tropical weather", datasetId: "storm-tracks", templateName: "Peak winds", templateJson: "{}" };

const saveDialog = () => page.getByRole("dialog", { name: "Save graph template", exact: true });
const templates = () => page.getByRole("dialog", { name: "Graph templates", exact: true });
const openTemplates = () => page.getByRole("button", { name: "Templates", exact: true }).click();
const choice = (name: string) => templates().getByRole("radio", { name });

async function draw(): Promise<void> {
  const form = await newGraph();
  await choose(form, "Line");
  await setField(form.getByLabelText("Group by"), "Temporal (Day)");
  await setColumn(form, 1, "max", "wind");
  await setField(form.getByLabelText("Title"), "Peaks");
  await save();
  await expect.element(picture("Peaks")).toBeVisible();
}

beforeEach(() => {
  serveDatasets(gateway);
  serveAggregates();
  serveGraphTemplates();
});

describe("a graph", () => {
  openOnce(async () => {
    await openGraphs(graphsLink(days));
    await draw();
  });

  const name = () => saveDialog().getByRole("textbox", { name: "Name" });
  const saving = () => saveDialog().getByRole("button", { name: "Save", exact: true });

  it("[GRAPH-05][SAVED-14] is saved as a template under a name", async () => {
    await graphMenu("Peaks", "Save as template");
    await expect.element(name()).toHaveFocus();
    await setField(name(), "  ");
    await expect.element(saving()).toBeDisabled();
    await setField(name(), "Peak winds");
    await saving().click();
    await expect.element(saveDialog()).not.toBeInTheDocument();
    const body = gateway.received(graphTemplates.create).at(-1)?.body;
    expect(body).toEqual({ ...peaks, templateJson: expect.any(String) });
    expect(JSON.parse(body?.templateJson ?? "")).toMatchObject({
      title: "Peaks",
      type: "line",
      groupingType: "day",
      columns: [{ model: "wind", aggregation: "max" }],
    });
  });

  it("[GRAPH-08] says why it could not be saved as a template, also when another has the name", async () => {
    gateway.refuse(graphTemplates.create, "internal", "The disk is full.", { times: 1 });
    await graphMenu("Peaks", "Save as template");
    await setField(name(), "Peak winds");
    await saving().click();
    await expectText(saveDialog().getByRole("alert"), "Save failed: The disk is full.");
    await saving().click();
    await expect.element(saveDialog()).not.toBeInTheDocument();
    await graphMenu("Peaks", "Save as template");
    await setField(name(), "PEAK WINDS");
    await saving().click();
    await expect
      .element(saveDialog().getByRole("alert"))
      .toHaveTextContent("Save failed: A graph template with this name already exists for this dataset.");
    await saveDialog().getByRole("button", { name: "Cancel", exact: true }).click();
  });

  it("[GRAPH-06] is drawn from its template for another search", async () => {
    await graphMenu("Peaks", "Save as template");
    await setField(name(), "Later winds");
    await saving().click();
    await expect.element(saveDialog()).not.toBeInTheDocument();
    await openGraphs(graphsLink(later));
    await openTemplates();
    await expect.element(templates().getByRole("button", { name: "Load" })).toBeDisabled();
    await choice("Later winds").click();
    await templates().getByRole("button", { name: "Load" }).click();
    await expect.element(picture("Peaks")).toBeVisible();
    expect((await shownValues("Peaks")).map(([label]) => label)).toEqual(["09/18/2005", "09/19/2005", "09/20/2005", "09/21/2005"]);
  });
});

describe("the list of templates", () => {
  openOnce(async () => {
    serveGraphTemplates([peaks]);
    await openGraphs(graphsLink(days));
    await openTemplates();
    await choice("Peak winds").click();
  });

  const remove = () => templates().getByRole("button", { name: "Delete" });
  const confirmDialog = page.getByRole("dialog", { name: "Delete Graph Template?" });

  beforeEach(() => serveGraphTemplates([peaks]));

  it("[GRAPH-07] deletes one only after confirmation", async () => {
    await remove().click();
    await confirmDialog.getByRole("button", { name: "Cancel" }).click();
    await expect.element(choice("Peak winds")).toBeVisible();
    expect(gateway.received(graphTemplates.remove)).toEqual([]);
  });

  it("keeps one if the server refuses to delete it", async () => {
    gateway.refuse(graphTemplates.remove, "internal", "The disk is full.", { times: 1 });
    await remove().click();
    await confirmDialog.getByRole("button", { name: "Delete" }).click();
    await expectText(templates().getByRole("alert"), "Delete failed: The disk is full.");
    await expect.element(choice("Peak winds")).toBeVisible();
  });

  it("[GRAPH-06][SAVED-15] deletes one", async () => {
    await remove().click();
    await confirmDialog.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => gateway.received(graphTemplates.remove).at(-1)?.body).toMatchObject({ ...peaks });
    await expect.element(choice("Peak winds")).not.toBeInTheDocument();
    await expect.element(templates().getByText("No graph templates yet.")).toBeVisible();
  });
});
