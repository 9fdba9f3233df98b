import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { grids } from "@fairway/contract/grid";
import { cellList, cellRequests, gridOf, gridRequests, listedCells, openRows, positions, prepareGrids, rowsMap } from "#testing/grids.ts";
import { press } from "#testing/keyboard.ts";
import { addressedMapState, expectMap, mapLink } from "#testing/maps.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const search2004 = { timeRange: { start: "2004-01-01T00:00:00.000Z", end: "2005-01-01T00:00:00.000Z" }, filters: [] };
const canvas = () => rowsMap().element().querySelector<HTMLElement>("canvas[tabindex]");
const card = () => page.getByRole("region", { name: /^Cell / });
const legend = () => page.getByRole("group", { name: /^Colors: / });
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
  it("is outlined by the arrow keys of the list, opens its card with Enter, and Escape returns", async () => {
    await openRows();
    await expect.element(listedCells().first()).toBeVisible();
    await press("ArrowDown", cellList());
    await press("Enter");
    await expect.element(card()).toHaveTextContent(/24 rows, wind 25 to 130 kt, average 53.4/);
    await expect.poll(() => card().getByRole("listitem").elements().length).toBeGreaterThan(0);
    await expect.poll(addressedMapState).toMatchObject({ r: { h: [expect.any(Number), expect.any(Number), expect.any(Number)] } });
    const [request] = cellRequests();
    expect(request).toMatchObject({ ...search2004, paging: { offset: 0, max: 10 } });
    expect(request?.within).toHaveLength(4);
    await press("Escape");
    await expect.element(card()).not.toBeInTheDocument();
    await expect.element(cellList()).toHaveFocus();
    expect(addressedMapState()).not.toHaveProperty("r.h");
  });

  it("narrows the table to its box, as a chip that is removed by itself", async () => {
    await openRows();
    await press("Enter", cellList());
    await card().getByRole("button", { name: "Show 24 rows in table" }).click();
    await expect.element(page.getByRole("button", { name: "Remove map cell" })).toBeVisible();
    expect(cellRequests().at(-1)?.within).toEqual(cellRequests()[0]?.within);
  });

  it("becomes the area of the search in place of the one that it has", async () => {
    await openScreen(mapLink({ r: {} }, { a: ["-100 10, -20 10, -20 60, -100 60, -100 10"] }));
    await expect.element(listedCells().first()).toBeVisible();
    await press("Enter", cellList());
    await expect.element(card()).toHaveTextContent("Replaces 1 area");
    await card().getByRole("button", { name: "Set as area" }).click();
    await expect.poll(() => gridRequests().at(-1)?.geospatial?.polygons).toHaveLength(1);
    expect(gridRequests().at(-1)?.geospatial?.polygons[0]).not.toContain("-100 10");
  });
});

it("colors cells by a measure, which ranks averages of five rows or more", async () => {
  await openRows({ p: 32 });
  await expect.element(listedCells().first()).toBeVisible();
  await page.getByLabelText("Color by").selectOptions("Average wind (kt)");
  await expect.element(page.getByText("Highest of cells with 5 rows or more", { exact: true })).toBeVisible();
  expect(gridRequests().at(-1)).toMatchObject({ measure: { aggregation: "avg", column: "wind" }, values: ["name", "wind"] });
  await expect.element(listedCells().first()).toHaveTextContent(/kt · \d+$/);
  await expect.poll(addressedMapState).toMatchObject({ r: { c: ["avg", "wind"], d: [expect.any(Number), expect.any(Number)] } });
});

it("asks for no view before the map is fitted, and once after that", async () => {
  let answer = () => {};
  gateway.answer(grids.run, async ({ body }) => {
    await new Promise<void>((resolve) => (answer = resolve));
    return gridOf(positions(), body);
  });
  await openRows();
  gateway.answer(grids.run, ({ body }) => gridOf(positions(), body));
  answer();
  await expect.element(listedCells().first()).toBeVisible();
  expect(gridRequests()).toHaveLength(2);
  expect(gridRequests()[1]?.within).not.toEqual([-180, -90, 180, 90]);
});

it("keeps the range of an address", async () => {
  await openRows({ d: [5, 50] });
  await expect.element(legend()).toHaveTextContent(/^Rows per cellLog scale5/);
  await expect.poll(addressedMapState).toMatchObject({ r: { d: [5, 50] } });
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
});
