import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { grids } from "@fairway/contract/grid";
import { cellList, cellRequests, gridOf, gridRequests, listedCells, openRows, positions, prepareGrids } from "#testing/grids.ts";
import { press } from "#testing/keyboard.ts";
import { addressedMapState, mapLink } from "#testing/maps.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { card, legend, search2004 } from "#testing/rows-maps.ts";

beforeEach(() => prepareGrids());

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
  await expect.element(page.getByText("Highest with 5 rows or more", { exact: true })).toBeVisible();
  expect(gridRequests().at(-1)).toMatchObject({ measure: { aggregation: "avg", column: "wind" }, values: ["name", "wind"] });
  await expect.element(listedCells().first()).toHaveTextContent(/kt · \d+ rows$/);
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

it("turns a full range into the least and the greatest that it shows first, which stay", async () => {
  await openRows({ c: ["avg", "wind"], d: "full" });
  await expect.poll(addressedMapState).toMatchObject({ r: { d: [expect.any(Number), expect.any(Number)], k: 1 } });
  await expect.element(legend().getByRole("button", { name: "Full range" })).toBeVisible();
});

it("keeps the range of an address", async () => {
  await openRows({ d: [5, 50] });
  await expect.element(legend()).toHaveTextContent(/^Rows per cellLog scale5/);
  await expect.poll(addressedMapState).toMatchObject({ r: { d: [5, 50] } });
});
