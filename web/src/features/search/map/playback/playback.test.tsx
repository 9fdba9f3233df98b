import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { press } from "#testing/keyboard.ts";
import { addressedMapState, mapOf, pixelOf, prepareMaps } from "#testing/maps.ts";
import { drawSharply, mapColors, takePicture } from "#testing/pixels.ts";
import { hourMs, hoursAt, look, openPlayback, playback, pressButton, runFor, slider, startMs, typeSpeed } from "#testing/playback.ts";

type Position = readonly [longitude: number, latitude: number];
const alexAt = (hours: number): Position => [-90 + 7.5 * hours, 30];
const bonnie: Position = [-80, 25];
const charley: Position = [-70, 25];
/** The color of a path over the sea. */
const lineColor = [75, 102, 164] as const;

/** The numbers of pixels in the color of markers and of lines around places of the map. */
async function mapPixels() {
  const picture = await takePicture(mapOf());
  return {
    markerAt: (place: Position) => picture.count(pixelOf(look, ...place), 10, mapColors.path),
    lineAt: (hours: number) => picture.count(pixelOf(look, ...alexAt(hours)), 10, lineColor),
  };
}

beforeEach(prepareMaps);

it("[MAP-05] playback moves markers along their paths, hides items that have not appeared yet, and stops at the end; a moving window shows only the most recent time", async () => {
  await drawSharply({ windowHeight: 640 });
  await openPlayback();
  expect(hoursAt()).toBe(4);
  await typeSpeed("3600");
  await pressButton("Play");
  await runFor(2_500);
  await pressButton("Pause");
  await runFor(1_000);
  expect(hoursAt()).toBe(2.5);
  await expect.element(playback()).toHaveTextContent("08/01/2004, 02:30:00 AM UTC");
  await expect.poll(async () => (await mapPixels()).markerAt(alexAt(2.5))).toBeGreaterThan(30);
  const halfway = await mapPixels();
  expect(halfway.markerAt(bonnie)).toBeGreaterThan(30);
  expect(halfway.markerAt(charley)).toBe(0);
  // The path ends at the marker.
  expect(halfway.lineAt(1.5)).toBeGreaterThan(10);
  expect([halfway.lineAt(3.2), halfway.markerAt(alexAt(4))]).toEqual([0, 0]);

  await pressButton("Play");
  await runFor(1_000);
  await pressButton("Pause");
  expect(hoursAt()).toBe(3.5);
  await runFor(1_000);
  await expect.poll(async () => (await mapPixels()).markerAt(charley)).toBeGreaterThan(30);
  await pressButton("Play");
  await runFor(3_000);
  await expect.element(playback().getByRole("button", { name: "Play", exact: true })).toBeVisible();
  expect(hoursAt()).toBe(4);

  await press("Home", slider());
  for (let step = 0; step < 2; step++) await pressButton("Next position");
  expect(hoursAt()).toBe(2);
  const changeSettings = async (change: () => Promise<unknown>) => {
    await playback()
      .getByRole("button", { name: /^Speed and more/ })
      .click();
    await runFor(500);
    await change();
    await press("Escape");
    await runFor(1_000);
  };
  const length = page.getByRole("textbox", { name: "Length" });
  await changeSettings(async () => {
    await page.getByText("Recent trail", { exact: true }).click();
    await page.getByRole("combobox", { name: "Unit" }).selectOptions("minutes");
    await length.fill("45");
  });
  await expect.poll(async () => (await mapPixels()).markerAt(bonnie)).toBe(0);
  const recent = await mapPixels();
  expect(recent.lineAt(0.8)).toBe(0);
  expect(recent.lineAt(1.6)).toBeGreaterThan(10);
  await changeSettings(() => length.fill("61"));
  // The address contains the current time and the length of the window.
  await expect.poll(() => addressedMapState()["t"]).toEqual([startMs + 2 * hourMs, 61 * 60_000, 3_600]);
  await expect.poll(async () => (await mapPixels()).markerAt(bonnie)).toBeGreaterThan(30);
  expect((await mapPixels()).lineAt(0.8)).toBe(0);
  await changeSettings(() => page.getByText("Full trail", { exact: true }).click());
  await expect.poll(async () => (await mapPixels()).lineAt(0.8)).toBeGreaterThan(10);
});
