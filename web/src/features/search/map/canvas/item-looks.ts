/** Flag in `Scene.looks`: the item moves along its path, so its stored position is not drawn. */
export const movesFlag = 128;
/** The lower bits of a look are one of this many colors, the next three its size: 0 as usual, 1 small to 7 large. */
export const markColors = 16;
export const sizeShift = 4;

/** Codes of paths whose colors are those of markers: as many more than these, after the colors of highlights. */
export const markOffset = 3;
/** The least of these codes, and the code of markers that it is. */
const firstMark = 3;
export const firstPathMark = firstMark + markOffset;

/** Diameter of a marker with this look, compared with the usual one. The shader computes the same. */
export function sizeFactor(look: number): number {
  const size = (look & (movesFlag - 1)) >> sizeShift;
  return size === 0 ? 1 : 0.4 + 0.25 * size;
}
