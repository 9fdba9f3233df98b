import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { press, type } from "#testing/keyboard.ts";
import { prepareMaps } from "#testing/maps.ts";
import { hoursAt, openPlayback, playback, pressButton, runFor, slider, typeSpeed } from "#testing/playback.ts";

beforeEach(prepareMaps);

it("accepts picked and typed speeds from 0.01× to 100,000× and rejects others", async () => {
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
  await typeSpeed("100,000×");
  expect((await hoursInSecond()) * 3_600).toBeCloseTo(100_000, 5);
  const open = playback().getByRole("button", { name: "Speed and more: 100,000×" });
  await open.click();
  await runFor(500);
  const field = page.getByRole("textbox", { name: "Speed" });
  for (const wrong of ["0.009", "100001", "fast", ""]) {
    await field.fill(wrong);
    await expect.element(page.getByText("Between 0.01 and 100,000.")).toBeVisible();
  }
  await page.getByRole("button", { name: "600×", exact: true }).click();
  await expect.element(field).toHaveValue("600");
  await expect.element(page.getByText("10 min a second")).toBeVisible();
  await press("Escape");
  await runFor(500);
  await expect.element(playback().getByRole("button", { name: "Speed and more: 600×" })).toHaveFocus();
  expect((await hoursInSecond()) * 6).toBeCloseTo(1, 5);
});

it("plays, steps, moves and zooms by keyboard", async () => {
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
});

it("stops playback and releases the map when the search is closed", async () => {
  await openPlayback();
  await pressButton("Play");
  await runFor(1_000);
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
