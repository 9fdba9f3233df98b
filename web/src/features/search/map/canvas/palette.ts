/** Red, green and blue from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number];

export interface Palette {
  readonly path: Color;
  readonly ground: Color;
  readonly accent: Color;
  readonly amber: Color;
  readonly rose: Color;
  readonly highlights: readonly Color[];
  /** Colors 3 and up of markers. */
  readonly marks: readonly Color[];
  /** CSS colors of groups of items. */
  readonly group: string;
  readonly onGroup: string;
  /** CSS colors of names at markers. */
  readonly name: string;
  readonly nameHalo: string;
}

/** The current colors of the page's theme. */
export function readPalette(highlights: readonly string[], marks: readonly string[] = []): Palette {
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string) => parseColor(styles.getPropertyValue(name).trim());
  const parse = (text: string) => parseColor(text.startsWith("var(") ? styles.getPropertyValue(text.slice(4, -1)).trim() : text);
  return {
    path: color("--path"),
    ground: color("--path-halo"),
    accent: color("--accent"),
    amber: color("--amber-mark"),
    rose: color("--rose-mark"),
    name: styles.getPropertyValue("--text").trim(),
    nameHalo: styles.getPropertyValue("--bg").trim(),
    highlights: highlights.map(parse),
    marks: marks.map(parse),
    group: styles.getPropertyValue("--accent-solid").trim(),
    onGroup: styles.getPropertyValue("--on-accent").trim(),
  };
}

/** Parses any CSS color; black if it is invalid. */
export function parseColor(text: string): Color {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return [0, 0, 0];
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255];
}

/** The icon in white on a transparent square of this many pixels, centered. */
export function drawIcon({ width, height, path }: { width: number; height: number; path: string }, size: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  if (context === null) return canvas;
  const scale = (size * 0.5) / Math.max(width, height);
  context.translate((size - width * scale) / 2, (size - height * scale) / 2);
  context.scale(scale, scale);
  context.clip(new Path2D(path));
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  return canvas;
}
