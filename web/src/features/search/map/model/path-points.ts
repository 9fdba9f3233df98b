import type { CellValue, ResultRow } from "@fairway/contract/search";
import { type MapFields, placeIn, timeIn } from "./map-fields.ts";

/** The positions of one item in time order, in columns. */
export interface PathPoints {
  readonly count: number;
  readonly lng: Float64Array;
  readonly lat: Float64Array;
  /** Epoch milliseconds. */
  readonly timeMs: Float64Array;
  /** What else was asked for, by column. */
  readonly values: ReadonlyMap<string, readonly CellValue[]>;
  /** Rows without a place or a time. */
  readonly leftOut: number;
  /** There is more than the server answers. */
  readonly isCut: boolean;
}

/** The rows of a path, in the order of their times. `columns`: what to keep of them beside place and time. */
export function pathPoints(
  rows: readonly ResultRow[],
  fields: MapFields,
  { columns, isCut = false }: { columns: readonly string[]; isCut?: boolean },
): PathPoints {
  const points = rows.flatMap((row) => {
    const place = placeIn(row, fields);
    const timeMs = timeIn(row, fields);
    return "problem" in place || timeMs === null ? [] : [{ ...place, timeMs, row }];
  });
  if (points.some(({ timeMs }, index) => timeMs < (points[index - 1]?.timeMs ?? -Infinity))) {
    points.sort((one, other) => one.timeMs - other.timeMs);
  }
  return {
    count: points.length,
    lng: Float64Array.from(points, ({ lng }) => lng),
    lat: Float64Array.from(points, ({ lat }) => lat),
    timeMs: Float64Array.from(points, ({ timeMs }) => timeMs),
    values: new Map(columns.map((column) => [column, points.map(({ row }) => row[column] ?? null)])),
    leftOut: rows.length - points.length,
    isCut,
  };
}

/** For every step from one position to the next, 1 where it took longer than the threshold: nothing is known of the way between. */
export function gapsOf({ timeMs, count }: Pick<PathPoints, "timeMs" | "count">, gapMs: number): Uint8Array {
  const gaps = new Uint8Array(Math.max(0, count - 1));
  for (let step = 0; step < gaps.length; step += 1) if ((timeMs[step + 1] ?? 0) - (timeMs[step] ?? 0) > gapMs) gaps[step] = 1;
  return gaps;
}
