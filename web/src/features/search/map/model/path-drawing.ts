import type { Column } from "@fairway/contract/columns";
import type { DrawnPath } from "#features/search/map/canvas/map-canvas.ts";
import { pathColours } from "./path-colors.ts";
import { defaultLayers, highlightTest, type PathLayer } from "./path-layers.ts";
import type { PathPoints } from "./path-points.ts";

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
