import { vi } from "vitest";
import { type Locator, page } from "vitest/browser";

export type Rgb = readonly [red: number, green: number, blue: number];

/** Colors of the map in the light theme. */
export const mapColors = {
  path: [27, 58, 138],
  amber: [199, 119, 0],
  rose: [212, 47, 80],
  orange: [227, 111, 23],
  white: [255, 255, 255],
  sea: [219, 232, 241],
} as const satisfies Record<string, Rgb>;

/** Makes maps draw a sixteenth of the pixels: without a GPU, pixels are most of what a map costs. Nothing else depends on the ratio. */
export const drawCoarsely = (): void => drawPixels(0.25);

/** Makes maps draw all pixels again, for tests that look at them, in a window that is only as high as these need. */
export async function drawSharply({ windowHeight = 480 } = {}): Promise<void> {
  drawPixels(1);
  await page.viewport(1440, windowHeight);
}

const drawPixels = (ratio: number): void => void vi.spyOn(globalThis, "devicePixelRatio", "get").mockReturnValue(ratio);

export interface Point {
  x: number;
  y: number;
}

/** A screenshot of an element; points are relative to its top left corner. */
export interface Picture {
  colorAt: (point: Point) => Rgb;
  /** The number of pixels within `radius` of a point that have about this color. */
  count: (point: Point, radius: number, color: Rgb) => number;
}

export async function takePicture(locator: Locator): Promise<Picture> {
  const base64 = await page.screenshot({ element: locator, save: false });
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  if (!context) throw new Error("The canvas has no 2D context.");
  context.drawImage(image, 0, 0);
  const scale = image.width / locator.element().getBoundingClientRect().width;
  const colorAt = ({ x, y }: Point): Rgb => {
    const [red = 0, green = 0, blue = 0] = context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data;
    return [red, green, blue];
  };
  return {
    colorAt,
    count: ({ x, y }, radius, color) => {
      const size = 2 * radius + 1;
      const { data } = context.getImageData(Math.round(x * scale) - radius, Math.round(y * scale) - radius, size, size);
      return Array.from({ length: size * size }, (_, index) => [...data.subarray(4 * index, 4 * index + 3)]).filter((pixel) =>
        isSimilarColor(pixel, color),
      ).length;
    },
  };
}

/** Whether two colors are equal except for antialiasing. */
export const isSimilarColor = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((value, channel) => Math.abs(value - (other[channel] ?? 0)) <= 24);
