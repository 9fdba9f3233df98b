import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import "#testing/css-locator.ts";
import { addressedMapState, mapOf, openMap, pixelOf, prepareAddressedMaps, serveTracks } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { drawSharply, takePicture } from "#testing/pixels.ts";
import { look } from "#testing/map-looks.ts";

const paths = () => page.getByRole("combobox", { name: "Paths" });
/** A line over the sea, drawn at three quarters of its color. */
const lineColor = [75, 102, 164] as const;
const nameColor = [27, 31, 36] as const;

beforeEach(prepareAddressedMaps);

it("shows names and tracks of few items at once, which can be hidden, and remembers that in the address", async () => {
  await drawSharply();
  serveTracks();
  await openMap({ v: look });
  await expect.element(paths()).toHaveValue("overview");
  // Jeanne came from the east.
  const linePixels = async () => (await takePicture(mapOf())).count(pixelOf(look, -70, 37.3), 10, lineColor);
  await expect.poll(linePixels).toBeGreaterThan(10);
  expect(gateway.received(mapResults.tracks).map(({ body }) => body)).toEqual([
    { timeRange: { start: "2004-01-01T00:00:00.000Z", end: "2005-01-01T00:00:00.000Z" }, filters: [] },
  ]);
  expect(gateway.received(mapResults.path)).toEqual([]);
  const jeanne = pixelOf(look, -78.4, 37.3);
  const namePixels = async (offset: number) => (await takePicture(mapOf())).count({ x: jeanne.x + offset, y: jeanne.y }, 18, nameColor);
  expect([await namePixels(38), await namePixels(-38)]).toEqual([expect.toSatisfy((count: number) => count > 2), 0]);

  await paths().selectOptions("None");
  await expect.element(paths()).toHaveValue("none");
  await expect.poll(linePixels).toBe(0);
  await expect.poll(addressedMapState).toMatchObject({ a: 0 });
  await paths().selectOptions("Overview");
  await expect.poll(linePixels).toBeGreaterThan(10);
  // They are loaded once.
  expect(gateway.received(mapResults.tracks)).toHaveLength(1);
});
