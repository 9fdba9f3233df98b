import { describe, expect, it } from "vitest";
import { newPanelPosition } from "./panel-positions.ts";

describe("the position of a new panel", () => {
  const place = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });
  const at = (...places: ReturnType<typeof place>[]) => places.map((one) => ({ place: one }));

  it.each([
    ["on an empty board", [], place(0, 0, 6, 7)],
    ["beside the last one", at(place(0, 0, 6, 7)), place(6, 0, 6, 7)],
    ["below a full row", at(place(0, 0, 6, 7), place(6, 0, 6, 7)), place(0, 7, 6, 7)],
    ["below a panel that reaches further down", at(place(0, 0, 6, 9), place(6, 0, 6, 2)), place(0, 9, 6, 7)],
  ])("is %s", (_, panels, expected) => {
    expect(newPanelPosition("graph", panels)).toEqual(expected);
  });
});
