import { boards } from "@fairway/contract/boards";
import { graphTemplates } from "@fairway/contract/graph-templates";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { serveAggregates } from "#testing/graphs.ts";
import { press } from "#testing/keyboard.ts";
import { serveStorms } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { drawCoarsely } from "#testing/pixels.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";
import { number, boardOf, openBoard, storms, katrina } from "#testing/board-panels.ts";

const countries = { datasetCategory: "People & economy", datasetId: "country-development" };
const ivan = { filters: [{ name: "name", value: "Ivan", operator: "=" }] };

const panel = (name: string) => page.getByRole("region", { name, exact: true });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog", { name: "Add Panel", exact: true });
const radio = (name: string | RegExp) => dialog().getByRole("radio", { name });

beforeEach(() => {
  serveAggregates();
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
});

it("gets a panel from a saved search on the empty board, by keyboard, in the form in which it was saved", async () => {
  serveSavedSearches(
    [
      buildSavedSearch("Ivan", JSON.stringify({ ...ivan, view: "map", sort: [{ column: "time", direction: "desc" }] })),
      buildSavedSearch("Rich countries", JSON.stringify({ filters: [], columns: ["country", "year"] }), countries),
    ],
    [{ ...buildSavedSearch("Strong winds", JSON.stringify({ filters: [] })), owner: "grace" }],
  );
  serveStorms();
  drawCoarsely();
  await openBoard();
  await press("Enter", button("Add a saved search"));
  await expect.element(dialog().getByRole("searchbox", { name: "Find a saved search" })).toHaveFocus();
  await expectCount(dialog().getByRole("radiogroup", { name: "Saved searches" }).getByRole("radio"), 3);
  await expect.element(radio("Strong winds")).toHaveAccessibleDescription("storm-tracks · shared by grace");
  await expect.element(dialog().getByRole("button", { name: "Add", exact: true })).toBeDisabled();
  await dialog().getByRole("searchbox").fill("iva");
  await expectCount(dialog().getByRole("radiogroup", { name: "Saved searches" }).getByRole("radio"), 1);
  await press("Space", radio("Ivan"));
  await expect.element(radio("Map of the items")).toBeChecked();
  await expect.element(dialog().getByRole("textbox", { name: "Title" })).toHaveValue("Ivan");
  await expect.element(radio("Graph of a template")).not.toBeInTheDocument();
  expect(await axeViolations()).toEqual([]);
  await press("Enter", dialog().getByRole("textbox", { name: "Title" }));
  await expect.element(panel("Ivan").getByRole("application", { name: "Map of Ivan" })).toBeVisible();
  await expect.element(page.getByText("Editing")).toBeVisible();

  await button("Add panel").click();
  await radio("Rich countries").click();
  await expect.element(radio("Map of the items")).not.toBeInTheDocument();
  await expect.element(radio("Table of the first rows")).toBeChecked();
  await dialog().getByRole("textbox", { name: "Title" }).fill("Countries");
  await dialog().getByRole("button", { name: "Add", exact: true }).click();
  await expectCount(panel("Countries").getByRole("columnheader"), 2);

  gateway.answer(boards.edit, ({ body }) => ({ ...boardOf(), content: body.content ?? boardOf().content }));
  await button("Save board").click();
  await expect.element(button("Edit")).toBeVisible();
  expect(gateway.received(boards.edit)[0]?.body.content?.panels).toMatchObject([
    { kind: "map", title: "Ivan", dataset: storms, query: ivan, place: { x: 0, y: 0, w: 6, h: 9 } },
    { kind: "table", dataset: countries, query: { filters: [], columns: ["country", "year"] }, place: { x: 6, y: 0, w: 6, h: 7 } },
  ]);
  expect(gateway.received(boards.edit)[0]?.body.content?.panels[0]).not.toHaveProperty("query.view");
});

it("gets a graph of a saved search from a template of its dataset", async () => {
  const byDay = {
    title: "By day",
    type: "bar",
    groupingType: "day",
    groupings: [],
    columns: [{ id: "rows", model: "*", aggregation: "count", color: "#099bf1" }],
  };
  const template = (templateName: string, dataset: typeof storms, json: unknown) => ({
    ...dataset,
    id: templateName,
    templateName,
    templateJson: JSON.stringify(json),
    createdDateMs: 0,
  });
  gateway.answer(graphTemplates.list, [
    template("Broken", storms, {}),
    template("Days", storms, byDay),
    template("Of countries", countries, byDay),
  ]);
  const lastDays = { start: "2005-08-28T00:00:00Z", end: "2005-08-31T23:59:59Z" };
  serveSavedSearches([buildSavedSearch("Katrina", JSON.stringify({ ...katrina, timeRange: lastDays, view: "graphs" }))]);
  await openBoard(number);
  await button("Edit").click();
  await button("Add panel").click();
  await radio("Katrina").click();
  await expect.element(radio("Graph of a template")).toBeChecked();
  const templates = dialog().getByRole("combobox", { name: "Graph template" });
  await expect.element(templates).toHaveValue("Broken");
  await expect.element(dialog().getByRole("button", { name: "Add", exact: true })).toBeDisabled();
  await templates.click();
  await expectCount(page.getByRole("option"), 2);
  await page.getByRole("option", { name: "Days" }).click();
  await dialog().getByRole("button", { name: "Add", exact: true }).click();
  await expect.element(panel("Katrina").getByRole("img")).toHaveAccessibleName(/in 4 groups/);
});
