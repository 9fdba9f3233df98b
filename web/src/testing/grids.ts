import { breakdowns } from "@fairway/contract/breakdowns";
import type { TimeBucket } from "@fairway/contract/distributions";
import { nextBucketStart } from "@fairway/contract/time-buckets";
import { type GridAnswer, type GridRequest, grids, type GridTime, type GridTotals } from "@fairway/contract/grid";
import { type Box, cellBox, cellsAcross, cellsOfBox } from "@fairway/contract/grid-cells";
import type { ResultRow } from "@fairway/contract/search";
import { search } from "@fairway/contract/search";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { alterDescription, storms } from "./datasets-screen.ts";
import { lastRows, mapLink, pathRows, prepareAddressedMaps, serveLimits } from "./maps.ts";
import { gateway, openScreen } from "./open-screen.tsx";

/** Every position of the storms of 2004 in the demo. */
export const positions = (): ResultRow[] =>
  lastRows().flatMap((last) =>
    pathRows({ filters: [{ name: "storm_id", operator: "=", value: last["storm_id"] ?? null }] }).map((row) =>
      Object.assign(row, { storm_id: last["storm_id"] ?? null, name: last["name"] ?? null }),
    ),
  );

const numberAt = (row: ResultRow, name: string): number => Number(row[name] ?? Number.NaN);

/** The answer of a grid over these rows, whatever their filters. */
export function gridOf(rows: readonly ResultRow[], { level, within, measure, rows: maxRows, time }: GridRequest): GridAnswer {
  const count = cellsAcross(level);
  const range = within ? cellsOfBox(within as unknown as Box, level) : { left: 0, top: 0, columns: count, rows: count };
  const placed = rows.flatMap((row) => {
    const [latitude, longitude] = [numberAt(row, "latitude"), numberAt(row, "longitude")];
    if (Number.isNaN(latitude) || Number.isNaN(longitude)) return [];
    const { left: x, top: y } = cellsOfBox([longitude, latitude, longitude, latitude], level);
    const column = (x - range.left + count) % count;
    return column < range.columns && y >= range.top && y < range.top + range.rows ? [{ row, x, y }] : [];
  });
  const box = [...cellBox(range, level)];
  if (maxRows !== undefined && placed.length <= maxRows) {
    return { kind: "rows", level, within: box, rows: placed.length, results: placed.map(({ row }) => row) };
  }
  const byCell = Map.groupBy(placed, ({ x, y }) => y * count + x);
  const cells = [...byCell].toSorted(([a], [b]) => a - b).map(([key, found]) => ({ key, rows: found.map(({ row }) => row) }));
  const valuesOf = (found: readonly ResultRow[]) => found.map((row) => numberAt(row, measure?.column ?? ""));
  const totals: GridTotals = { rows: rows.length, placed: placed.length, missing: rows.length - placed.length, outOfRange: 0, polar: 0 };
  return {
    kind: "cells",
    level,
    within: box,
    rows: placed.length,
    ...(within ? {} : { totals }),
    cells: {
      x: cells.map(({ key }) => key % count),
      y: cells.map(({ key }) => Math.floor(key / count)),
      rows: cells.map(({ rows: found }) => found.length),
      ...(measure
        ? {
            counted: cells.map(({ rows: found }) => found.length),
            value: cells.map(({ rows: found }) => aggregated(measure.aggregation, valuesOf(found))),
          }
        : {}),
    },
    ...(time
      ? stepsOfCells(
          cells.map(({ rows: found }) => found),
          time,
          measure,
        )
      : {}),
  };
}

const timeMsOf = (row: ResultRow): number => numberAt(row, "time") * 1_000;

/** How many rows, which all have a time, lie in each step. */
export function bucketsOf(rows: readonly ResultRow[], { startMs, endMs, ...size }: GridTime): TimeBucket[] {
  const buckets: TimeBucket[] = [];
  for (let fromMs = startMs; fromMs < endMs;) {
    const toMs = nextBucketStart(fromMs, size);
    const found = rows.filter((row) => timeMsOf(row) >= fromMs && timeMsOf(row) < toMs);
    buckets.push({ startMs: fromMs, endMs: toMs, rows: found.length });
    fromMs = toMs;
  }
  return buckets;
}

/** Counts of rows in each step of each cell, with their values. */
function stepsOfCells(cells: readonly (readonly ResultRow[])[], time: GridTime, measure: GridRequest["measure"]) {
  const buckets = bucketsOf(cells.flat(), time);
  const filled = cells.flatMap((rows, cell) =>
    buckets.flatMap(({ startMs, endMs }, bucket) => {
      const found = rows.filter((row) => timeMsOf(row) >= startMs && timeMsOf(row) < endMs);
      return found.length === 0 ? [] : [{ cell, bucket, found }];
    }),
  );
  const ofParts = (aggregation: string) =>
    filled.map(({ found }) =>
      aggregated(
        aggregation,
        found.map((row) => numberAt(row, measure?.column ?? "")),
      ),
    );
  return {
    time: { buckets, untimed: 0, elsewhen: 0 },
    frames: {
      cell: filled.map(({ cell }) => cell),
      bucket: filled.map(({ bucket }) => bucket),
      rows: filled.map(({ found }) => found.length),
      ...(measure ? { counted: filled.map(({ found }) => found.length) } : {}),
      ...(measure ? (measure.aggregation === "avg" ? { sum: ofParts("sum") } : { value: ofParts(measure.aggregation) }) : {}),
    },
  };
}

function aggregated(aggregation: string, values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (aggregation === "min") return Math.min(...values);
  if (aggregation === "max") return Math.max(...values);
  return aggregation === "avg" ? sum / values.length : sum;
}

const figures = {
  rows: 24,
  by: [],
  measures: [],
  cells: [{ at: [], values: [24, 25, 130, 53.4] }],
  totals: null,
  compare: null,
  isCut: false,
  engine: "DuckDB",
  zoneData: "2025b",
  computedMs: 0,
  durationMs: 1,
};

/** Makes the gateway answer the figures of a cell's card. */
export const serveCellFigures = (): void => gateway.answer(breakdowns.run, figures);

/** Makes the gateway count the positions of the storms of 2004, or other rows, by place. A map shows more than 20 of them as cells. */
export function prepareGrids(rows: readonly ResultRow[] = positions()): void {
  prepareAddressedMaps();
  serveLimits({ mapRows: 20 });
  alterDescription(storms, (description) => ({ ...description, assists: [...description.assists, "BREAKDOWN", "GRID"] }));
  gateway.answer(grids.run, ({ body }) => gridOf(rows, body));
  serveCellFigures();
}

/** The bodies of all grid calls, in order. */
export const gridRequests = () => gateway.received(grids.run).map(({ body }) => body);
/** The bodies of the searches for the rows of a cell. */
export const cellRequests = () => gateway.received(search.run).flatMap(({ body }) => (body.within === undefined ? [] : [body]));

export const rowsMap = (): Locator => page.getByRole("application", { name: "Map of rows" });
export const cellList = (): Locator => page.getByRole("listbox", { name: /cells$|^Rows in view$/ });
export const listedCells = (): Locator => cellList().getByRole("option");

/** Opens the storms of 2004 with all rows on the map. `rows`: how they are shown, as in an address. */
export async function openRows(rows: object = {}, view?: object): Promise<void> {
  await openScreen(mapLink({ r: rows, ...view }));
  await expect.element(rowsMap()).toHaveAttribute("data-ready", "true");
}
