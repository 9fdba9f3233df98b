import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { colors, countColor, pixelOf, mapState } from "../support/maps.ts";
import { isSimilarColor, pixelsAt } from "../support/pixels.ts";
import { hourMs, hoursAt, lineColor, viewpoint, openPlayback, playback, press, slider, startMs, setSpeed } from "../support/playback.ts";

test.use({ colorScheme: "light" });

type Position = readonly [longitude: number, latitude: number];
const alexAt = (hours: number): Position => [-90 + 7.5 * hours, 30];
const bonnie: Position = [-80, 25];
const charley: Position = [-70, 25];

const lineAt = async (page: Page, hours: number) => countColor(page, await pixelOf(page, viewpoint, ...alexAt(hours)), 10, lineColor);

test("[MAP-05] playback moves markers along their paths, hides items that have not appeared yet, and stops at the end", async ({
  page,
  signIn,
}) => {
  const blueAt = async ([longitude, latitude]: Position) =>
    countColor(page, await pixelOf(page, viewpoint, longitude, latitude), 10, colors.path);
  await signIn();
  await openPlayback(page);
  expect(await hoursAt(page)).toBe(4);
  await setSpeed(page, "3600");
  await press(page, "Play");
  await page.clock.runFor(2_500);
  await press(page, "Pause");
  await page.clock.runFor(1_000);
  expect(await hoursAt(page)).toBe(2.5);
  await expect(playback(page)).toContainText("08/01/2004, 02:30:00 AM UTC");
  await expect.poll(() => blueAt(alexAt(2.5))).toBeGreaterThan(40);
  expect(await blueAt(bonnie)).toBeGreaterThan(40);
  expect(await blueAt(charley)).toBe(0);
  // The path ends at the marker.
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

test("a moving window shows only the most recent time, and the cumulative mode everything up to it", async ({ page, signIn }) => {
  const blueAt = async ([longitude, latitude]: Position) =>
    countColor(page, await pixelOf(page, viewpoint, longitude, latitude), 10, colors.path);
  await signIn();
  await openPlayback(page);
  await slider(page).press("Home");
  for (let step = 0; step < 2; step++) await press(page, "Next position");
  expect(await hoursAt(page)).toBe(2);
  const changeSettings = async (change: () => Promise<unknown>) => {
    await playback(page)
      .getByRole("button", { name: /^Speed and more/ })
      .click();
    await page.clock.runFor(500);
    await change();
    await page.keyboard.press("Escape");
    await page.clock.runFor(1_000);
  };
  const length = page.getByRole("textbox", { name: "Length" });
  await changeSettings(async () => {
    await page.getByText("Only the last", { exact: true }).click();
    await page.getByRole("combobox", { name: "Unit" }).selectOption("minutes");
    await length.fill("45");
  });
  await expect.poll(() => blueAt(bonnie)).toBe(0);
  expect(await lineAt(page, 0.8)).toBe(0);
  expect(await lineAt(page, 1.6)).toBeGreaterThan(10);
  await changeSettings(() => length.fill("61"));
  // The URL contains the current time and the length of the window.
  await expect.poll(() => mapState(page)["t"]).toEqual([startMs + 2 * hourMs, 61 * 60_000, null]);
  await expect.poll(() => blueAt(bonnie)).toBeGreaterThan(40);
  expect(await lineAt(page, 0.8)).toBe(0);
  await changeSettings(() => page.getByText("Everything until then", { exact: true }).click());
  await expect.poll(() => lineAt(page, 0.8)).toBeGreaterThan(10);
});

test("events are shown as bars over their times, the axis zooms around the pointer, and dragging pauses the playback", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openPlayback(page);
  const box = (await slider(page).boundingBox()) ?? { x: 0, y: 0, width: 0 };
  // Two events after one and three hours, one after zero, two and four; in 180 bars.
  const bar = (share: number) => box.x + ((Math.min(179, Math.floor(share * 180)) + 0.5) / 180) * box.width;
  const isBar = async (share: number, fromTop: number) => {
    const [pixel, background] = await pixelsAt(page, [
      [bar(share), box.y + fromTop],
      [bar(0.4), box.y + fromTop],
    ]);
    return background !== undefined && !isSimilarColor(pixel, background);
  };
  expect([await isBar(0.25, 4), await isBar(0.75, 4), await isBar(0.5, 4), await isBar(0.1, 4)]).toEqual([true, true, false, false]);
  expect([await isBar(0.25, 30), await isBar(0.5, 30), await isBar(0.02, 30), await isBar(0.1, 30)]).toEqual([true, true, false, false]);

  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.mouse.wheel(0, -300);
  await expect(page.getByRole("button", { name: "Whole time" })).toBeVisible();
  await page.mouse.click(box.x + box.width / 4, box.y + 10);
  // The center kept its position, and half of the time is shown.
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

test("playback is smooth, or two frames per second with reduced motion; closing the search frees the map", async ({ page, signIn }) => {
  await signIn();
  await openPlayback(page);
  /** How often the shown time changes during one second of playback, with the clock advanced in `steps`. */
  const countChanges = async (reducedMotion: "reduce" | "no-preference", steps: number) => {
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
    for (let step = 0; step < steps; step++) await page.clock.runFor(1_000 / steps);
    return page.evaluate(() => (globalThis as unknown as { moved: { count: number } }).moved.count);
  };
  expect(await countChanges("reduce", 8)).toBe(2);
  await press(page, "Pause");
  const smooth = await countChanges("no-preference", 60);
  expect(smooth).toBeGreaterThanOrEqual(40);
  expect(smooth).toBeLessThanOrEqual(70);

  // The playback is still running.
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
    Object.assign(globalThis, { frames: 0 });
    const original = globalThis.requestAnimationFrame;
    globalThis.requestAnimationFrame = (callback) => {
      (globalThis as unknown as { frames: number }).frames += 1;
      return original(callback);
    };
  });
  await page.clock.runFor(1_000);
  // It would be sixty if anything were still playing.
  expect(await page.evaluate(() => (globalThis as unknown as { frames: number }).frames)).toBeLessThan(5);
});

test("the playback works on touch screens and with screen readers", async ({ page, signIn }) => {
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
