import { grids } from "@fairway/contract/grid";
import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openBoard, panel, servePanelData } from "#testing/board-panels.ts";
import { alterDescription, storms } from "#testing/datasets-screen.ts";
import { serveStorms } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { drawCoarsely } from "#testing/pixels.ts";
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

  it("says why it cannot be counted", async () => {
    gateway.refuse(grids.run, "engine-busy", "Busy.");
    await openBoard(rowsPanel);
    await expect.element(panel("All positions").getByRole("alert")).toHaveTextContent("The rows could not be counted.");
  });
});

it("a panel of items draws their tracks in the view that it was saved with", async () => {
  gateway.answer(mapResults.tracks, { results: [] });
  const { show: _show, rows: _rows, ...items } = rowsPanel;
  await openBoard({ ...items, tracks: true });
  await expect.element(panel("All positions").getByRole("application")).toHaveAttribute("data-ready");
  await vi.waitFor(() => expect(gateway.received(mapResults.tracks)).toHaveLength(1));
});
