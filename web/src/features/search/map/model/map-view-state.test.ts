import { expect, it } from "vitest";
import { encodeViewState, type MapViewState, viewStateCode, decodeViewState, initialViewState, parseViewState } from "./map-view-state.ts";

const viewState: MapViewState = {
  view: { lng: -70.123456789, lat: 25, zoom: 4.5 },
  selected: "2005-12",
  paths: ["2005-12", "2005-13"],
  gapMs: 7_200_000,
  clock: [1_125_187_200_000, 3_600_000, null],
  filter: "katr",
  tracks: false,
  colorColumn: "wind",
  sizeColumn: "pressure",
  isGrouped: false,
  order: "value",
  showsRows: false,
  rows: {},
  layers: {
    "2005-12": [
      { id: "1", color: "path", isActive: true, condition: null },
      { id: "2", color: "c4", isActive: false, condition: { column: "wind", operator: "~", value: "96" } },
    ],
  },
};

it("round-trips the view state through its code, even with unknown layer operators", () => {
  const code = viewStateCode.parse(JSON.parse(JSON.stringify(encodeViewState(viewState))));
  expect(decodeViewState(code)).toEqual({ ...viewState, view: { lng: -70.12346, lat: 25, zoom: 4.5 } });
});

it("encodes the initial view state as undefined", () => {
  expect(encodeViewState(initialViewState)).toBeUndefined();
});

it("begins with the first look of the dataset, and an address says where a person left it", () => {
  const first = { show: "rows" as const, rows: { cell: 16 as const, palette: "ember" as const } };
  const shown = parseViewState(undefined, first);
  expect(shown).toEqual({ ...initialViewState, showsRows: true, rows: first.rows });
  expect(parseViewState(encodeViewState(shown, first), first)).toEqual(shown);
  const items = encodeViewState({ ...shown, showsRows: false }, first);
  expect(items).toEqual({ i: 1 });
  expect(parseViewState(items, first)).toMatchObject({ showsRows: false });
  const changed = encodeViewState({ ...shown, rows: { cell: 4 } }, first);
  expect(parseViewState(changed, first)).toMatchObject({ showsRows: true, rows: { cell: 4 } });
  // Moving the map is no choice between items and rows.
  expect(parseViewState({ v: [1, 2, 3] }, first)).toMatchObject({ showsRows: true, rows: first.rows });
});

it("leaves out a filter longer than 200 characters", () => {
  expect(encodeViewState({ ...initialViewState, filter: "x".repeat(200) })).toEqual({ f: "x".repeat(200) });
  expect(encodeViewState({ ...initialViewState, filter: "x".repeat(201) })).toBeUndefined();
});

it("leaves out layers of paths that are not shown", () => {
  expect(encodeViewState({ ...viewState, paths: [] })).not.toHaveProperty("l");
});

it.each([
  { v: [200, 0, 1] },
  { v: [0, 91, 1] },
  { g: 0 },
  { p: [1] },
  { x: 1 },
  { t: [1.5, null, null] },
  { t: [null, 0, null] },
  { t: [null, null, 0] },
  { l: { a: [] } },
])("rejects %j", (code) => {
  expect(viewStateCode.safeParse(code).success).toBe(false);
});
