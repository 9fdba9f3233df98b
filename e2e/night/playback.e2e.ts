import { expect, test } from "../support/fixtures.ts";
import { colors, countColor, openMap, pathBox, pixelOf, type View } from "../support/maps.ts";
import { playback } from "../support/playback.ts";
import { portalApi } from "../support/results.ts";

const viewpoint: View = [-72, 30, 4];
const jeanne = "2004-09";

test.use({ colorScheme: "light" });

test("an item's marker follows the real positions of its path during playback", async ({ page, signIn, request }) => {
  const api = await portalApi(request);
  const rows = await api.rows(
    { category: "Tropical weather", dataset: "storm-tracks", filters: [["storm_id", "=", jeanne]] },
    { offset: 0, max: 100 },
  );
  const positions = rows
    .map((row) => ({ time: Number(row["time"]), place: [Number(row["longitude"]), Number(row["latitude"])] as const }))
    .toSorted((one, other) => one.time - other.time);
  const [before, end] = [positions.at(-9), positions.at(-1)];
  if (!before || !end) throw new Error("The storm has no positions.");
  const markerAt = async (place: readonly [number, number]) => countColor(page, await pixelOf(page, viewpoint, ...place), 10, colors.path);

  await signIn();
  // Two days before its end, a day of data per second.
  await openMap(page, { v: viewpoint, p: [jeanne], t: [before.time * 1_000, null, 86_400] });
  await expect(pathBox(page, "Jeanne")).toBeChecked();
  await expect.poll(() => markerAt(before.place)).toBeGreaterThan(30);
  expect(await markerAt(end.place)).toBe(0);
  await playback(page).getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(() => markerAt(end.place)).toBeGreaterThan(30);
});
