import type { MapCanvas } from "#features/search/map/canvas/map-canvas.ts";
import { opaqueCanvas } from "#features/search/pictures/canvas-picture.ts";

/** A map of which pictures are taken. */
export type DrawnMap = Pick<MapCanvas, "size" | "drawInto">;

/** Texts on pictures and videos of a map. */
export interface Caption {
  readonly title: string;
  readonly attribution: string;
}

/** A canvas for pictures of the map, with even sides as video encoders require. Throws if the browser has none. */
export const reportCanvas = ({ size }: Pick<DrawnMap, "size">) => opaqueCanvas(size.width & ~1, size.height & ~1);

/** Draws the map with its title, the time and the source of the base map. */
export function drawFrame(
  context: CanvasRenderingContext2D,
  map: Pick<DrawnMap, "drawInto">,
  { title, attribution }: Caption,
  timeText: string,
): void {
  const { width, height } = context.canvas;
  const ratio = globalThis.devicePixelRatio || 1;
  map.drawInto(context);
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string) => styles.getPropertyValue(name).trim();
  const { fontFamily } = getComputedStyle(document.body);
  const write = (text: string, pixels: number, weight: number, x: number, y: number, align: "left" | "right") => {
    context.font = `${weight} ${pixels * ratio}px ${fontFamily}`;
    context.textAlign = align;
    context.textBaseline = "middle";
    const { width: textWidth } = context.measureText(text);
    const pad = 6 * ratio;
    context.globalAlpha = 0.85;
    context.fillStyle = color("--bg");
    context.fillRect((align === "left" ? x : x - textWidth) - pad, y - pixels * ratio, textWidth + 2 * pad, 2 * pixels * ratio);
    context.globalAlpha = 1;
    context.fillStyle = color("--text");
    context.fillText(text, x, y);
  };
  const edge = 16 * ratio;
  write(title, 16, 600, edge, edge + 8 * ratio, "left");
  write(timeText, 14, 500, edge, height - edge - 4 * ratio, "left");
  write(attribution, 10, 400, width - edge, height - edge, "right");
}
