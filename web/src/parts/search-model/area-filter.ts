import type { Ring } from "@fairway/contract/areas";
import { z } from "zod";
import type { GeospatialFilter } from "./search-record.ts";

/** An area as stored in the tab across reloads. */
export const storedArea = z.object({
  polygons: z.array(z.object({ id: z.string(), points: z.array(z.object({ lat: z.number(), lng: z.number() })).readonly() })).readonly(),
  text: z.string(),
});

/** A filter of the shapes; null when there are none. Rings must be within ±180° and must not cross themselves. */
export function areaFilter(rings: readonly Ring[]): GeospatialFilter | null {
  if (rings.length === 0) return null;
  return { polygons: rings.map((points, index) => ({ id: `area-${index + 1}`, points })), text: areaText(rings) };
}

/** A summary of the extent: `Area 18° N – 31° N, 98° W – 80° W`, from east to west where it crosses the antimeridian. */
function areaText(rings: readonly Ring[]): string {
  const lats = rings.flatMap((ring) => ring.map(({ lat }) => lat));
  const lngs = rings.flatMap((ring) => ring.map(({ lng }) => lng));
  const subject = rings.length === 1 ? "Area" : `${rings.length} areas`;
  if (!crossesAntimeridian(rings)) return `${subject} ${span(lats, "N", "S")}, ${span(lngs, "E", "W")}`;
  const west = lngs.filter((lng) => lng >= 0).reduce((a, b) => Math.min(a, b), 180);
  const east = lngs.filter((lng) => lng < 0).reduce((a, b) => Math.max(a, b), -180);
  // One drawn shape has a ring on each side.
  const crossing = rings.length === 2 ? "Area" : subject;
  return `${crossing} ${span(lats, "N", "S")}, ${degrees(west, "E", "W")} – ${degrees(east, "E", "W")}, crosses the antimeridian`;
}

/** Whether rings end at the antimeridian on both of its sides, each within its own half of the world. */
function crossesAntimeridian(rings: readonly Ring[]): boolean {
  const lngs = new Set(rings.flatMap((ring) => ring.map(({ lng }) => lng)));
  const isInOneHalf = rings.every((ring) => ring.every(({ lng }) => lng >= 0) || ring.every(({ lng }) => lng <= 0));
  return isInOneHalf && lngs.has(180) && lngs.has(-180);
}

/** `1.6° N, 24.8° W` */
export const pointText = (lat: number, lng: number): string => `${degrees(lat, "N", "S")}, ${degrees(lng, "E", "W")}`;

function span(values: readonly number[], positive: string, negative: string): string {
  const [min, max] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  return `${degrees(min, positive, negative)} – ${degrees(max, positive, negative)}`;
}

function degrees(value: number, positive: string, negative: string): string {
  const rounded = Math.round(value * 10) / 10;
  return rounded === 0 ? "0°" : `${Math.abs(rounded)}° ${rounded < 0 ? negative : positive}`;
}
