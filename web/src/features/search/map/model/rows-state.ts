import { measureAggregations } from "@fairway/contract/grid";
import { cellsAcross, maxGridLevel } from "@fairway/contract/grid-cells";
import { mapCellSizes, mapPalettes, type MapRowsView, mapScales } from "@fairway/contract/map-view";
import { z } from "zod";
import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";

/** How a person sees all rows. */
export interface RowsState extends MapRowsView {
  readonly selected?: CellRef | undefined;
}

const cell = z
  .tuple([z.int().min(0).max(maxGridLevel), z.int().min(0), z.int().min(0)])
  .refine(([level, x, y]) => x < cellsAcross(level) && y < cellsAcross(level), "is no cell of its level");

/**
 * The same with short keys, as an address holds it: `p` cell size in pixels, `c` aggregation and column, `u` per area, `s` scale, `d` range,
 * `k` typed range, `q` palette, `h` selected cell.
 */
export const rowsCode = z.strictObject({
  p: z.literal(mapCellSizes).optional(),
  c: z.tuple([z.enum(measureAggregations), z.string().min(1).max(1_000)]).optional(),
  u: z.literal(1).optional(),
  s: z.enum(mapScales).optional(),
  d: z
    .union([z.literal("full"), z.tuple([z.number(), z.number()]).refine(([low, high]) => low <= high, "has a high end below its low end")])
    .optional(),
  k: z.literal(1).optional(),
  q: z.enum(mapPalettes).optional(),
  h: cell.optional(),
});
export type RowsCode = z.infer<typeof rowsCode>;

export function encodeRows({ cell: size, measure, perArea, scale, range, palette, selected }: RowsState): RowsCode {
  return {
    ...(size === undefined ? {} : { p: size }),
    ...(measure === undefined ? {} : { c: [measure.aggregation, measure.column] as [typeof measure.aggregation, string] }),
    ...(perArea === true ? { u: 1 as const } : {}),
    ...(scale === undefined ? {} : { s: scale }),
    ...(range === undefined ? {} : { d: range === "full" ? range : ([range.low, range.high] as [number, number]) }),
    ...(range !== "full" && range?.isTyped === true ? { k: 1 as const } : {}),
    ...(palette === undefined ? {} : { q: palette }),
    ...(selected === undefined ? {} : { h: [selected.level, selected.x, selected.y] as [number, number, number] }),
  };
}

export function decodeRows({ p, c, u, s, d, k, q, h }: RowsCode): RowsState {
  return {
    ...(p === undefined ? {} : { cell: p }),
    ...(c === undefined ? {} : { measure: { aggregation: c[0], column: c[1] } }),
    ...(u === undefined ? {} : { perArea: true }),
    ...(s === undefined ? {} : { scale: s }),
    ...(d === undefined ? {} : { range: d === "full" ? d : { low: d[0], high: d[1], ...(k === 1 ? { isTyped: true } : {}) } }),
    ...(q === undefined ? {} : { palette: q }),
    ...(h === undefined ? {} : { selected: { level: h[0], x: h[1], y: h[2] } }),
  };
}
