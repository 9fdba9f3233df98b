import type { Column } from "@fairway/contract/columns";
import type { PathDataDraft } from "@fairway/contract/map-results";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { markOffset } from "#features/search/map/canvas/item-looks.ts";
import type { DrawnPath } from "#features/search/map/canvas/map-canvas.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";
import { type MapFields, coordinatesOf, timeOf } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";
import { defaultLayers, highlightTest, pathColors, type PathLayer } from "./path-layers.ts";

/** The positions of one item in time order, stored by column. */
export interface PathPoints {
  readonly count: number;
  readonly lng: Float64Array;
  readonly lat: Float64Array;
  /** Epoch milliseconds. */
  readonly timeMs: Float64Array;
  /** Other requested values, by column. */
  readonly values: ReadonlyMap<string, readonly CellValue[]>;
  /** Number of rows without coordinates or time. */
  readonly skipped: number;
  /** The server cut the answer off. */
  readonly isCut: boolean;
  /** Of a thinned path: for how much time between two points is no gap, in addition to the threshold. */
  readonly resolutionMs?: number;
}

/** A path or track that is drawn; null until its points are loaded. */
export interface ShownPath {
  readonly points: PathPoints | null;
}

/** Creates the points of a path, sorted by time. `columns`: the values to keep besides coordinates and time. */
export function pathPoints(
  rows: readonly ResultRow[],
  fields: MapFields,
  { columns, isCut = false }: { columns: readonly string[]; isCut?: boolean },
): PathPoints {
  const points = rows.flatMap((row) => {
    const coordinates = coordinatesOf(row, fields);
    const timeMs = timeOf(row, fields);
    return "problem" in coordinates || timeMs === null ? [] : [{ ...coordinates, timeMs, row }];
  });
  if (points.some(({ timeMs }, index) => timeMs < (points[index - 1]?.timeMs ?? -Infinity))) {
    points.sort((a, b) => a.timeMs - b.timeMs);
  }
  return {
    count: points.length,
    lng: Float64Array.from(points, ({ lng }) => lng),
    lat: Float64Array.from(points, ({ lat }) => lat),
    timeMs: Float64Array.from(points, ({ timeMs }) => timeMs),
    values: new Map(columns.map((column) => [column, points.map(({ row }) => row[column] ?? null)])),
    skipped: rows.length - points.length,
    isCut,
  };
}

/** For every step between two positions: 1 if it took longer than the threshold, so that the way between is unknown. */
export function findGaps({ timeMs, count }: Pick<PathPoints, "timeMs" | "count">, gapMs: number): Uint8Array {
  const gaps = new Uint8Array(Math.max(0, count - 1));
  for (let step = 0; step < gaps.length; step += 1) if ((timeMs[step + 1] ?? 0) - (timeMs[step] ?? 0) > gapMs) gaps[step] = 1;
  return gaps;
}

/** The columns that a path request needs: coordinates, time and what its layers read. */
export const pathColumns = ({ latitude, longitude, time }: MapFields, more: readonly string[]): string[] => [
  ...new Set([time.name, latitude, longitude, ...more]),
];

/** Whether the path of an item can be requested: its group must be known. */
export const hasPath = ({ group }: Pick<MapItem, "group">): boolean => group !== null && group !== "";

interface PathColumns {
  fields: MapFields;
  columns: readonly string[];
  minimumIntervalMs: number;
  paging?: { offset: number; max: number } | undefined;
}

/** The body of a path request (or, without `paging`, of its count): the search narrowed to the item. */
export function pathDataOf(search: SearchDefinition, { group }: Pick<MapItem, "group">, request: PathColumns): PathDataDraft {
  const { filters = [], ...data } = countDataOf(search);
  return {
    ...(request.paging ? { paging: request.paging } : {}),
    ...data,
    filters: [...filters, { name: request.fields.group.name, operator: "=", value: group ?? "" }],
    columns: pathColumns(request.fields, request.columns),
    minimumIntervalMs: request.minimumIntervalMs,
  };
}

/** CSS custom properties of path colors 1 and up; `hiddenColor` marks points that no active layer matches. */
export const highlightProperties = pathColors.slice(1).map((color) => `--${color}`);
export const hiddenColor = pathColors.length;

/** The last drawn path per points. Unchanged layers return the same object, so that it is not uploaded again. */
const lastDrawn = new WeakMap<
  PathPoints,
  { readonly layers: readonly PathLayer[]; readonly marks: Uint8Array | undefined; readonly drawn: DrawnPath }
>();

/**
 * Colors a path by its layers; if several match, the last one in the list wins. With `marks`, the colors of its points by a column, these
 * take the place of the color of the layer of all positions.
 */
export function drawnPath(
  id: string,
  points: PathPoints,
  layers: readonly PathLayer[],
  columns: readonly Column[],
  marks?: Uint8Array,
): DrawnPath {
  const previous = lastDrawn.get(points);
  if (previous?.layers === layers && previous.marks === marks) return previous.drawn;
  const drawn = colorPath(id, points, layers, columns, marks);
  lastDrawn.set(points, { layers, marks, drawn });
  return drawn;
}

function colorPath(
  id: string,
  points: PathPoints,
  layers: readonly PathLayer[],
  columns: readonly Column[],
  marks: Uint8Array | undefined,
): DrawnPath {
  const { lat: latitudes, lng: longitudes, timeMs: timesMs, count, resolutionMs = 0 } = points;
  const colors = new Uint8Array(count).fill(hiddenColor);
  for (const { color, condition } of readableLayers(layers, points)) {
    const matches = highlightTest(condition, columns);
    const values = condition && points.values.get(condition.column);
    const colorAt = (index: number) =>
      condition === null && marks !== undefined ? (marks[index] ?? 0) + markOffset : pathColors.indexOf(color);
    for (let index = 0; index < count; index += 1) if (matches(values?.[index] ?? null)) colors[index] = colorAt(index);
  }
  return { id, latitudes, longitudes, timesMs, resolutionMs, colors, marks };
}

/** The active layers whose columns were loaded; the default layers if none of them was. */
function readableLayers(layers: readonly PathLayer[], { values }: PathPoints): readonly PathLayer[] {
  const active = layers.filter(({ isActive }) => isActive);
  const loaded = active.filter(({ condition }) => condition === null || values.has(condition.column));
  return loaded.length === 0 && active.length > 0 ? defaultLayers : loaded;
}
