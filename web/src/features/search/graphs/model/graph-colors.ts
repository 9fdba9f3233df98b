/** The palette of charts, the same in both themes; told apart also by those who see fewer colours. Used in this order. */
export const palette = [
  { name: "Blue", color: "#099bf1" },
  { name: "Orange", color: "#e36f17" },
  { name: "Dark green", color: "#306f57" },
  { name: "Purple", color: "#97419d" },
  { name: "Sage", color: "#799d76" },
  { name: "Indigo", color: "#586ad9" },
  { name: "Rust", color: "#b4380b" },
  { name: "Mauve", color: "#9c7ab0" },
] as const;

/** The colour of the nth thing; after eight they begin anew. */
export const colourAt = (index: number): string => palette[index % palette.length]?.color ?? palette[0].color;

/** The first colour that is not taken, in the palette's order. */
export function freeColour(taken: readonly string[]): string {
  return palette.find(({ color }) => !taken.includes(color))?.color ?? colourAt(taken.length);
}

export const colourName = (color: string): string => palette.find((one) => one.color === color)?.name ?? color;
