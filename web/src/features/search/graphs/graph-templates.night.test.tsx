import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { choose, days, editor, graph, graphMenu, graphsLink, newGraph, openGraphs, picture, serveAggregates } from "#testing/graphs.ts";
import { press } from "#testing/keyboard.ts";
import { serveGraphTemplates } from "#testing/saved-searches.ts";

const saveDialog = () => page.getByRole("dialog", { name: "Save graph template", exact: true });
const templates = () => page.getByRole("dialog", { name: "Graph templates", exact: true });
const openTemplates = () => page.getByRole("button", { name: "Templates", exact: true }).click();

beforeEach(() => {
  serveAggregates();
  serveGraphTemplates();
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
