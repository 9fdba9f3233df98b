import { boards } from "@fairway/contract/boards";
import { grids } from "@fairway/contract/grid";
import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { boardOf, button, dialog, openBoard, panel, radio, servePanelData } from "#testing/board-panels.ts";
import { alterDescription, storms } from "#testing/datasets-screen.ts";
import { collectDownloads } from "#testing/files.ts";
import { serveStorms } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { drawCoarsely } from "#testing/pixels.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";
import { rowsPanel, serveGrid } from "#testing/map-panels.ts";

beforeEach(() => {
  servePanelData();
  alterDescription(storms, (description) => ({ ...description, assists: [...description.assists, "GRID"] }));
  serveStorms();
  drawCoarsely();
});

describe("a panel of all rows", () => {
  it("fits its rows if it was saved without a view, and is printed as a picture", async () => {
    serveGrid(5);
    const { view: _view, ...unplaced } = rowsPanel;
    await openBoard(unplaced);
    await expect.element(panel("All positions").getByRole("application")).toHaveAttribute("data-ready");
    const asked = gateway.received(grids.run).map(({ body }) => body.within);
    expect(asked[0]).toBeUndefined();
    expect(asked).toHaveLength(2);
    dispatchEvent(new Event("beforeprint"));
    const picture = () => panel("All positions").element().querySelector<HTMLCanvasElement>("[class*=printedMap]");
    expect(picture()?.width).toBeGreaterThan(100);
    dispatchEvent(new Event("afterprint"));
    expect(picture()).toBeNull();
  });

  it("says why it cannot be counted, and counts again", async () => {
    gateway.refuse(grids.run, "engine-busy", "Busy.");
    await openBoard(rowsPanel);
    const alert = panel("All positions").getByRole("alert");
    await expect.element(alert).toHaveTextContent("The rows could not be counted.");
    serveGrid(5);
    await alert.getByRole("button", { name: "Retry" }).click();
    await expect.element(panel("All positions").getByRole("application")).toHaveAttribute("data-ready");
    await expect.element(alert).not.toBeInTheDocument();
  });

  it("saves its cells as CSV", async () => {
    serveGrid(5);
    const downloads = collectDownloads();
    await openBoard(rowsPanel);
    await expect.element(panel("All positions").getByRole("application")).toHaveAttribute("data-ready");
    await page.getByRole("button", { name: "Menu of All positions" }).click();
    await page.getByRole("menuitem", { name: "Download CSV" }).click();
    await expect.poll(() => downloads.saved.length).toBe(1);
    expect(await downloads.saved[0]?.blob.text()).toMatch(/^west,south,east,north,rows\r\n[-\d.,]+,5\r\n$/);
  });

  it("is added from a saved search with the settings of the map, and edited", async () => {
    serveGrid(5);
    serveSavedSearches([buildSavedSearch("Everything", JSON.stringify({ filters: [] }))]);
    await openBoard();
    await button("Add a saved search").click();
    await radio("Everything").click();
    await radio("Map of all rows").click();
    await dialog().getByRole("combobox", { name: "Color by" }).selectOptions("Average wind (kt)");
    await dialog().getByRole("combobox", { name: "Cell size" }).selectOptions("16 px");
    await expectAccessible();
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
    await expect.element(panel("Everything").getByRole("application")).toHaveAttribute("data-ready");
    expect(gateway.received(grids.run).at(-1)?.body).toMatchObject({ measure: { aggregation: "avg", column: "wind" } });
    await button("Edit Everything").click();
    const edit = page.getByRole("dialog", { name: "Edit Panel", exact: true });
    await edit.getByRole("combobox", { name: "Color by" }).selectOptions("Rows per 100 km²");
    await edit.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => gateway.received(grids.run).at(-1)?.body.measure).toBeUndefined();
    gateway.answer(boards.edit, ({ body }) => ({ ...boardOf(), content: body.content ?? boardOf().content }));
    await button("Save board").click();
    await expect.element(button("Edit")).toBeVisible();
    expect(gateway.received(boards.edit)[0]?.body.content?.panels).toMatchObject([
      { kind: "map", title: "Everything", show: "rows", rows: { perArea: true, cell: 16 } },
    ]);
  });
});

it("a panel of items is edited to show all rows, with the range of its colors, and back", async () => {
  gateway.answer(mapResults.tracks, { results: [] });
  serveGrid(5);
  const { show: _show, rows: _rows, ...items } = rowsPanel;
  await openBoard(items);
  await button("Edit").click();
  await button("Edit All positions").click();
  const edit = page.getByRole("dialog", { name: "Edit Panel", exact: true });
  await edit.getByRole("radio", { name: "Map of all rows" }).click();
  await edit.getByRole("combobox", { name: "Scale" }).selectOptions("Linear");
  await edit.getByRole("combobox", { name: "Range" }).selectOptions("Typed");
  await edit.getByRole("textbox", { name: "Low" }).fill("5");
  await edit.getByRole("textbox", { name: "High" }).fill("50");
  await expectAccessible();
  await edit.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(panel("All positions").getByText("5", { exact: true }).first()).toBeVisible();
  await vi.waitFor(() => expect(gateway.received(grids.run).length).toBeGreaterThan(0));
  gateway.answer(boards.edit, ({ body }) => ({ ...boardOf(), content: body.content ?? boardOf().content }));
  await button("Save board").click();
  await expect.element(button("Edit")).toBeVisible();
  const [saved] = gateway.received(boards.edit)[0]?.body.content?.panels ?? [];
  expect(saved).toMatchObject({ show: "rows", rows: { scale: "linear", range: { low: 5, high: 50, isTyped: true } } });
  await button("Edit").click();
  await button("Edit All positions").click();
  await edit.getByRole("radio", { name: "Map of the items" }).click();
  await expect.element(edit.getByRole("combobox", { name: "Size by" })).toBeVisible();
  await edit.getByRole("button", { name: "Save", exact: true }).click();
  await button("Save board").click();
  await vi.waitFor(() => expect(gateway.received(boards.edit)).toHaveLength(2));
  expect(gateway.received(boards.edit)[1]?.body.content?.panels[0]).not.toMatchObject({ show: "rows" });
});

it("a panel of items draws their tracks in the view that it was saved with", async () => {
  gateway.answer(mapResults.tracks, { results: [] });
  const { show: _show, rows: _rows, ...items } = rowsPanel;
  await openBoard({ ...items, tracks: true });
  await expect.element(panel("All positions").getByRole("application")).toHaveAttribute("data-ready");
  await vi.waitFor(() => expect(gateway.received(mapResults.tracks)).toHaveLength(1));
});
