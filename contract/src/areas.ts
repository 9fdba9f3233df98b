import { type Point, type Ring, crossesItself } from "./crossing.ts";

export type { Point, Ring } from "./crossing.ts";

/** Upper bound on the corners that are read. */
export const maxCorners = 10_000;

/** Longest coordinate that is read: a double has at most 17 significant digits. */
const maxCoordinateCharacters = 40;

/** Far more than two coordinates need; longer texts are refused before they are split. */
const maxCornerCharacters = 1_000;

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

const coordinate = (text: string): number => (text.length <= maxCoordinateCharacters && decimal.test(text) ? Number(text) : Number.NaN);

/** How many corners a text may hold, counted without reading any of them. A closing corner counts as well. */
export function countCorners(text: string): number {
  let corners = 1;
  for (let at = text.indexOf(","); at !== -1; at = text.indexOf(",", at + 1)) corners++;
  return corners;
}

/**
 * Reads `lng lat, lng lat, …`. The ring may be closed or not; corners that repeat the one before are dropped. The problem
 * completes a sentence that names the shape.
 */
export function parseRing(text: string): { readonly ring: Ring } | { readonly problem: string } {
  const tooMany = cornersProblem(countCorners(text) - 1);
  if (tooMany !== null) return { problem: tooMany };
  const points: Point[] = [];
  for (const [index, pair] of text.split(",").entries()) {
    const parts = pair.length > maxCornerCharacters ? [] : pair.trim().split(/\s+/);
    const [lng, lat] = parts.map(coordinate);
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

/** What keeps a ring from being searched; null when nothing does. */
export function ringProblem(ring: Ring): string | null {
  if (ring.length < 3) return "needs at least three different corners";
  const tooMany = cornersProblem(ring.length);
  if (tooMany !== null) return tooMany;
  return crossesItself(ring) ? "crosses itself" : null;
}

const cornersProblem = (corners: number): string | null => (corners > maxCorners ? `has more than ${maxCorners} corners` : null);

/** `lng lat, lng lat, …`, the first corner again at the end. */
export const ringText = (ring: Ring): string => [...ring, ...ring.slice(0, 1)].map(({ lat, lng }) => `${lng} ${lat}`).join(", ");

function withoutRepeats(points: Ring): Ring {
  const [first, ...others] = points;
  if (first === undefined) return points;
  const kept = [first];
  for (const point of others) if (!same(point, kept.at(-1) ?? first)) kept.push(point);
  return kept.length > 1 && same(kept.at(-1) ?? first, first) ? kept.slice(0, -1) : kept;
}

const same = (a: Point, b: Point): boolean => a.lat === b.lat && a.lng === b.lng;

/**
 * The parts of a shape that was drawn over the antimeridian, with longitudes beyond ±180, each within -180 to 180.
 * A shape that stays within is answered as it is.
 */
export function splitAtAntimeridian(ring: Ring): readonly Ring[] {
  if (ring.some(({ lng }) => lng > 180)) {
    const { west, east } = cutAt(ring, 180);
    return [...west, ...east.flatMap((part) => splitAtAntimeridian(part.map(({ lat, lng }) => ({ lat, lng: lng - 360 }))))];
  }
  if (ring.some(({ lng }) => lng < -180)) {
    const { west, east } = cutAt(ring, -180);
    return [...west.flatMap((part) => splitAtAntimeridian(part.map(({ lat, lng }) => ({ lat, lng: lng + 360 })))), ...east];
  }
  return [ring];
}

/** Cuts a ring that does not cross itself along a meridian. */
function cutAt(ring: Ring, meridian: number): { west: Ring[]; east: Ring[] } {
  const isEast = ({ lng }: Point) => lng > meridian;
  const first = ring.findIndex((point, index) => isEast(point) !== isEast(ring[(index + 1) % ring.length] ?? point));
  if (first === -1) return ring.some(isEast) ? { west: [], east: [ring] } : { west: [ring], east: [] };
  // Pieces between two crossings, each with the crossings at its ends.
  const pieces: Point[][] = [];
  for (let step = 0; step < ring.length; step++) {
    const from = ring[(first + step) % ring.length];
    const to = ring[(first + step + 1) % ring.length];
    if (from === undefined || to === undefined) continue;
    if (isEast(from) === isEast(to)) pieces.at(-1)?.push(to);
    else {
      const crossing = { lng: meridian, lat: from.lat + ((to.lat - from.lat) * (meridian - from.lng)) / (to.lng - from.lng) };
      pieces.at(-1)?.push(crossing);
      pieces.push([crossing, to]);
    }
  }
  // The last piece ends where the first began.
  pieces.at(-1)?.push(...(pieces[0] ?? []).slice(0, 1));
  const closed = joined(pieces);
  return {
    west: closed.filter((part) => part.every(({ lng }) => lng <= meridian)),
    east: closed.filter((part) => part.every(({ lng }) => lng >= meridian) && part.some(isEast)),
  };
}

/**
 * Along the cut the shape's inside lies between the first and the second crossing, the third and the fourth, and so on; on
 * either side a piece goes on, along the cut, at the crossing that its last one is paired with.
 */
function joined(pieces: readonly Point[][]): Ring[] {
  const ends = pieces.map((piece) => piece.at(-1) as Point);
  // Every crossing ends one piece and begins the next: ordered by latitude, neighbours are paired.
  const order = alternating(ends.map(({ lat }, index) => ({ index, lat })).toSorted((a, b) => a.lat - b.lat));
  const partner = new Map<number, number>();
  for (let place = 0; place + 1 < order.length; place += 2) {
    const [a, b] = [order[place], order[place + 1]] as [number, number];
    partner.set(a, b);
    partner.set(b, a);
  }
  const left = new Set(pieces.keys());
  const rings: Ring[] = [];
  for (const start of pieces.keys()) {
    const ring: Point[] = [];
    for (let piece = start; left.delete(piece);) {
      ring.push(...(pieces[piece] ?? []));
      // The piece that begins where the paired crossing ends another.
      piece = ((partner.get(piece) ?? piece) + 1) % pieces.length;
    }
    const tidy = withoutRepeats(ring);
    if (tidy.length >= 3) rings.push(tidy);
  }
  return rings;
}

/** Crossings in their order, those to the east and to the west in turns: where two fall on one point, sorting cannot tell them. */
function alternating(crossings: { readonly index: number; readonly lat: number }[]): number[] {
  for (let place = 1; place + 1 < crossings.length; place++) {
    const [before, here, next] = crossings.slice(place - 1, place + 2);
    if (before && here && next && before.index % 2 === here.index % 2 && here.lat === next.lat) crossings.splice(place, 2, next, here);
  }
  return crossings.map(({ index }) => index);
}
