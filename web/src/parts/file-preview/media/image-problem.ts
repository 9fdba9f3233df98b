import { imageSize } from "./image-size.ts";
import { svgWeight } from "./svg-weight.ts";

/** Instances of elements that a browser lays out within a moment. */
const maxSvgWeight = 200_000;

/** The reason why an image is not shown; null if it can be. One whose size cannot be read may have any. */
export function pixelProblem(bytes: ArrayBuffer, maxPixels: number): string | null {
  const size = imageSize(bytes);
  if (size === null) return "The size of the image can't be read.";
  if (size.width * size.height <= maxPixels) return null;
  const [width, height] = [size.width, size.height].map((side) => side.toLocaleString("en-US"));
  return `The image has ${width} × ${height} pixels, too many to show here.`;
}

/** The reason why a drawing is not shown; null if it can be. */
export const svgProblem = (text: string): string | null =>
  svgWeight(text, maxSvgWeight) > maxSvgWeight ? "The drawing has too many parts to show here." : null;
