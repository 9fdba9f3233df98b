import { boards } from "@fairway/contract/boards";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { press } from "#testing/keyboard.ts";
import { serveStorms } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { drawCoarsely } from "#testing/pixels.ts";
import { buildSavedSearch, buildSharedSearch, serveSavedSearches } from "#testing/saved-searches.ts";
import { boardOf, openBoard, storms, countries, panel, button, dialog, radio, servePanelData } from "#testing/board-panels.ts";

const ivan = { filters: [{ name: "name", value: "Ivan", operator: "=" }] };

beforeEach(servePanelData);

it("gets a panel from a saved search on the empty board, by keyboard, in the form in which it was saved", async () => {
  serveSavedSearches(
    [
      buildSavedSearch("Ivan", JSON.stringify({ ...ivan, view: "map", sort: [{ column: "time", direction: "desc" }] })),
      buildSavedSearch("Rich countries", JSON.stringify({ filters: [], columns: ["country", "year"] }), countries),
    ],
    [buildSharedSearch("Strong winds", JSON.stringify({ filters: [] }))],
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
