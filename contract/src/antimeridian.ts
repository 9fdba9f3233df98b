import { type Point, type Ring, withoutRepeats } from "./areas.ts";

/**
 * Splits a shape that was drawn across the antimeridian, with longitudes beyond ±180, into parts within -180 to 180.
 * Returns a shape that is already within that range unchanged.
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
  // Pieces between two crossings; each includes the crossings at its ends.
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
  const closed = joinPieces(pieces);
  return {
    west: closed.filter((part) => part.every(({ lng }) => lng <= meridian)),
    east: closed.filter((part) => part.every(({ lng }) => lng >= meridian) && part.some(isEast)),
  };
}

/**
 * Joins pieces to closed rings. Along the cut, the inside of the shape lies between the first and second crossing, the third
 * and fourth, and so on. So on either side, a piece continues along the cut at the crossing paired with its last one.
 */
function joinPieces(pieces: readonly Point[][]): Ring[] {
  const ends = pieces.map((piece) => piece.at(-1) as Point);
  // Every crossing ends one piece and starts the next. Ordered by latitude, neighbors are paired.
  const order = alternateDirections(ends.map(({ lat }, index) => ({ index, lat })).toSorted((a, b) => a.lat - b.lat));
  const partner = new Map<number, number>();
  for (let position = 0; position + 1 < order.length; position += 2) {
    const [a, b] = [order[position], order[position + 1]] as [number, number];
    partner.set(a, b);
    partner.set(b, a);
  }
  const remaining = new Set(pieces.keys());
  const rings: Ring[] = [];
  for (const start of pieces.keys()) {
    const ring: Point[] = [];
    for (let piece = start; remaining.delete(piece);) {
      ring.push(...(pieces[piece] ?? []));
      // The piece that starts at the paired crossing.
      piece = ((partner.get(piece) ?? piece) + 1) % pieces.length;
    }
    const distinct = withoutRepeats(ring);
    if (distinct.length >= 3) rings.push(distinct);
  }
  return rings;
}

/** Makes eastward and westward crossings alternate. Sorting cannot order two crossings at the same point. */
function alternateDirections(crossings: { readonly index: number; readonly lat: number }[]): number[] {
  for (let position = 1; position + 1 < crossings.length; position++) {
    const [previous, current, next] = crossings.slice(position - 1, position + 2);
    if (previous && current && next && previous.index % 2 === current.index % 2 && current.lat === next.lat) {
      crossings.splice(position, 2, next, current);
    }
  }
  return crossings.map(({ index }) => index);
}
