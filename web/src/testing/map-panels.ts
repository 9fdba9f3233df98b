import { grids } from "@fairway/contract/grid";
import { cellsOfBox } from "@fairway/contract/grid-cells";
import { storms as dataset, inPanel } from "#testing/board-panels.ts";
import { gateway } from "#testing/open-screen.tsx";

const view = { lng: -60, lat: 25, zoom: 2 };

export const rowsPanel = {
  id: "map",
  kind: "map" as const,
  title: "All positions",
  dataset,
  query: { filters: [] },
  show: "rows" as const,
  rows: { range: { low: 1, high: 7 }, scale: "linear" as const },
  view,
  place: inPanel(0, 6),
};

/** Two rows one by one: Ivan twice, at the center of the panel's view and beside it. */
export function serveDots(): void {
  const results = [
    { latitude: 25, longitude: -60, time: 1_095_000_000, name: "Ivan" },
    { latitude: 30, longitude: -70, time: 1_095_020_000, name: "Ivan" },
  ];
  gateway.answer(grids.run, ({ body: { level, within = [-180, -90, 180, 90] } }) => {
    return { kind: "rows" as const, level, within: [...within], rows: results.length, results };
  });
}

/** A cell in the middle of every box, with as many rows. */
export function serveGrid(rows: number): void {
  gateway.answer(grids.run, ({ body }) => {
    const { level, within = [-180, -90, 180, 90] } = body;
    const { left, top, columns, rows: high } = cellsOfBox(within as unknown as [number, number, number, number], level);
    const cell = { x: [(left + (columns >> 1)) % 2 ** level], y: [top + (high >> 1)], rows: [rows] };
    return { kind: "cells" as const, level, within: [...within], rows, cells: cell };
  });
}
