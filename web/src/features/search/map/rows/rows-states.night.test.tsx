import { grids } from "@fairway/contract/grid";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { cellList, gridOf, gridRequests, listedCells, openRows, positions, prepareGrids, rowsMap } from "#testing/grids.ts";
import { press } from "#testing/keyboard.ts";
import { addressedMapState, expectMap, mapLink } from "#testing/maps.ts";
import { alterDescription, storms } from "#testing/datasets-screen.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { drawCoarsely } from "#testing/pixels.ts";

const canvas = () => page.elementLocator(rowsMap().element().querySelector("canvas[tabindex]") ?? document.body);
const card = () => page.getByRole("region", { name: /^Cell / });

beforeEach(() => prepareGrids());

it("works by the keyboard alone, from the switch to the rows of a cell and back", async () => {
  await openScreen(mapLink());
  await expectMap();
  await press("ArrowRight", page.getByRole("radio", { name: "Items" }));
  await expect.element(rowsMap()).toHaveAttribute("data-ready", "true");
  await expect.element(listedCells().first()).toBeVisible();
  await press("End", cellList());
  await press("Home");
  await press("ArrowDown");
  await press("ArrowDown");
  const active = cellList().element().getAttribute("aria-activedescendant");
  expect(active).toBe(listedCells().nth(2).element().id);
  await press("Enter");
  await expect.element(card().getByRole("heading")).toHaveFocus();
  await press("Escape");
  await expect.element(cellList()).toHaveFocus();
  const { h: _, ...others } = addressedMapState()["r"] as Record<string, unknown>;
  expect(others).toHaveProperty("d");
  await press("+", canvas());
  await expect.poll(() => (addressedMapState()["v"] as number[] | undefined)?.[2]).toBeGreaterThan(0);
});

it("selects the cell at the center of the map with Enter, and says where there is none", async () => {
  const [first] = positions();
  await openRows({}, { v: [Number(first?.["longitude"]), Number(first?.["latitude"]), 4] });
  await expect.element(listedCells().first()).toBeVisible();
  await press("Enter", canvas());
  await expect.element(card()).toBeVisible();
  await press("Escape", card().getByRole("heading"));
  await expect.element(card()).not.toBeInTheDocument();
});

describe("while rows are counted", () => {
  it("the time and Cancel are shown after a second; canceled counting can be retried", async () => {
    let answer = () => {};
    gateway.answer(grids.run, async ({ body }) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return gridOf(positions(), body);
    });
    await openRows();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect.element(page.getByText("Counting stopped.", { exact: true })).toBeVisible();
    answer();
    gateway.answer(grids.run, ({ body }) => gridOf(positions(), body));
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.element(listedCells().first()).toBeVisible();
  });
});

describe("where nothing is shown", () => {
  it("a failure says why, takes the cells away and can be retried", async () => {
    await openRows();
    await expect.element(listedCells().first()).toBeVisible();
    gateway.refuse(grids.run, "engine-busy", "Every engine slot is taken.");
    await page.getByLabelText("Cell size").selectOptions("32 px");
    await expect.element(page.getByRole("alert")).toHaveTextContent(/^The rows could not be counted\.Every engine slot is taken\.Retry$/);
    await expect.element(listedCells().first()).not.toBeInTheDocument();
    gateway.answer(grids.run, ({ body }) => gridOf(positions(), body));
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.element(listedCells().first()).toBeVisible();
  });

  it("a view without rows leads back to the data", async () => {
    await openRows({}, { v: [100, -30, 6] });
    await expect.element(page.getByText("No rows in this view.", { exact: true }).first()).toBeVisible();
    await page.getByRole("button", { name: "Zoom to data" }).click();
    await expect.element(page.getByText("409 rows, 409 in view", { exact: true })).toBeVisible();
  });

  it("rows without a location are counted", async () => {
    prepareGrids(Array.from({ length: 1_204 }, () => ({ name: "Ada", latitude: null, longitude: null })));
    await openRows();
    await expect.element(page.getByText("None of the 1,204 rows has a location.", { exact: true })).toBeVisible();
    expect(gridRequests()).toHaveLength(1);
  });

  it("a search without rows offers its filters", async () => {
    prepareGrids([]);
    await openScreen(mapLink({ r: {} }));
    await expect.element(page.getByText("no results", { exact: true })).toBeVisible();
  });

  it("a browser without WebGL still lists the cells", async () => {
    drawCoarsely();
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
    await openScreen(mapLink({ r: {} }));
    await expect.element(page.getByText("This browser can't show the map.", { exact: true })).toBeVisible();
    await expect.element(listedCells().first()).toBeVisible();
    await press("Enter", cellList());
    await expect.element(card()).toBeVisible();
  });
});

describe("a dataset", () => {
  it("whose service cannot count rows by place has the switch disabled with the reason", async () => {
    alterDescription(storms, (description) => ({ ...description, assists: [] }));
    await openScreen(mapLink({ r: {} }));
    await expectMap();
    await expect.element(page.getByRole("radio", { name: "All rows" })).toBeDisabled();
    await expect.element(page.getByText("The service behind this dataset cannot count rows by place.", { exact: true })).toBeVisible();
  });

  it("with locations but without a map of items opens the map of rows from Actions, and has no Map in the switch", async () => {
    alterDescription(storms, (description) => ({ ...description, mapSupport: null, assists: ["GRID", "BREAKDOWN"] }));
    await openScreen(mapLink(undefined, { m: "table" }));
    await page.getByRole("button", { name: "Actions", exact: true }).click();
    await page.getByRole("menuitem", { name: "Show Rows on Map" }).click();
    await expect.element(listedCells().first()).toBeVisible();
    await expect.element(page.getByRole("radiogroup", { name: "Show" })).not.toBeInTheDocument();
    await expect.element(page.getByRole("radio", { name: "Map" })).not.toBeInTheDocument();
  });
});

it("has no violations in either theme, with and without a card", async () => {
  await openRows({ c: ["avg", "wind"], p: 32 });
  await expect.element(listedCells().first()).toBeVisible();
  await expectAccessible();
  await press("Enter", cellList());
  await expect.element(card().getByRole("listitem").first()).toBeVisible();
  await expectAccessible();
});

it("has its list behind the number of cells on a phone, and the legend on top", async () => {
  await page.viewport(390, 844);
  await openScreen(mapLink({ r: {} }));
  await expect.element(page.getByRole("group", { name: "Colors: Rows per cell" })).toBeVisible();
  await press("Enter", page.getByRole("button", { name: /^\d+ cells$/ }));
  const sheet = page.getByRole("dialog", { name: "Rows by place" });
  await expect.element(sheet).toBeVisible();
  await sheet.getByRole("listbox").getByRole("option").first().click();
  await expect.element(card()).toBeVisible();
  await expect.element(sheet).not.toBeInTheDocument();
});
