/** The chart palette, the same in both themes and distinguishable with color vision deficiencies. Colors are used in this order. */
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

/** The nth color; repeats after the last. */
export const colorAt = (index: number): string => palette[index % palette.length]?.color ?? palette[0].color;

/** The first unused color in palette order. */
export function freeColor(taken: readonly string[]): string {
  return palette.find(({ color }) => !taken.includes(color))?.color ?? colorAt(taken.length);
}

export const colorName = (color: string): string => palette.find((entry) => entry.color === color)?.name ?? color;
