import type { Page } from "@playwright/test";

export type Pixel = readonly [red: number, green: number, blue: number];

/** The colors at these points of the page. */
export async function pixelsAt(page: Page, points: readonly (readonly [x: number, y: number])[]): Promise<Pixel[]> {
  const shot = await page.screenshot();
  return await page.evaluate(
    async ({ text, at }) => {
      // Not fetched as a data URL, which the portal's content security policy forbids.
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      if (context === null) return [];
      context.drawImage(image, 0, 0);
      return at.map(([x, y]) => {
        const [red = 0, green = 0, blue = 0] = context.getImageData(Math.round(x), Math.round(y), 1, 1).data;
        return [red, green, blue] as const;
      });
    },
    { text: shot.toString("base64"), at: points },
  );
}

/** Whether two colors are equal except for antialiasing. */
export const isSimilarColor = (a: Pixel | undefined, b: Pixel): boolean =>
  a !== undefined && a.every((value, channel) => Math.abs(value - (b[channel] ?? 0)) <= 24);
