import { opaqueCanvas, pngOf } from "./canvas-picture.ts";
import { layOutFoot, type PictureFoot, type PictureLook } from "./picture-foot.ts";

const namespace = "http://www.w3.org/2000/svg";

export function svgElement(name: string, attributes: Readonly<Record<string, string | number>>, text?: string): Element {
  const element = document.createElementNS(namespace, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** An SVG of rectangles, lines and texts with this content and its foot below, on the background of the theme. */
export function svgPicture(
  content: Element,
  { width, height }: { width: number; height: number },
  foot: PictureFoot,
  { mutedText, background, font }: PictureLook,
): { svg: Element; width: number; height: number } {
  const laidOut = layOutFoot(foot, width, font);
  const whole = height + laidOut.heightPx;
  const svg = svgElement("svg", { width, height: whole, viewBox: `0 0 ${width} ${whole}` });
  const look = { fill: mutedText, "font-family": font, "font-size": laidOut.fontPx, "dominant-baseline": "central" };
  const texts = svgElement("g", look);
  texts.append(...laidOut.lines.map((line, index) => svgElement("text", { x: laidOut.x, y: height + laidOut.yOf(index) }, line)));
  svg.append(svgElement("rect", { width, height: whole, fill: background }), content, texts);
  return { svg, width, height: whole };
}

export const svgBlob = (svg: Element): Blob => new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });

const ratio = 2;

/** The picture as a PNG of twice its size. Drawn here, because an SVG in an image has none of the fonts of the page. */
export function rasterized({ svg, width, height }: { svg: Element; width: number; height: number }): Promise<Blob> {
  const { canvas, context } = opaqueCanvas(width * ratio, height * ratio);
  context.scale(ratio, ratio);
  context.textBaseline = "middle";
  for (const element of svg.querySelectorAll("rect, line, text")) draw(context, element);
  return pngOf(canvas);
}

function draw(context: CanvasRenderingContext2D, element: Element): void {
  const numberOf = (name: string): number => Number(element.getAttribute(name) ?? 0);
  /** Its own, or of the closest group. */
  const lookOf = (name: string): string => element.closest(`[${name}]`)?.getAttribute(name) ?? "";
  const [x, y] = [numberOf("x"), numberOf("y")];
  context.fillStyle = lookOf("fill");
  switch (element.tagName) {
    case "rect":
      context.globalAlpha = Number(element.getAttribute("fill-opacity") ?? 1);
      context.beginPath();
      context.roundRect(x, y, numberOf("width"), numberOf("height"), numberOf("rx"));
      context.fill();
      context.globalAlpha = 1;
      break;
    case "line":
      context.strokeStyle = lookOf("stroke");
      context.beginPath();
      context.moveTo(numberOf("x1"), numberOf("y1"));
      context.lineTo(numberOf("x2"), numberOf("y2"));
      context.stroke();
      break;
    default:
      context.font = `${lookOf("font-weight") || "400"} ${lookOf("font-size")}px ${lookOf("font-family")}`;
      context.textAlign = lookOf("text-anchor") === "end" ? "right" : "left";
      context.fillText(element.textContent ?? "", x, y);
  }
}
