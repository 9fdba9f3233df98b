import { type Point, type Ring, crossesItself } from "./crossing.ts";

export type { Point, Ring } from "./crossing.ts";

/** Maximum number of corners of a shape. */
export const maxCorners = 10_000;

/** Maximum length of a coordinate; a double has at most 17 significant digits. */
const maxCoordinateCharacters = 40;

/** Far more than two coordinates need. Longer texts are refused before they are split. */
const maxCornerCharacters = 1_000;

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const parseCoordinate = (text: string): number =>
  text.length <= maxCoordinateCharacters && decimal.test(text) ? Number(text) : Number.NaN;

/** Upper bound on the number of corners in a text, counted without parsing them. Includes a closing corner. */
export function countCorners(text: string): number {
  let corners = 1;
  for (let at = text.indexOf(","); at !== -1; at = text.indexOf(",", at + 1)) corners++;
  return corners;
}

/**
 * Parses `lng lat, lng lat, …`. The ring may be open or closed; corners that repeat the previous one are dropped. `problem`
 * completes a sentence whose subject is the shape.
 */
export function parseRing(text: string): { readonly ring: Ring } | { readonly problem: string } {
  const tooMany = cornersProblem(countCorners(text) - 1);
  if (tooMany !== null) return { problem: tooMany };
  const points: Point[] = [];
  for (const [index, pair] of text.split(",").entries()) {
    const parts = pair.length > maxCornerCharacters ? [] : pair.trim().split(/\s+/);
    const [lng, lat] = parts.map(parseCoordinate);
    if (parts.length !== 2 || lng === undefined || lat === undefined || Number.isNaN(lng) || Number.isNaN(lat)) {
      return { problem: `has no 'longitude latitude' at its corner ${index + 1}` };
    }
    if (Math.abs(lng) > 180) return { problem: `has a longitude outside -180 to 180 at its corner ${index + 1}` };
    if (Math.abs(lat) > 90) return { problem: `has a latitude outside -90 to 90 at its corner ${index + 1}` };
    points.push({ lat, lng });
  }
  const ring = withoutRepeats(points);
  const problem = ringProblem(ring);
  return problem === null ? { ring } : { problem };
}

/** Why a ring cannot be searched; null if it can. */
export function ringProblem(ring: Ring): string | null {
  if (ring.length < 3) return "needs at least three different corners";
  const tooMany = cornersProblem(ring.length);
  if (tooMany !== null) return tooMany;
  return crossesItself(ring) ? "crosses itself" : null;
}

const cornersProblem = (corners: number): string | null => (corners > maxCorners ? `has more than ${maxCorners} corners` : null);

/** `lng lat, lng lat, …`, closed with the first corner. */
export const ringText = (ring: Ring): string => [...ring, ...ring.slice(0, 1)].map(({ lat, lng }) => `${lng} ${lat}`).join(", ");

/** Without corners that repeat the one before. */
export function withoutRepeats(points: Ring): Ring {
  const [first, ...others] = points;
  if (first === undefined) return points;
  const distinct = [first];
  for (const point of others) if (!isSamePoint(point, distinct.at(-1) ?? first)) distinct.push(point);
  return distinct.length > 1 && isSamePoint(distinct.at(-1) ?? first, first) ? distinct.slice(0, -1) : distinct;
}

const isSamePoint = (a: Point, b: Point): boolean => a.lat === b.lat && a.lng === b.lng;
