import { beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { press, type } from "#testing/keyboard.ts";
import { prepareMaps } from "#testing/maps.ts";
import { isSimilarColor, takePicture } from "#testing/pixels.ts";
import { hoursAt, openPlayback, playback, pressButton, runFor, slider, typeSpeed } from "#testing/playback.ts";

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
