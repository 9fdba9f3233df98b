/** A position in degrees. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** The corners of a shape in order, without repeating the first one at the end. */
export type Ring = readonly Point[];

/** Up to this many corners, comparing all edges is at least as fast as sorting them. */
const maxPairwiseCorners = 50;

/** Whether two edges share more than the corner between neighbors. Touching counts, because the inside would be ambiguous. */
export const crossesItself = (ring: Ring): boolean =>
  (ring.length > maxPairwiseCorners ? crossesBySweep(ring) : undefined) ?? crossesByPairs(ring);

/** Compares every edge with every other one. */
export function crossesByPairs(ring: Ring): boolean {
  const edges = edgesOf(ring);
  for (const [index, edge] of edges.entries()) {
    // No slice per edge: with thousands of corners, the copies would cost more than the comparisons.
    for (let next = index + 1; next < edges.length; next++) {
      const other = edges[next];
      if (other === undefined) break;
      const follows = next === index + 1;
      const precedes = index === 0 && next === edges.length - 1;
      if (follows && foldsBack(edge.from, edge.to, other.to)) return true;
      if (!follows && precedes && foldsBack(other.from, other.to, edge.to)) return true;
      if (!follows && !precedes && meet(edge, other)) return true;
    }
  }
  return false;
}

/**
 * The same in O(n log n), for more than three corners: a line sweeps over the corners from west to east, and only edges that
 * become adjacent on it are compared (Shamos and Hoey). Undefined if rounding leaves the order of the edges undecided. Decision 0125.
 */
export function crossesBySweep(ring: Ring): boolean | undefined {
  const corners = [...ring.keys()].sort((a, b) => order(ring[a], ring[b]));
  if (corners.some((corner, at) => at > 0 && order(ring[corner], ring[corners[at - 1] ?? corner]) === 0)) return true;
  const edges = edgesOf(ring);
  // Edges that the line crosses, from south to north.
  const crossed: Edge[] = [];
  const meetAt = (lower: number) => {
    const [a, b] = [crossed[lower], crossed[lower + 1]];
    return a !== undefined && b !== undefined && !areNeighbors(a, b, ring.length) && meet(a, b);
  };
  for (const corner of corners) {
    const previous = edges.at(corner - 1);
    const next = edges[corner];
    if (previous === undefined || next === undefined) return undefined;
    const here = next.from;
    if (foldsBack(previous.from, here, next.to)) return true;
    const { position, touched } = findPosition(crossed, here);
    if (touched) return meet(touched, previous) || meet(touched, next) ? true : undefined;
    // If both edges end here, they are adjacent.
    const first = crossed[position - 1]?.east === here ? position - 1 : position;
    const previousEnds = previous.east === here;
    const nextEnds = next.east === here;
    const ending = Number(previousEnds) + Number(nextEnds);
    const isAmongEnding = (edge: Edge) => crossed[first] === edge || (ending === 2 && crossed[first + 1] === edge);
    if ((previousEnds && !isAmongEnding(previous)) || (nextEnds && !isAmongEnding(next))) return undefined;
    if (ending === 2) crossed.splice(first, 2);
    else if (ending === 1) crossed[first] = previousEnds ? next : previous;
    else crossed.splice(first, 0, ...(turn(here, next.east, previous.east) <= 0 ? [previous, next] : [next, previous]));
    if (meetAt(first - 1) || (ending < 2 && meetAt(first + 1 - ending))) return true;
  }
  return false;
}

interface Edge {
  readonly from: Point;
  readonly to: Point;
  readonly index: number;
  /** The same two ends, in the order of the sweep. */
  readonly west: Point;
  readonly east: Point;
}

const edgesOf = (ring: Ring): Edge[] =>
  ring.map((from, index) => {
    const to = ring[(index + 1) % ring.length] ?? from;
    return order(from, to) < 0 ? { from, to, index, west: from, east: to } : { from, to, index, west: to, east: from };
  });

const areNeighbors = (a: Edge, b: Edge, count: number): boolean => {
  const distance = Math.abs(a.index - b.index);
  return distance === 1 || distance === count - 1;
};

/** West to east, then south to north. */
const order = (a: Point | undefined, b: Point | undefined): number =>
  a === undefined || b === undefined ? 0 : a.lng - b.lng || a.lat - b.lat;

/** The number of edges below a point; edges that end at it may or may not be counted. `touched` is any other edge that it lies on. */
function findPosition(crossed: readonly Edge[], point: Point): { readonly position: number; readonly touched?: Edge } {
  let [low, high] = [0, crossed.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const edge = crossed[middle];
    if (edge === undefined) break;
    const side = turn(edge.west, edge.east, point);
    if (edge.east === point) return { position: middle };
    if (side === 0) return { position: middle, touched: edge };
    if (side > 0) low = middle + 1;
    else high = middle;
  }
  return { position: low };
}

/** Positive if c lies left of the line from a to b, zero if on it. */
const turn = (a: Point, b: Point, c: Point): number => (b.lng - a.lng) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lng - a.lng);

const foldsBack = (a: Point, corner: Point, b: Point): boolean =>
  turn(a, corner, b) === 0 && (a.lng - corner.lng) * (b.lng - corner.lng) + (a.lat - corner.lat) * (b.lat - corner.lat) > 0;

function meet(a: Edge, b: Edge): boolean {
  // Fast path: the bounding boxes of most pairs are disjoint.
  if (Math.max(a.from.lng, a.to.lng) < Math.min(b.from.lng, b.to.lng)) return false;
  if (Math.max(b.from.lng, b.to.lng) < Math.min(a.from.lng, a.to.lng)) return false;
  if (Math.max(a.from.lat, a.to.lat) < Math.min(b.from.lat, b.to.lat)) return false;
  if (Math.max(b.from.lat, b.to.lat) < Math.min(a.from.lat, a.to.lat)) return false;
  const sidesOfA = [turn(a.from, a.to, b.from), turn(a.from, a.to, b.to)] as const;
  const sidesOfB = [turn(b.from, b.to, a.from), turn(b.from, b.to, a.to)] as const;
  // The boxes overlap, and each edge has its ends on both sides of the other's line, or on it.
  return Math.sign(sidesOfA[0]) * Math.sign(sidesOfA[1]) <= 0 && Math.sign(sidesOfB[0]) * Math.sign(sidesOfB[1]) <= 0;
}
