import type { Ring } from "@fairway/contract/areas";
import { z } from "zod";
import type { GeospatialFilter } from "./search-record.ts";

/** An area as this tab keeps it over a reload. */
export const storedArea = z.object({
  polygons: z.array(z.object({ id: z.string(), points: z.array(z.object({ lat: z.number(), lng: z.number() })).readonly() })).readonly(),
  text: z.string(),
});

/** Shapes as a filter, null where there are none. Rings are within ±180° and do not cross themselves. */
export function areaFilter(rings: readonly Ring[]): GeospatialFilter | null {
  if (rings.length === 0) return null;
  return { polygons: rings.map((points, index) => ({ id: `area-${index + 1}`, points })), text: areaText(rings) };
}

/** Where the shapes lie, for panels: `Area 18° N – 31° N, 98° W – 80° W`. */
function areaText(rings: readonly Ring[]): string {
  const lats = rings.flatMap((ring) => ring.map(({ lat }) => lat));
  const lngs = rings.flatMap((ring) => ring.map(({ lng }) => lng));
  const what = rings.length === 1 ? "Area" : `${rings.length} areas`;
  return `${what} ${span(lats, "N", "S")}, ${span(lngs, "E", "W")}`;
}

function span(values: readonly number[], positive: string, negative: string): string {
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  return `${degrees(least, positive, negative)} – ${degrees(most, positive, negative)}`;
}

function degrees(value: number, positive: string, negative: string): string {
  const rounded = Math.round(value * 10) / 10;
  return rounded === 0 ? "0°" : `${Math.abs(rounded)}° ${rounded < 0 ? negative : positive}`;
}
