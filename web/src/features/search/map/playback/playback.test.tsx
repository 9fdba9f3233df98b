import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { press, type } from "#testing/keyboard.ts";
import { addressedMapState, mapOf, pixelOf, prepareMaps } from "#testing/maps.ts";
import { drawSharply, isSimilarColor, mapColors, takePicture } from "#testing/pixels.ts";
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

/** Makes the page believe that the user has no objection to motion; test pages prefer reduced motion. */
function allowMotion(): void {
  const real = globalThis.matchMedia.bind(globalThis);
  vi.spyOn(globalThis, "matchMedia").mockImplementation((query) => {
    const list = real(query);
    if (query.includes("prefers-reduced-motion")) Object.defineProperty(list, "matches", { value: false });
    return list;
  });
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

it("shows events as bars over their times, zooms the axis around the pointer, and pauses while it is dragged; plays smoothly, or two frames per second with reduced motion; closing the search stops playback and releases the map", async () => {
  await openPlayback();
  const axis = slider().element();
  const { left, width } = axis.getBoundingClientRect();
  // Two events after one and three hours, one after zero, two and four; in 180 bars.
  const bar = (share: number) => ((Math.min(179, Math.floor(share * 180)) + 0.5) / 180) * width;
  const picture = await takePicture(slider());
  const isBar = (share: number, y: number) => !isSimilarColor(picture.colorAt({ x: bar(share), y }), picture.colorAt({ x: bar(0.4), y }));
  expect([0.25, 0.75, 0.5, 0.1].map((share) => isBar(share, 4))).toEqual([true, true, false, false]);
  expect([0.25, 0.5, 0.02, 0.1].map((share) => isBar(share, 30))).toEqual([true, true, false, false]);

  const whole = page.getByRole("button", { name: "Whole time" });
  // `userEvent.wheel` waits for timers of the page, which are fake.
  axis.dispatchEvent(new WheelEvent("wheel", { deltaY: -300, clientX: left + width / 2, bubbles: true, cancelable: true }));
  await expect.element(whole).toBeVisible();
  await slider().click({ position: { x: width / 4, y: 10 } });
  // The center kept its position, and half of the time is shown.
  expect(hoursAt()).toBeCloseTo(1.5, 1);
  await whole.click();
  await expect.element(whole).not.toBeInTheDocument();

  await pressButton("Play");
  // Plays on for five seconds at every move, unless the drag pauses the playback.
  axis.addEventListener("pointermove", () => vi.advanceTimersByTime(5_000));
  await userEvent.dragAndDrop(slider(), slider(), {
    sourcePosition: { x: width / 4, y: 10 },
    targetPosition: { x: width / 2, y: 10 },
  });
  expect(hoursAt()).toBeCloseTo(2, 1);
  await expect.element(playback().getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await runFor(3_000);
  await pressButton("Pause");
  expect(hoursAt()).toBeCloseTo(2.4, 1);

  /** How often the shown time changes during one second of playback, with the clock advanced in `steps`. */
  const countChanges = async (steps: number) => {
    await pressButton("Play");
    const element = playback().element() as HTMLElement;
    const changes: string[] = [];
    const observer = new MutationObserver(() => {
      const at = element.style.getPropertyValue("--now");
      if (at !== changes.at(-1)) changes.push(at);
    });
    observer.observe(element, { attributes: true, attributeFilter: ["style"] });
    for (let step = 0; step < steps; step++) await runFor(1_000 / steps);
    observer.disconnect();
    return changes.length;
  };
  expect(await countChanges(8)).toBe(2);
  await pressButton("Pause");
  allowMotion();
  const smooth = await countChanges(60);
  expect(smooth).toBeGreaterThanOrEqual(40);
  expect(smooth).toBeLessThanOrEqual(70);

  // The playback is still running.
  const contexts = [...document.querySelectorAll("canvas")].flatMap((canvas) => canvas.getContext("webgl2") ?? []);
  const lost = () => contexts.map((context) => context.isContextLost());
  expect(lost()).toEqual([false, false]);
  await page
    .getByRole("button", { name: /^Close storm-tracks of/ })
    .first()
    .click();
  await expect.element(playback()).not.toBeInTheDocument();
  await expect.poll(lost).toEqual([true, true]);
  await runFor(1_000);
  const frames = vi.spyOn(globalThis, "requestAnimationFrame");
  await runFor(1_000);
  // There would be sixty if playback were still running.
  expect(frames.mock.calls.length).toBeLessThan(5);
});

it("accepts picked and typed speeds from 10 ms/s to 31 years/s and rejects others", async () => {
  await openPlayback({ lastHours: 2_400 });
  /** Hours of data time that pass in a second of real time. */
  const hoursInSecond = async () => {
    await press("Home", slider());
    await pressButton("Play");
    await runFor(1_000);
    await pressButton("Pause");
    return hoursAt();
  };
  await typeSpeed("0.01");
  expect((await hoursInSecond()) * 3_600_000).toBeCloseTo(10, 5);
  await typeSpeed("1.1574074074074074 days/s");
  expect((await hoursInSecond()) * 3_600).toBeCloseTo(100_000, 5);
  const open = playback().getByRole("button", { name: "Speed and more: 1.2 days/s" });
  await open.click();
  await runFor(500);
  const field = page.getByRole("textbox", { name: "Speed" });
  for (const wrong of ["9 ms/s", "1000000001", "fast", ""]) {
    await field.fill(wrong);
    await expect.element(page.getByText("Such as 10 min/s or 2 days/s, from 10 ms/s to 31 years/s.")).toBeVisible();
  }
  await page.getByRole("button", { name: "10 min/s", exact: true }).click();
  await expect.element(field).toHaveValue("10 min/s");
  await press("Escape");
  await runFor(500);
  await expect.element(playback().getByRole("button", { name: "Speed and more: 10 min/s" })).toHaveFocus();
  expect((await hoursInSecond()) * 6).toBeCloseTo(1, 5);
});

it("plays, steps, moves and zooms by keyboard, and works on touch screens and with screen readers", async () => {
  await openPlayback();
  const after = async (key: string) => {
    await press(key, slider());
    return hoursAt();
  };
  const zoomed = () => page.getByRole("button", { name: "Whole time" });
  expect([
    await after("Home"),
    await after("ArrowRight"),
    await after("PageUp"),
    await after("ArrowLeft"),
    await after("PageDown"),
  ]).toEqual([0, 0.04, 0.44, 0.4, 0]);
  expect([await after("Shift+ArrowRight"), await after("Shift+ArrowRight"), await after("Shift+ArrowLeft")]).toEqual([1, 2, 1]);
  expect([await after("End"), await after("Shift+ArrowRight")]).toEqual([4, 4]);
  await press("Home", slider());
  await type("+", slider());
  await expect.element(zoomed()).toBeVisible();
  // A hundredth of the axis, which shows half of the domain.
  expect(await after("ArrowRight")).toBe(0.02);
  await press("0", slider());
  await expect.element(zoomed()).not.toBeInTheDocument();
  await press("Space", slider());
  await expect.element(playback().getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await runFor(1_000);
  await press("Space", slider());
  await expect.element(playback().getByRole("button", { name: "Play", exact: true })).toBeVisible();
  // Four hours are played in thirty seconds.
  expect(hoursAt()).toBeCloseTo(0.02 + 4 / 30, 6);

  await press("End", slider());
  await page.viewport(390, 844);
  await runFor(500);
  await expect.element(slider()).toHaveAttribute("aria-valuetext", "08/01/2004, 04:00:00 AM UTC");
  for (const button of playback().getByRole("button").elements()) expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(32);
  await playback()
    .getByRole("button", { name: /^Speed and more/ })
    .click();
  await runFor(500);
  await expect.element(page.getByRole("dialog", { name: "Speed and more" })).toBeVisible();
  vi.useRealTimers();
  await expectAccessible({ within: ["section[aria-label=Playback]", "[role=dialog]"] });
});
