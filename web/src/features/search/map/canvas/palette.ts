/** Red, green and blue from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number];

export interface Palette {
  readonly path: Colour;
  readonly ground: Colour;
  readonly accent: Colour;
  readonly amber: Colour;
  readonly rose: Colour;
  readonly highlights: readonly Colour[];
}

/** The colours as the theme of the page has them now. */
export function readPalette(highlights: readonly string[]): Palette {
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string) => colourOf(styles.getPropertyValue(name).trim());
  return {
    path: colour("--path"),
    ground: colour("--path-halo"),
    accent: colour("--accent"),
    amber: colour("--amber-mark"),
    rose: colour("--rose-mark"),
    highlights: highlights.map((text) => colourOf(text.startsWith("var(") ? styles.getPropertyValue(text.slice(4, -1)).trim() : text)),
  };
}

/** What CSS takes for a colour; black for what it does not. */
function colourOf(text: string): Colour {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return [0, 0, 0];
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255];
}

/** The icon as white on nothing, in the middle of a marker of that many pixels. */
export function drawnIcon({ width, height, path }: { width: number; height: number; path: string }, size: number): HTMLCanvasElement {
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
