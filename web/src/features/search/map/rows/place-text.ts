import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";
import { boxText } from "#parts/search-model/cell-filter.ts";
import { boxOfCell } from "./cell-set.ts";

/** Digits that tell a cell from its neighbors. */
const digitsOf = (level: number): number => Math.max(1, Math.ceil(Math.log10(2 ** level / 360)));

const latitudeText = (latitude: number, digits: number): string =>
  `${Math.abs(latitude).toFixed(digits)}°${sideOf(latitude, digits, "N", "S")}`;
const longitudeText = (longitude: number, digits: number): string => {
  const turned = turnedLongitude(longitude);
  return `${Math.abs(turned).toFixed(digits)}°${sideOf(turned, digits, "E", "W")}`;
};

const sideOf = (degrees: number, digits: number, positive: string, negative: string): string =>
  Number(degrees.toFixed(digits)) === 0 ? "" : ` ${degrees > 0 ? positive : negative}`;

/** From -180 to 180. */
export const turnedLongitude = (longitude: number): number => (longitude > 180 ? longitude - 360 : longitude);

/** Of the place of a row. */
export const placeDigits = 3;

/** `20.0° N, 92.1° W`. */
export const placeText = (latitude: number, longitude: number, digits: number): string =>
  `${latitudeText(latitude, digits)}, ${longitudeText(longitude, digits)}`;

/** The middle of a cell in degrees. */
export function centerOf(cell: CellRef): { readonly lat: number; readonly lng: number } {
  const [west, south, east, north] = boxOfCell(cell);
  return { lat: (south + north) / 2, lng: turnedLongitude((west + east) / 2) };
}

/** The center of a cell. */
export function cellPlaceText(cell: CellRef): string {
  const { lat, lng } = centerOf(cell);
  return placeText(lat, lng, digitsOf(cell.level));
}

/** `27.1–28.3° N, 88.6–87.2° W`. */
export const cellBoxText = (cell: CellRef): string => boxText(boxOfCell(cell));
