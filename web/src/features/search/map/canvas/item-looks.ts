/** Flag in `Scene.looks`: the item moves along its path, so its stored position is not drawn. */
export const movesFlag = 128;
/** The lower bits of a look are one of this many colors, the next three its size: 0 as usual, 1 small to 7 large. */
export const markColors = 16;
export const sizeShift = 4;
