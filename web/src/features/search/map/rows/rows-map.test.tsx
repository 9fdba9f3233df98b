import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { grids } from "@fairway/contract/grid";
import { cellList, cellRequests, gridRequests, listedCells, openRows, prepareGrids, rowsMap } from "#testing/grids.ts";
import { press } from "#testing/keyboard.ts";
import { addressedMapState, expectMap, mapLink } from "#testing/maps.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { card, legend, search2004 } from "#testing/rows-maps.ts";

const canvas = () => rowsMap().element().querySelector<HTMLElement>("canvas[tabindex]");

/** Rows that the demo's storms of 2004 have. */
const rows = 409;

beforeEach(() => prepareGrids());

describe("all rows, chosen beside the items", () => {
  openOnce(async () => {
    await openScreen(mapLink());
    await expectMap();
    await page.getByRole("radiogroup", { name: "Show" }).getByText("All rows").click();
    await expect.element(page.getByText(/^Densest of \d+ cells in view$/)).toBeVisible();
  });

  it("are counted in two calls: over the whole world, and in what the map shows with half of it on every side", () => {
    const [world, view, ...others] = gridRequests();
    expect(world).toEqual({ ...search2004, level: 8 });
    expect(view).toMatchObject({ ...search2004, rows: 20, values: ["name"] });
    expect(view?.within).toHaveLength(4);
    expect(others).toEqual([]);
  });

  it("are in the address with the range of their colors", async () => {
    await expect.poll(addressedMapState).toMatchObject({ r: { d: [1, expect.any(Number)] } });
  });

  it("are listed by number, and the legend says how many there are and how wide a cell is", async () => {
    const counts = listedCells()
      .elements()
      .map((cell) => Number(/(\d+)$/.exec(cell.textContent)?.[1]));
    expect(counts.length).toBeGreaterThan(20);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    await expect.element(legend()).toHaveTextContent(/^Rows per cell.*A cell is about [\d.]+ km wide here\. ?409 rows, 409 in view$/);
    await expect.element(page.getByText("409 rows, all on the map", { exact: true })).toBeVisible();
  });

  it("tell how many and where the most are to people who do not see the map", async () => {
    const text = new RegExp(String.raw`\d+ cells, ${rows} rows in view, most \d+ at [\d.]+° N, [\d.]+° W`);
    await expect.element(page.getByText(text).first()).toBeInTheDocument();
  });

  it("are left for the items, which stay as they are", async () => {
    await page.getByRole("radiogroup", { name: "Show" }).getByText("Items").click();
    await expectMap();
    expect(addressedMapState()).not.toHaveProperty("r");
  });
});

describe("a cell", () => {
  it("narrows the table to its box, as a chip that is removed by itself", async () => {
    await openRows();
    await press("Enter", cellList());
    await card().getByRole("button", { name: "Show 24 rows in table" }).click();
    await expect.element(page.getByRole("button", { name: "Remove map cell" })).toBeVisible();
    expect(cellRequests().at(-1)?.within).toEqual(cellRequests()[0]?.within);
    // Back is at the map again, with the card as it was.
    history.back();
    await expect.element(card()).toHaveTextContent("24 rows");
    await expect.element(page.getByRole("button", { name: "Remove map cell" })).not.toBeInTheDocument();
  });
});

it("asks nothing while the map moves within what is loaded, and once beyond it", async () => {
  await openRows({}, { v: [-60, 30, 5] });
  await expect.poll(() => gridRequests().length).toBe(2);
  await press("ArrowRight", page.elementLocator(canvas() ?? document.body));
  await expect.poll(() => (addressedMapState()["v"] as number[] | undefined)?.[0]).toBeGreaterThan(-59);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(gridRequests()).toHaveLength(2);
  for (let times = 0; times < 10; times++) await press("ArrowRight");
  await expect.poll(() => gridRequests().length).toBeGreaterThan(2);
  await expect.poll(() => gateway.received(grids.run).filter(({ signal }) => signal?.aborted !== true).length).toBeGreaterThan(0);
});

it("shows few rows one by one, and lists those at one place", async () => {
  prepareGrids([
    { name: "Ada", latitude: 30, longitude: -60, wind: 20 },
    { name: "Bea", latitude: 30, longitude: -60, wind: 40 },
    { name: "Cleo", latitude: 35, longitude: -50, wind: 30 },
    { name: "Dora", latitude: null, longitude: null, wind: 30 },
  ]);
  await openRows({}, { v: [-60, 30, 5] });
  await expect.element(page.getByText("Each dot is a row", { exact: true })).toBeVisible();
  await expect.element(page.getByText("1 without a location", { exact: true })).toBeVisible();
  await expect.element(page.getByText("3 of 4 rows on the map", { exact: true })).toBeVisible();
  await press("Enter", page.elementLocator(canvas() ?? document.body));
  await expect.element(page.getByRole("region", { name: /^Rows at/ })).toHaveTextContent(/2 rowsAda.*Bea/);
  // The place of the dot is in the address, which opens its card again.
  const state = addressedMapState();
  expect((state["r"] as { h: number[] }).h[0]).toBe(24);
  await openScreen(mapLink(state));
  await expect.element(page.getByRole("region", { name: /^Rows at/ })).toHaveTextContent(/2 rowsAda.*Bea/);
});
