import type { MapItems } from "#features/search/map/canvas/map-canvas.ts";
import type { MapItem } from "./map-items.ts";

/** Items as the canvas draws them, in the default color. */
export const drawnItems = (items: readonly MapItem[]): MapItems => ({
  ids: items.map(({ id }) => id),
  latitudes: Float64Array.from(items, ({ lat }) => lat),
  longitudes: Float64Array.from(items, ({ lng }) => lng),
  timesMs: Float64Array.from(items, ({ timeMs }) => timeMs ?? Number.NaN),
  colors: new Uint8Array(items.length),
  names: items.map(({ name }) => name),
});
