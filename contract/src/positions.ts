import type { Point } from "./crossing.ts";

/** Longitudes may go on eastward to here instead of ending at the antimeridian, as those of ocean and climate data do. */
export const lastLongitude = 360;

/** Degrees around the Earth: 201.2 and -158.8 are one longitude. */
export const fullTurn = 360;

/** Digits after the point that degrees keep when they are turned around the Earth: a tenth of a millimeter. */
export const degreeDigits = 9;

/** The position of two coordinates, with a longitude of -180 to 180; null if they are none. */
export function pointOf(lat: number, lng: number): Point | null {
  if (!(Math.abs(lat) <= 90 && lng >= -180 && lng <= lastLongitude)) return null;
  return { lat, lng: lng <= 180 ? lng : Number((lng - fullTurn).toFixed(degreeDigits)) };
}
