import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { colours, countColour, pixelOf, placeOf } from "../support/maps.ts";
import { isNear, pixelsAt } from "../support/pixels.ts";
import { hourMs, hoursAt, lineColour, look, openPlayback, playback, press, slider, startMs, typeSpeed } from "../support/playback.ts";

test.use({ colorScheme: "light" });

type Place = readonly [longitude: number, latitude: number];
const alexAt = (hours: number): Place => [-90 + 7.5 * hours, 30];
const bonnie: Place = [-80, 25];
const charley: Place = [-70, 25];

const lineAt = async (page: Page, hours: number) => countColour(page, await pixelOf(page, look, ...alexAt(hours)), 10, lineColour);

test("[MAP-05] one clock plays items and paths: markers move along their paths, what is not yet seen is not there, and it stops at the end", async ({
  page,
  signIn,
}) => {
  const blueAt = async ([longitude, latitude]: Place) =>
    countColour(page, await pixelOf(page, look, longitude, latitude), 10, colours.path);
  await signIn();
  await openPlayback(page);
  expect(await hoursAt(page)).toBe(4);
  await typeSpeed(page, "3600");
  await press(page, "Play");
  await page.clock.runFor(2_500);
  await press(page, "Pause");
  await page.clock.runFor(1_000);
  expect(await hoursAt(page)).toBe(2.5);
  await expect(playback(page)).toContainText("08/01/2004, 02:30:00 AM UTC");
  await expect.poll(() => blueAt(alexAt(2.5))).toBeGreaterThan(40);
  expect(await blueAt(bonnie)).toBeGreaterThan(40);
  expect(await blueAt(charley)).toBe(0);
  // The path leads to the marker, and no further.
  expect(await lineAt(page, 1.5)).toBeGreaterThan(10);
  expect([await lineAt(page, 3.2), await blueAt(alexAt(4))]).toEqual([0, 0]);

  await press(page, "Play");
  await page.clock.runFor(1_000);
  await press(page, "Pause");
  expect(await hoursAt(page)).toBe(3.5);
  await page.clock.runFor(1_000);
  await expect.poll(() => blueAt(charley)).toBeGreaterThan(40);
  await press(page, "Play");
  await page.clock.runFor(3_000);
  await expect(playback(page).getByRole("button", { name: "Play", exact: true })).toBeVisible();
  expect(await hoursAt(page)).toBe(4);
});

test("a moving window shows the last of the time alone, cumulative everything until then", async ({ page, signIn }) => {
  const blueAt = async ([longitude, latitude]: Place) =>
    countColour(page, await pixelOf(page, look, longitude, latitude), 10, colours.path);
  await signIn();
  await openPlayback(page);
  await slider(page).press("Home");
  for (let step = 0; step < 2; step++) await press(page, "Next position");
  expect(await hoursAt(page)).toBe(2);
  const choose = async (make: () => Promise<unknown>) => {
    await playback(page)
      .getByRole("button", { name: /^Speed and more/ })
      .click();
    await page.clock.runFor(500);
    await make();
    await page.keyboard.press("Escape");
    await page.clock.runFor(1_000);
  };
  const length = page.getByRole("textbox", { name: "Length" });
  await choose(async () => {
    await page.getByText("Only the last", { exact: true }).click();
    await page.getByRole("combobox", { name: "Unit" }).selectOption("minutes");
    await length.fill("45");
  });
  await expect.poll(() => blueAt(bonnie)).toBe(0);
  expect(await lineAt(page, 0.8)).toBe(0);
  expect(await lineAt(page, 1.6)).toBeGreaterThan(10);
  await choose(() => length.fill("61"));
  // The address says where the clock stands, and that it shows so much before.
  await expect.poll(() => placeOf(page)["t"]).toEqual([startMs + 2 * hourMs, 61 * 60_000, null]);
  await expect.poll(() => blueAt(bonnie)).toBeGreaterThan(40);
  expect(await lineAt(page, 0.8)).toBe(0);
  await choose(() => page.getByText("Everything until then", { exact: true }).click());
  await expect.poll(() => lineAt(page, 0.8)).toBeGreaterThan(10);
});

test("events stand as bars over their times, the axis zooms about the mouse, and a drag holds the playback", async ({ page, signIn }) => {
  await signIn();
  await openPlayback(page);
  const box = (await slider(page).boundingBox()) ?? { x: 0, y: 0, width: 0 };
  // Two events after one and after three hours, one after none, two and four; of 180 bars.
  const bar = (share: number) => box.x + ((Math.min(179, Math.floor(share * 180)) + 0.5) / 180) * box.width;
  const isBar = async (share: number, fromTop: number) => {
    const [there, empty] = await pixelsAt(page, [
      [bar(share), box.y + fromTop],
      [bar(0.4), box.y + fromTop],
    ]);
    return empty !== undefined && !isNear(there, empty);
  };
  expect([await isBar(0.25, 4), await isBar(0.75, 4), await isBar(0.5, 4), await isBar(0.1, 4)]).toEqual([true, true, false, false]);
  expect([await isBar(0.25, 30), await isBar(0.5, 30), await isBar(0.02, 30), await isBar(0.1, 30)]).toEqual([true, true, false, false]);

  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.mouse.wheel(0, -300);
  await expect(page.getByRole("button", { name: "Whole time" })).toBeVisible();
  await page.mouse.click(box.x + box.width / 4, box.y + 10);
  // The middle kept its place, half of the time is shown.
  expect(await hoursAt(page)).toBeCloseTo(1.5, 1);
  await page.getByRole("button", { name: "Whole time" }).click();
  await expect(page.getByRole("button", { name: "Whole time" })).toHaveCount(0);

  await press(page, "Play");
  await page.mouse.move(box.x + box.width / 4, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  expect(await hoursAt(page)).toBeCloseTo(2, 1);
  await page.clock.runFor(5_000);
  expect(await hoursAt(page)).toBeCloseTo(2, 1);
  await page.mouse.up();
  await expect(playback(page).getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await page.clock.runFor(3_000);
  await press(page, "Pause");
  expect(await hoursAt(page)).toBeCloseTo(2.4, 1);
});

test("a second of playback is smooth, or two pictures for who asked for less motion; a closed search gives the map back", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openPlayback(page);
  /** How often what is shown has moved after so many parts of a second of playback. */
  const moves = async (reducedMotion: "reduce" | "no-preference", parts: number) => {
    await page.emulateMedia({ reducedMotion });
    await press(page, "Play");
    await playback(page).evaluate((element) => {
      const moved = { count: 0, at: "" };
      Object.assign(globalThis, { moved });
      new MutationObserver(() => {
        const at = element.style.getPropertyValue("--now");
        if (at !== moved.at) moved.count += 1;
        moved.at = at;
      }).observe(element, { attributes: true, attributeFilter: ["style"] });
    });
    for (let step = 0; step < parts; step++) await page.clock.runFor(1_000 / parts);
    return page.evaluate(() => (globalThis as unknown as { moved: { count: number } }).moved.count);
  };
  expect(await moves("reduce", 8)).toBe(2);
  await press(page, "Pause");
  const smooth = await moves("no-preference", 60);
  expect(smooth).toBeGreaterThanOrEqual(40);
  expect(smooth).toBeLessThanOrEqual(70);

  // It still plays.
  await page.evaluate(() => {
    const contexts = [...document.querySelectorAll("canvas")].flatMap((canvas) => canvas.getContext("webgl2") ?? []);
    Object.assign(globalThis, { contexts });
  });
  const lost = () =>
    page.evaluate(() =>
      (globalThis as unknown as { contexts: WebGL2RenderingContext[] }).contexts.map((context) => context.isContextLost()),
    );
  expect(await lost()).toEqual([false, false]);
  await page
    .getByRole("button", { name: /^Close storm-tracks of/ })
    .first()
    .click();
  await expect(playback(page)).toHaveCount(0);
  await expect.poll(lost).toEqual([true, true]);
  await page.clock.runFor(1_000);
  await page.evaluate(() => {
    Object.assign(globalThis, { asked: 0 });
    const original = globalThis.requestAnimationFrame;
    globalThis.requestAnimationFrame = (callback) => {
      (globalThis as unknown as { asked: number }).asked += 1;
      return original(callback);
    };
  });
  await page.clock.runFor(1_000);
  // Sixty, were anything still playing.
  expect(await page.evaluate(() => (globalThis as unknown as { asked: number }).asked)).toBeLessThan(5);
});

test("the playback is for touch and for readers too", async ({ page, signIn }) => {
  await signIn();
  await openPlayback(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.clock.runFor(500);
  await expect(slider(page)).toHaveAttribute("aria-valuetext", "08/01/2004, 04:00:00 AM UTC");
  for (const button of await playback(page).getByRole("button").all()) {
    const { height = 0 } = (await button.boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(32);
  }
  await playback(page)
    .getByRole("button", { name: /^Speed and more/ })
    .click();
  await page.clock.runFor(500);
  await expect(page.getByRole("dialog", { name: "Speed and more" })).toBeVisible();
  await page.clock.resume();
  const violations = await axeViolations(page, { within: ["section[aria-label=Playback]", "[role=dialog]"] });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});
