import { expect } from "vitest";
import { page } from "vitest/browser";
import { details, mapOf, pixelOf, servePath, type View, pathRows } from "./maps.ts";
import { mapColors, takePicture } from "./pixels.ts";

export const look: View = [-70, 28, 4];

/** Positions along 30° north, ten degrees and six hours apart, with these winds. */
export const alterPath = (winds: readonly number[]) =>
  servePath((body) => {
    const start = Number(pathRows(body)[0]?.["time"]);
    return winds.map((wind, index) => ({ time: start + index * 21_600, latitude: 30, longitude: -90 + 10 * index, wind }));
  });

export const panel = (name = "Jeanne") => page.getByRole("region", { name: `Path layers of ${name}` });

/** The number of pixels in a color around places of the path. */
export async function pathPixels() {
  const picture = await takePicture(mapOf());
  return (longitude: number, color: keyof typeof mapColors) => picture.count(pixelOf(look, longitude, 30), 14, mapColors[color]);
}

export async function openLayers(name = "Jeanne"): Promise<void> {
  await details(name).getByRole("button", { name: "Path layers" }).click();
  await expect.element(panel(name)).toBeVisible();
}
