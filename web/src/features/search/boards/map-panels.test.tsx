import { boards } from "@fairway/contract/boards";
import { grids } from "@fairway/contract/grid";
import { cellsOfBox } from "@fairway/contract/grid-cells";
import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { boardOf, openBoard, panel, servePanelData } from "#testing/board-panels.ts";
import { alterDescription, storms } from "#testing/datasets-screen.ts";
import { collectDownloads } from "#testing/files.ts";
import { serveCellFigures } from "#testing/grids.ts";
import { press } from "#testing/keyboard.ts";
import { openMap, prepareMaps, serveStorms } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { drawCoarsely } from "#testing/pixels.ts";
import { act } from "#testing/results.ts";
import { rowsPanel, serveDots, serveGrid } from "#testing/map-panels.ts";

beforeEach(() => {
  servePanelData();
  alterDescription(storms, (description) => ({ ...description, assists: [...description.assists, "GRID"] }));
  serveStorms();
  drawCoarsely();
});

describe("a panel of all rows", () => {
  it("asks one grid for its own box, with the colors that it was saved with", async () => {
    serveGrid(9);
    await openBoard(rowsPanel);
    await expect.element(panel("All positions").getByRole("application")).toHaveAttribute("data-ready");
    await expect
      .element(panel("All positions").getByRole("img"))
      .toHaveAccessibleName("7 steps: 1, 2, 3, 4, 5, 6, 7; higher values have the last color");
    expect(gateway.received(grids.run)).toHaveLength(1);
    const { within = [], level } = gateway.received(grids.run)[0]?.body ?? { level: -1 };
    const box = panel("All positions").getByRole("application").element().getBoundingClientRect();
    const { columns } = cellsOfBox(within as unknown as [number, number, number, number], level);
    // No margin: the cells of the box, and at most one more at its edges.
    expect(columns).toBeGreaterThanOrEqual(Math.floor(box.width / 8));
    expect(columns).toBeLessThanOrEqual(Math.ceil(box.width / 8) + 1);
    expect(gateway.received(mapResults.last)).toEqual([]);
  });

  it("opens its search at the cell that is pressed", async () => {
    serveGrid(5);
    serveCellFigures();
    await openBoard(rowsPanel);
    const map = panel("All positions").getByRole("application");
    await expect.element(map).toHaveAttribute("data-ready");
    const box = map.element().getBoundingClientRect();
    await userEvent.click(map, { position: { x: box.width / 2 + 2, y: box.height / 2 + 2 } });
    await expect.poll(() => location.pathname).toMatch(/^\/search\//);
    await expect.element(page.getByRole("region", { name: /^Cell / })).toHaveTextContent("24 rows");
  });
});

it("a panel of few rows shows each as a dot, which Enter opens, and saves them as CSV", async () => {
  serveDots();
  const downloads = collectDownloads();
  await openBoard(rowsPanel);
  await expect.element(panel("All positions").getByText("2 rows, each a dot")).toBeVisible();
  expect(gateway.received(grids.run)[0]?.body).toMatchObject({ rows: 5_000, values: ["name"] });
  await press("Enter", page.getByRole("button", { name: "Menu of All positions" }));
  await page.getByRole("menuitem", { name: "Download CSV" }).click();
  await expect.poll(() => downloads.saved.map(({ name }) => name)).toEqual(["storm-tracks_All positions.csv"]);
  expect(await downloads.saved[0]?.blob.text()).toMatch(/^name,time,latitude,longitude\r\nIvan,2004-.*,25,-60\r\nIvan,2004-.*,30,-70\r\n$/);
  const canvas = panel("All positions").element().querySelector<HTMLElement>("canvas[tabindex]");
  await press("Enter", page.elementLocator(canvas ?? document.body));
  await expect.poll(() => location.pathname).toMatch(/^\/search\//);
});

it("Add to Board copies what the map shows", async () => {
  prepareMaps();
  await openMap();
  gateway.answer(boards.list, [{ ...boardOf(), content: undefined } as never]);
  gateway.answer(boards.addPanel, { panelId: "new", version: 2 });
  gateway.answer(boards.read, boardOf());
  await act("Add to Board");
  const dialog = page.getByRole("dialog", { name: "Add to Board" });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(gateway.received(boards.addPanel)).toHaveLength(1);
  expect(gateway.received(boards.addPanel)[0]?.body.panel).toMatchObject({ kind: "map", tracks: true });
});
