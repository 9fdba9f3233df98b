import { z } from "zod";
import { pathColours, type PathLayer } from "./path-layers.ts";

/** Where a person is on the map of a search: part of its address, so that a link shows the same. */
export interface MapPlace {
  /** Null until the map was moved: it then fits the items. */
  readonly view: MapViewpoint | null;
  /** The id of the selected item. */
  readonly selected: string | null;
  /** Ids of the items whose paths are shown. */
  readonly paths: readonly string[];
  /** By item, where they are not the one default layer. */
  readonly layers: Readonly<Record<string, readonly PathLayer[]>>;
  /** How long a gap in a path is; null: as the portal has it. */
  readonly gapMs: number | null;
  /** Where playback stands; null: as it begins. */
  readonly clock: ClockPlace | null;
  /** What narrows the list of items. */
  readonly filter: string;
}

/**
 * What a person chose of playback: the time that is shown, in epoch milliseconds (null: the end), how long before it
 * things are shown (null: everything until then) and the speed. Null each: as it is without a choice.
 */
export type ClockPlace = readonly [atMs: number | null, windowMs: number | null, speed: number | null];

export interface MapViewpoint {
  readonly lng: number;
  readonly lat: number;
  readonly zoom: number;
}

export const startPlace: MapPlace = { view: null, selected: null, paths: [], layers: {}, gapMs: null, clock: null, filter: "" };

/** Paths that an address carries; more are shown, but not said. */
export const mostPaths = 100;
const longestGapMs = 366 * 86_400_000;
const longestFilter = 200;

const viewpoint = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90), z.number().min(0).max(24)]);
const layer = z.tuple([
  z.enum(pathColours),
  z.union([z.literal(0), z.literal(1)]),
  z.tuple([z.string(), z.string(), z.string()]).nullable(),
]);

/** The place with short keys, as an address carries it: `v` view, `s` selected, `p` paths, `g` gap, `l` layers by item, `t` playback, `f` filter. */
export const placeCode = z.strictObject({
  v: viewpoint.optional(),
  s: z.string().optional(),
  p: z.array(z.string()).max(mostPaths).optional(),
  g: z.int().min(1).max(longestGapMs).optional(),
  l: z.record(z.string(), z.array(layer).min(1).max(pathColours.length)).optional(),
  t: z.tuple([z.int().nullable(), z.int().min(1).nullable(), z.number().positive().nullable()]).optional(),
  f: z.string().max(longestFilter).optional(),
});
export type PlaceCode = z.infer<typeof placeCode>;

/** Undefined where there is nothing to say. */
export function codeOfPlace({ view, selected, paths, layers, gapMs, clock, filter }: MapPlace): PlaceCode | undefined {
  const said = paths.slice(0, mostPaths);
  // Layers of paths that are not shown stay in this tab.
  const sent = Object.entries(layers).filter(([item]) => said.includes(item));
  const code: PlaceCode = {
    ...(view ? { v: [rounded(view.lng, 5), rounded(view.lat, 5), rounded(view.zoom, 2)] } : {}),
    ...(selected === null ? {} : { s: selected }),
    ...(said.length > 0 ? { p: said } : {}),
    ...(gapMs === null ? {} : { g: gapMs }),
    ...(clock ? { t: [...clock] } : {}),
    ...(filter !== "" && filter.length <= longestFilter ? { f: filter } : {}),
    ...(sent.length > 0 ? { l: Object.fromEntries(sent.map(([item, of]) => [item, of.map(codeOfLayer)])) } : {}),
  };
  return Object.keys(code).length > 0 ? code : undefined;
}

/** The place that a tab or an address holds; where a map starts, if what it holds is none. */
export function placeOfSlice(slice: unknown): MapPlace {
  const code = placeCode.safeParse(slice);
  return code.success ? placeOfCode(code.data) : startPlace;
}

export function placeOfCode({ v, s, p = [], g, l = {}, t, f = "" }: PlaceCode): MapPlace {
  return {
    view: v ? { lng: v[0], lat: v[1], zoom: v[2] } : null,
    selected: s ?? null,
    paths: [...new Set(p)],
    gapMs: g ?? null,
    clock: t ?? null,
    filter: f,
    layers: Object.fromEntries(Object.entries(l).map(([item, of]) => [item, of.map(layerOfCode)])),
  };
}

const codeOfLayer = ({ colour, isActive, condition }: PathLayer): z.infer<typeof layer> => [
  colour,
  isActive ? 1 : 0,
  condition && [condition.column, condition.operator, condition.value],
];

const layerOfCode = ([colour, active, condition]: z.infer<typeof layer>, index: number): PathLayer => ({
  id: String(index + 1),
  colour,
  isActive: active === 1,
  condition: condition && { column: condition[0], operator: condition[1], value: condition[2] },
});

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
