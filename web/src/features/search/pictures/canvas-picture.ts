import { layOutFoot, type LaidOutFoot, type PictureFoot } from "./picture-foot.ts";

/** A canvas without transparency, of so many pixels. Throws if the browser has none. */
export function opaqueCanvas(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) throw new Error("The canvas has no 2D context.");
  return { canvas, context };
}

export const pngOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The picture could not be encoded.")) : resolve(blob)), "image/png");
  });

interface FootLook {
  color: string;
  background: string;
  font: string;
}

/** A canvas, whose pixels are `ratio` times those of the page, as a PNG with the foot below it. */
export function pngWithFoot(drawn: HTMLCanvasElement, ratio: number, foot: PictureFoot, look: FootLook): Promise<Blob> {
  const laidOut = layOutFoot(foot, drawn.width / ratio, look.font);
  const { canvas, context } = opaqueCanvas(drawn.width, drawn.height + laidOut.heightPx * ratio);
  context.drawImage(drawn, 0, 0);
  drawFoot(context, laidOut, drawn.height, ratio, look);
  return pngOf(canvas);
}

function drawFoot(context: CanvasRenderingContext2D, foot: LaidOutFoot, top: number, ratio: number, look: FootLook): void {
  context.fillStyle = look.background;
  context.fillRect(0, top, context.canvas.width, context.canvas.height - top);
  context.fillStyle = look.color;
  context.font = `${foot.fontPx * ratio}px ${look.font}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const [index, line] of foot.lines.entries()) context.fillText(line, foot.x * ratio, top + foot.yOf(index) * ratio);
}
