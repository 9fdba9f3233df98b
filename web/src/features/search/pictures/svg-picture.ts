import { opaqueCanvas, pngOf } from "./canvas-picture.ts";
import { layOutFoot, type PictureFoot, type PictureLook } from "./picture-foot.ts";

const namespace = "http://www.w3.org/2000/svg";

export function svgElement(name: string, attributes: Readonly<Record<string, string | number>>, text?: string): Element {
  const element = document.createElementNS(namespace, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** The text of an SVG with this content and its foot below, on the background of the theme. */
export function svgPicture(
  content: Element,
  { width, height }: { width: number; height: number },
  foot: PictureFoot,
  { mutedText, background, font }: PictureLook,
): { svg: string; width: number; height: number } {
  const laidOut = layOutFoot(foot, width, font);
  const whole = height + laidOut.heightPx;
  const svg = svgElement("svg", { width, height: whole, viewBox: `0 0 ${width} ${whole}` });
  const look = { fill: mutedText, "font-family": font, "font-size": laidOut.fontPx, "dominant-baseline": "central" };
  const texts = svgElement("g", look);
  texts.append(...laidOut.lines.map((line, index) => svgElement("text", { x: laidOut.x, y: height + laidOut.yOf(index) }, line)));
  svg.append(svgElement("rect", { width, height: whole, fill: background }), content, texts);
  return { svg: new XMLSerializer().serializeToString(svg), width, height: whole };
}

export const svgBlob = (svg: string): Blob => new Blob([svg], { type: "image/svg+xml" });

const ratio = 2;

/** The picture as a PNG of twice its size. */
export async function rasterized({ svg, width, height }: { svg: string; width: number; height: number }): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const { canvas, context } = opaqueCanvas(width * ratio, height * ratio);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}
