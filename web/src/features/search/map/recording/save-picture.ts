import { readChartTheme } from "#features/search/graphs/chart/chart-theme.ts";
import { pngWithFoot } from "#features/search/pictures/canvas-picture.ts";
import type { PictureFoot } from "#features/search/pictures/picture-foot.ts";
import { type Caption, type DrawnMap, drawFrame, reportCanvas } from "./report-frame.ts";

/** The map as it is shown, as a PNG, with the foot below it. `drawMore` adds to the map, such as a legend. */
export function pictureOf(
  map: DrawnMap,
  caption: Caption,
  timeText: string,
  foot: PictureFoot,
  drawMore?: (context: CanvasRenderingContext2D) => void,
): Promise<Blob> {
  const { canvas, context } = reportCanvas(map);
  drawFrame(context, map, caption, timeText);
  drawMore?.(context);
  const { text: color, background, font } = readChartTheme(document.documentElement);
  return pngWithFoot(canvas, globalThis.devicePixelRatio || 1, foot, { color, background, font });
}
