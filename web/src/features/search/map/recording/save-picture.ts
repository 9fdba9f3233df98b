import type { MapCanvas } from "#features/search/map/canvas/map-canvas.ts";
import { readChartTheme } from "#features/search/graphs/chart/chart-theme.ts";
import { drawFoot, layOutFoot, type PictureFoot } from "#features/search/pictures/picture-foot.ts";
import { pngOf } from "#features/search/pictures/svg-picture.ts";
import { type Caption, drawFrame, reportCanvas } from "./report-frame.ts";

/** The map as it is shown, as a PNG, with the foot below it. */
export function pictureOf(map: MapCanvas, caption: Caption, timeText: string, foot: PictureFoot): Promise<Blob> {
  const { canvas: frame, context: frameContext } = reportCanvas(map);
  drawFrame(frameContext, map, caption, timeText);
  const ratio = globalThis.devicePixelRatio || 1;
  const { text, background, font } = readChartTheme(document.documentElement);
  const laidOut = layOutFoot(foot, frame.width / ratio, font);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [frame.width, frame.height + laidOut.heightPx * ratio];
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) throw new Error("The canvas has no 2D context.");
  context.drawImage(frame, 0, 0);
  drawFoot(context, laidOut, { topPx: frame.height / ratio, ratio, color: text, background, fontFamily: font });
  return pngOf(canvas);
}
