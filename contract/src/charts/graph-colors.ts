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

/** Colors beyond the palette: the palette lighter, then darker. */
const shades = [
  { name: "light", towards: 255, by: 0.35 },
  { name: "dark", towards: 0, by: 0.35 },
] as const;

const shadeOf = (color: string, { towards, by }: (typeof shades)[number]): string =>
  `#${[1, 3, 5]
    .map((at) => Math.round(Number.parseInt(color.slice(at, at + 2), 16) * (1 - by) + towards * by))
    .map((channel) => channel.toString(16).padStart(2, "0"))
    .join("")}`;

const all: readonly { name: string; color: string }[] = [
  ...palette,
  ...shades.flatMap((shade) => palette.map(({ name, color }) => ({ name: `${name}, ${shade.name}`, color: shadeOf(color, shade) }))),
];

/** The color of a group for the rest. */
export const restColor = "#8b95a1";

/** The color of a group for the rows without a value. */
export const emptyColor = "#c3c9d1";

/** The nth color: those of the palette, then lighter and darker ones; repeats after 24. */
export const colorAt = (index: number): string => all[index % all.length]?.color ?? palette[0].color;

/** The first unused color in palette order. */
export function freeColor(taken: readonly string[]): string {
  return palette.find(({ color }) => !taken.includes(color))?.color ?? colorAt(taken.length);
}

export const colorName = (color: string): string =>
  color === restColor ? "Gray" : color === emptyColor ? "Gray, light" : (all.find((entry) => entry.color === color)?.name ?? color);
