import type { MapView } from "@fairway/contract/map-view";
import { recordOf } from "@fairway/contract/records";
import { z } from "zod";
import type { Viewpoint } from "#features/search/map/canvas/map-canvas.ts";
import { decodeRows, encodeRows, rowsCode, type RowsState } from "./rows-state.ts";
import { pathColors, type PathLayer } from "./path-layers.ts";

/** Orders of the list of items. `value`: by the column that colors them. */
const itemOrders = ["name", "time", "value"] as const;
export type ItemOrder = (typeof itemOrders)[number];

/** The view of a map that a person has chosen. It is part of the address, so that a link opens the same view. */
export interface MapViewState {
  /** Null until the map has been moved; the map fits the items until then. */
  readonly view: Viewpoint | null;
  /** The id of the selected item. */
  readonly selected: string | null;
  /** Ids of the items whose paths are shown. */
  readonly paths: readonly string[];
  /** By item id, for items without the default layers. */
  readonly layers: Readonly<Record<string, readonly PathLayer[]>>;
  /** Path gap threshold; null = portal default. */
  readonly gapMs: number | null;
  /** Playback settings; null = defaults. */
  readonly clock: ClockSettings | null;
  /** The text filter of the item list. */
  readonly filter: string;
  /** Whether the tracks of all items are shown; null = if there are few items. */
  readonly tracks: boolean | null;
  /** The columns that color and size the markers; null = those of the dataset, "" = age, and the same size. */
  readonly colorColumn: string | null;
  readonly sizeColumn: string | null;
  /** Whether dense items are drawn as groups. */
  readonly isGrouped: boolean;
  /** The order of the item list. */
  readonly order: ItemOrder;
  /** Whether the map shows all rows instead of items. */
  readonly showsRows: boolean;
  /** How all rows are shown. */
  readonly rows: RowsState;
}

/**
 * The playback settings that a person chose: the shown time in epoch milliseconds (null = the end), the length of the
 * time window (null = everything up to the shown time) and the speed (null = default).
 */
export type ClockSettings = readonly [atMs: number | null, windowMs: number | null, speed: number | null];

export const initialViewState: MapViewState = {
  view: null,
  selected: null,
  paths: [],
  layers: {},
  gapMs: null,
  clock: null,
  filter: "",
  tracks: null,
  colorColumn: null,
  sizeColumn: null,
  isGrouped: true,
  order: "name",
  showsRows: false,
  rows: {},
};

/** How a map looks until a person changes it. */
const firstViewState = (first: MapView | null): MapViewState =>
  first === null ? initialViewState : { ...initialViewState, showsRows: first.show === "rows", rows: first.rows ?? {} };

/** Maximum number of paths in an address. More can be shown, but the address omits them. */
export const maxPaths = 100;
const maxGapMs = 366 * 86_400_000;
const maxFilterLength = 200;

const viewpoint = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90), z.number().min(0).max(24)]);
const layer = z.tuple([
  z.enum(pathColors),
  z.union([z.literal(0), z.literal(1)]),
  z.tuple([z.string(), z.string(), z.string()]).nullable(),
]);

/**
 * The view state with short keys, as stored in an address: `v` viewpoint, `s` selected, `p` paths, `g` gap, `l` layers
 * by item, `t` playback, `f` filter, `a` tracks of all
 * items, `c` and `z` columns of color and size, `k` groups, `o` order of the list, `r` all rows, which are shown if it is there, `i` items
 * where the dataset shows all rows first.
 */
export const viewStateCode = z.strictObject({
  v: viewpoint.optional(),
  s: z.string().optional(),
  p: z.array(z.string()).max(maxPaths).optional(),
  g: z.int().min(1).max(maxGapMs).optional(),
  l: recordOf(z.string(), z.array(layer).min(1).max(pathColors.length)).optional(),
  t: z.tuple([z.int().nullable(), z.int().min(1).nullable(), z.number().positive().nullable()]).optional(),
  f: z.string().max(maxFilterLength).optional(),
  a: z.union([z.literal(0), z.literal(1)]).optional(),
  c: z.string().optional(),
  z: z.string().optional(),
  k: z.literal(0).optional(),
  o: z.enum(itemOrders).optional(),
  i: z.literal(1).optional(),
  // An invalid one leaves the rest of the address as it is.
  r: rowsCode.optional().catch(undefined),
});
export type ViewStateCode = z.infer<typeof viewStateCode>;

/** Undefined for the initial view state. `first`: the first look of the dataset. */
export function encodeViewState(viewState: MapViewState, first: MapView | null = null): ViewStateCode | undefined {
  const { view, selected, paths, layers, gapMs, clock, filter, tracks, colorColumn, sizeColumn, isGrouped, order, showsRows, rows } =
    viewState;
  const addressedPaths = paths.slice(0, maxPaths);
  // Layers of hidden paths are kept in memory only.
  const addressedLayers = Object.entries(layers).filter(([item]) => addressedPaths.includes(item));
  const code: ViewStateCode = {
    ...(view ? { v: [round(view.lng, 5), round(view.lat, 5), round(view.zoom, 2)] } : {}),
    ...(selected === null ? {} : { s: selected }),
    ...(addressedPaths.length > 0 ? { p: addressedPaths } : {}),
    ...(gapMs === null ? {} : { g: gapMs }),
    ...(clock ? { t: [...clock] } : {}),
    ...(filter !== "" && filter.length <= maxFilterLength ? { f: filter } : {}),
    ...(tracks === null ? {} : { a: tracks ? 1 : 0 }),
    ...(colorColumn === null ? {} : { c: colorColumn }),
    ...(sizeColumn === null ? {} : { z: sizeColumn }),
    ...(isGrouped ? {} : { k: 0 as const }),
    ...(order === "name" ? {} : { o: order }),
    ...(showsRows ? { r: encodeRows(rows) } : first?.show === "rows" ? { i: 1 as const } : {}),
    ...(addressedLayers.length > 0
      ? { l: Object.fromEntries(addressedLayers.map(([item, itemLayers]) => [item, itemLayers.map(encodeLayer)])) }
      : {}),
  };
  return Object.keys(code).length > 0 ? code : undefined;
}

/** Parses what a tab or an address holds; falls back to the first look if it is invalid. */
export function parseViewState(slice: unknown, first: MapView | null = null): MapViewState {
  const code = viewStateCode.safeParse(slice);
  return code.success ? decodeViewState(code.data, first) : firstViewState(first);
}

export function decodeViewState(
  { v, s, p = [], g, l = {}, t, f = "", a, c, z: size, k, o = "name", i, r }: ViewStateCode,
  first: MapView | null = null,
): MapViewState {
  const looks = firstViewState(first);
  return {
    view: v ? { lng: v[0], lat: v[1], zoom: v[2] } : null,
    selected: s ?? null,
    paths: [...new Set(p)],
    gapMs: g ?? null,
    clock: t ?? null,
    filter: f,
    tracks: a === undefined ? null : a === 1,
    colorColumn: c ?? null,
    sizeColumn: size ?? null,
    isGrouped: k === undefined,
    order: o,
    showsRows: r !== undefined || (looks.showsRows && i === undefined),
    rows: r === undefined ? looks.rows : decodeRows(r),
    layers: Object.fromEntries(Object.entries(l).map(([item, codes]) => [item, codes.map(decodeLayer)])),
  };
}

const encodeLayer = ({ color, isActive, condition }: PathLayer): z.infer<typeof layer> => [
  color,
  isActive ? 1 : 0,
  condition && [condition.column, condition.operator, condition.value],
];

const decodeLayer = ([color, active, condition]: z.infer<typeof layer>, index: number): PathLayer => ({
  id: String(index + 1),
  color,
  isActive: active === 1,
  condition: condition && { column: condition[0], operator: condition[1], value: condition[2] },
});

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
