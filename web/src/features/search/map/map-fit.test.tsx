import { beforeEach, expect, it } from "vitest";
import { press } from "#testing/keyboard.ts";
import { addressedMapState, lastRows, mapOf, openMap, prepareAddressedMaps, serveStorms } from "#testing/maps.ts";

beforeEach(prepareAddressedMaps);

it("shows a single position at zoom 9, in the middle of what the tools leave free", async () => {
  const [storm = {}] = lastRows();
  serveStorms([storm]);
  await openMap();
  await press("=", mapOf().getByRole("region", { name: "Map" }));
  await expect.poll(() => (addressedMapState()["v"] as readonly number[] | undefined)?.[2]).toBe(10);
  const [longitude = 0, latitude = 0] = addressedMapState()["v"] as readonly number[];
  expect(latitude).toBeCloseTo(Number(storm["latitude"]), 1);
  // The tools are on the right, so that the middle of the map lies east of the position.
  expect(longitude - Number(storm["longitude"])).toBeGreaterThan(0);
  expect(longitude - Number(storm["longitude"])).toBeLessThan(0.1);
});
