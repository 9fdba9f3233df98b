import type { MapCanvas } from "#features/search/map/canvas/map-canvas.ts";
import { type Caption, drawFrame, reportCanvas } from "./report-frame.ts";

/** The map as it is shown, as a PNG. */
export function pictureOf(map: MapCanvas, caption: Caption, timeText: string): Promise<Blob> {
  const { canvas, context } = reportCanvas(map);
  drawFrame(context, map, caption, timeText);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The picture could not be encoded.")) : resolve(blob)), "image/png");
  });
}
