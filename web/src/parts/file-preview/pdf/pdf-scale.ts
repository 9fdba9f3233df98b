/** Width and height of a page in points (1/72 inch). */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** CSS pixels per point at a zoom of 100 %. */
const actualSize = 96 / 72;
const zoomSteps = [0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5] as const;
/** Browsers limit the height of an element to some 17 million pixels. */
const maxTotalHeight = 15_000_000;
const maxPageSide = 16_000;
/** Some browsers draw nothing on larger canvases. */
const maxCanvasPixels = 16_777_216;
const maxCanvasSide = 16_384;

/** `auto`: as wide as the view, but not larger than the actual size. A number: 1 is the actual size. */
export type Zoom = "auto" | "width" | number;

/** CSS pixels per point of a page. Huge pages are drawn smaller than asked for. */
export function pageScale(zoom: Zoom, size: PageSize, available: number, count: number): number {
  const fit = available / size.width;
  const wanted = zoom === "width" ? fit : zoom === "auto" ? Math.min(fit, actualSize) : zoom * actualSize;
  return Math.min(wanted, maxPageSide / Math.max(size.width, size.height), maxTotalHeight / count / size.height);
}

export const zoomOf = (scale: number): number => scale / actualSize;

/** The next zoom from a scale. */
export function nextZoom(scale: number, by: -1 | 1): number {
  const zoom = zoomOf(scale);
  const next = by > 0 ? zoomSteps.find((step) => step > zoom * 1.01) : zoomSteps.findLast((step) => step < zoom * 0.99);
  return next ?? zoom;
}

/** Device pixels per CSS pixel of a canvas of this size. */
export const canvasRatio = (width: number, height: number, devicePixelRatio: number): number =>
  Math.min(devicePixelRatio, Math.sqrt(maxCanvasPixels / (width * height)), maxCanvasSide / Math.max(width, height));

/** Distance of each page from the top of the document, with a last entry for the end. */
export function pageTops(heights: readonly number[], gap: number): number[] {
  let top = gap;
  const tops = [top];
  for (const height of heights) tops.push((top += height + gap));
  return tops;
}

/** The page at a distance from the top: the last one that begins at or above it. */
export function pageAt(tops: readonly number[], offset: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
