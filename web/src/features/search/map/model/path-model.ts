import type { Column } from "@fairway/contract/columns";
import type { PathDataDraft } from "@fairway/contract/map-results";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import type { DrawnPath } from "#features/search/map/canvas/map-canvas.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";
import { type MapFields, placeIn, timeIn } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";
import { defaultLayers, highlightTest, pathColours, type PathLayer } from "./path-layers.ts";

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

/** The columns that a path needs: place, time, and what its layers read. */
export const pathColumns = ({ latitude, longitude, time }: MapFields, more: readonly string[]): string[] => [
  ...new Set([time.name, latitude, longitude, ...more]),
];

/** Whether the path of an item can be asked for: its group has to be known. */
export const hasPath = ({ group }: Pick<MapItem, "group">): boolean => group !== null && group !== "";

interface Wanted {
  fields: MapFields;
  columns: readonly string[];
  minimumIntervalMs: number;
  paging?: { offset: number; max: number } | undefined;
}

/** The body of a path call, and without `paging` of its count: the search narrowed to the item. */
export function pathDataOf(search: SearchDefinition, { group }: Pick<MapItem, "group">, wanted: Wanted): PathDataDraft {
  const { filters = [], ...asked } = countDataOf(search);
  return {
    ...(wanted.paging ? { paging: wanted.paging } : {}),
    ...asked,
    filters: [...filters, { name: wanted.fields.group.name, operator: "=", value: group ?? "" }],
    columns: pathColumns(wanted.fields, wanted.columns),
    minimumIntervalMs: wanted.minimumIntervalMs,
  };
}

/** Colours of a drawn path from 1 on, as custom properties; the last is what no active layer shows. */
export const highlightProperties = pathColours.slice(1).map((colour) => `--${colour}`);
export const hiddenColour = pathColours.length;

/** What was drawn last of points: the same object as long as the layers are the same, so that it is not uploaded again. */
const last = new WeakMap<PathPoints, { readonly layers: readonly PathLayer[]; readonly drawn: DrawnPath }>();

/** A path in the colours of its layers: where several fit, the one further down their list. */
export function drawnPath(id: string, points: PathPoints, layers: readonly PathLayer[], columns: readonly Column[]): DrawnPath {
  const before = last.get(points);
  if (before?.layers === layers) return before.drawn;
  const drawn = coloured(id, points, layers, columns);
  last.set(points, { layers, drawn });
  return drawn;
}

function coloured(id: string, points: PathPoints, layers: readonly PathLayer[], columns: readonly Column[]): DrawnPath {
  const { lat: latitudes, lng: longitudes, timeMs: timesMs, count } = points;
  const colours = new Uint8Array(count).fill(hiddenColour);
  for (const { colour, condition } of readable(layers, points)) {
    const fits = highlightTest(condition, columns);
    const values = condition && points.values.get(condition.column);
    for (let index = 0; index < count; index += 1) if (fits(values?.[index] ?? null)) colours[index] = pathColours.indexOf(colour);
  }
  return { id, latitudes, longitudes, timesMs, colours };
}

/** The active layers whose columns came with the points; where nothing could be drawn by them, the default. */
function readable(layers: readonly PathLayer[], { values }: PathPoints): readonly PathLayer[] {
  const active = layers.filter(({ isActive }) => isActive);
  const there = active.filter(({ condition }) => condition === null || values.has(condition.column));
  return there.length === 0 && active.length > 0 ? defaultLayers : there;
}
