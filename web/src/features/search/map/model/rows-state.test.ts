import { expect, it } from "vitest";
import { decodeViewState, encodeViewState, initialViewState, viewStateCode } from "#features/search/map/model/map-view-state.ts";
import { decodeRows, encodeRows, rowsCode, type RowsState } from "./rows-state.ts";

const full: RowsState = {
  cell: 16,
  measure: { aggregation: "avg", column: "wind" },
  scale: "steps",
  range: { low: -3.5, high: 137, isTyped: true },
  palette: "balance",
  selected: { level: 8, x: 65, y: 104 },
};

it.each<RowsState>([{}, full, { range: "full" }, { perArea: true, range: { low: 1, high: 38 } }])(
  "round-trips %j through its code",
  (state) => {
    expect(decodeRows(rowsCode.parse(JSON.parse(JSON.stringify(encodeRows(state)))))).toEqual(state);
  },
);

it("has short keys", () => {
  expect(encodeRows(full)).toEqual({ p: 16, c: ["avg", "wind"], s: "steps", d: [-3.5, 137], k: 1, q: "balance", h: [8, 65, 104] });
});

it.each([{ p: 5 }, { c: ["count", "wind"] }, { d: [3, 1] }, { h: [2, 4, 0] }, { h: [25, 0, 0] }, { s: "log10" }, { x: 1 }])(
  "rejects %j",
  (code) => {
    expect(rowsCode.safeParse(code).success).toBe(false);
  },
);

it("shows all rows where an address has them, and drops invalid ones", () => {
  expect(encodeViewState({ ...initialViewState, showsRows: true })).toEqual({ r: {} });
  expect(encodeViewState({ ...initialViewState, rows: full })).toBeUndefined();
  expect(decodeViewState(viewStateCode.parse({ r: {} }))).toMatchObject({ showsRows: true, rows: {} });
  expect(decodeViewState(viewStateCode.parse({ v: [1, 2, 3], r: { p: 7 } }))).toEqual({
    ...initialViewState,
    view: { lng: 1, lat: 2, zoom: 3 },
  });
});
