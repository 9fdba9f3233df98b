import { expect, vi } from "vitest";
import { type Locator, page } from "vitest/browser";
import { alterItems, openMap, pathBox, pathRows, servePath, type View } from "./maps.ts";
import { press } from "./keyboard.ts";

export const hourMs = 3_600_000;
/** The start of the first of the three storms, in epoch milliseconds. */
export const startMs = Date.UTC(2004, 7, 1);
export const look: View = [-75, 28, 4];

export const playback = (): Locator => page.getByRole("region", { name: "Playback" });
export const slider = (): Locator => playback().getByRole("slider", { name: "Time" });
export const pressButton = (name: string): Promise<void> => playback().getByRole("button", { name, exact: true }).click();

/** Advances the fake clock. */
export const runFor = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
};

/** The time of the playback, in hours since the start. */
export const hoursAt = (): number => (Number(slider().element().getAttribute("aria-valuenow")) - startMs) / hourMs;

/**
 * Opens the map with three storms and installs a fake clock. Alex has a path along 30° N from 90° to 60° W in four hours, with
 * hourly positions; Bonnie was last seen after one hour at 25° N, 80° W, Charley after three (or `lastHours`) at 70° W.
 */
export async function openPlayback({ lastHours = 3 } = {}): Promise<void> {
  const last: Record<string, [hours: number, longitude: number, latitude: number]> = {
    Alex: [4, -60, 30],
    Bonnie: [1, -80, 25],
    Charley: [lastHours, -70, 25],
  };
  alterItems((rows) =>
    rows.flatMap((row) => {
      const [hours = 0, longitude = 0, latitude = 0] = last[String(row["name"])] ?? [];
      return hours === 0 ? [] : [{ ...row, time: (startMs + hours * hourMs) / 1_000, longitude, latitude }];
    }),
  );
  servePath((body) => {
    const [row] = pathRows(body);
    return Array.from({ length: 5 }, (_, hour) => ({
      ...row,
      time: (startMs + hour * hourMs) / 1_000,
      longitude: -90 + 7.5 * hour,
      latitude: 30,
    }));
  });
  await openMap({ v: look });
  await pathBox("Alex").click();
  await expect.element(pathBox("Alex")).toHaveAttribute("aria-checked", "true");
  await expect.element(slider()).toHaveAttribute("aria-valuemin", String(startMs));
  vi.useFakeTimers({ now: Date.now() });
}

export async function typeSpeed(speed: string): Promise<void> {
  await playback()
    .getByRole("button", { name: /^Speed and more/ })
    .click();
  await runFor(500);
  await page.getByRole("textbox", { name: "Speed" }).fill(speed);
  await press("Escape");
  await runFor(500);
}
