import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { countColor, details, itemButton, mapLink, mapOf, mapState, openMap, pixelOf, type View } from "../support/maps.ts";
import { playback } from "../support/playback.ts";

const viewpoint: View = [-72, 30, 4];
/** A line over the sea, drawn at three quarters of its color. */
const line = [75, 102, 164] as const;

test.use({ colorScheme: "light" });

test("the ways of a season are on the map at once, and an item is read by keyboard as the playback goes", async ({ page, signIn }) => {
  await signIn();
  const called = page.waitForResponse((response) => response.url().endsWith("/search/tracks"));
  await openMap(page, { v: viewpoint });
  expect((await called).status()).toBe(200);
  // Jeanne on September 20th, 2004.
  const jeanne = await pixelOf(page, viewpoint, -71.7, 26.3);
  await expect.poll(() => countColor(page, jeanne, 24, line)).toBeGreaterThan(20);
  await expect(page.getByRole("group", { name: "Colors" })).toContainText("Age at 12/03/2004");
  const tracks = page.getByRole("button", { name: "Tracks", exact: true });
  await tracks.focus();
  await page.keyboard.press("Space");
  await expect(tracks).toHaveAttribute("aria-pressed", "false");
  await expect.poll(() => mapState(page)).toMatchObject({ a: 0 });
  await page.keyboard.press("Space");
  await expect(tracks).toHaveAttribute("aria-pressed", "true");

  await itemButton(page, "Jeanne").focus();
  await page.keyboard.press("Enter");
  const card = details(page, "Jeanne");
  await expect(card).toContainText("09/28/2004");
  const all = card.getByRole("button", { name: "All fields" });
  await all.focus();
  await page.keyboard.press("Enter");
  await expect(card.getByText("storm_id", { exact: true })).toBeVisible();
  await playback(page).getByRole("slider", { name: "Time" }).focus();
  await page.keyboard.press("Home");
  await expect(card).toContainText("Not yet seen at the playback time.");
  // The season is as long as its tracks, so that Jeanne is halfway.
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("PageUp");
  await expect(card).toContainText("09/2");
  await expect(page.getByRole("group", { name: "Colors" })).toContainText("at the playback time");
  expect(await axeViolations(page)).toEqual([]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: "reduce" });

  test("the details are a sheet below the map, which stays in use", async ({ page, signIn }) => {
    await signIn();
    await page.goto(mapLink({ s: "2004-09" }));
    await expect(mapOf(page)).toHaveAttribute("data-ready", "true", { timeout: 30_000 });
    const card = details(page, "Jeanne");
    const heightOf = async () => (await card.boundingBox())?.height ?? 0;
    const small = await heightOf();
    expect(small).toBeLessThan(((await mapOf(page).boundingBox())?.height ?? 0) / 2);
    await card.getByRole("button", { name: "Expand details" }).tap();
    await expect.poll(heightOf).toBeGreaterThan(small);
    await card.getByRole("button", { name: "Shrink details" }).tap();
    await playback(page).getByRole("button", { name: "Play", exact: true }).tap();
    await expect(playback(page).getByRole("button", { name: "Pause", exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });
});
