import type { ResultRow } from "@fairway/contract/search";
import { expect, type Page } from "@playwright/test";
import { lastCalls, openMap, pathBox, pathCalls, pathCountCalls, type View } from "./maps.ts";
import { alterAnswer } from "./results.ts";

export const hourMs = 3_600_000;
/** Start of the first of the three storms. */
export const startMs = Date.UTC(2004, 7, 1);
/** The color of a path over the sea. */
export const lineColor = [75, 102, 164] as const;
export const viewpoint: View = [-75, 28, 4];

export const playback = (page: Page) => page.getByRole("region", { name: "Playback" });
export const slider = (page: Page) => playback(page).getByRole("slider", { name: "Time" });
export const press = (page: Page, name: string) => playback(page).getByRole("button", { name, exact: true }).click();

/** The playback time in hours since the start. */
export async function hoursAt(page: Page): Promise<number> {
  return (Number(await slider(page).getAttribute("aria-valuenow")) - startMs) / hourMs;
}

/**
 * Opens the map with three storms and stops the page's clock. Alex moves along 30° N from 90° to 60° W in four hours, with one
 * position per hour; Bonnie was last seen after one hour at 25° N, 80° W, Charley after three (or `lastHours`) at 70° W.
 */
export async function openPlayback(page: Page, { lastHours = 3 } = {}): Promise<void> {
  const last: Record<string, [hours: number, longitude: number, latitude: number]> = {
    Alex: [4, -60, 30],
    Bonnie: [1, -80, 25],
    Charley: [lastHours, -70, 25],
  };
  await alterAnswer(page, lastCalls, (answer) => ({
    ...answer,
    results: (answer["results"] as ResultRow[]).flatMap((row) => {
      const [hours = 0, longitude = 0, latitude = 0] = last[String(row["name"])] ?? [];
      return hours === 0 ? [] : [{ ...row, time: (startMs + hours * hourMs) / 1_000, longitude, latitude }];
    }),
  }));
  await alterAnswer(page, pathCountCalls, (answer) => ({ ...answer, totalResults: 5 }));
  await alterAnswer(page, pathCalls, (answer) => {
    const [row] = answer["results"] as ResultRow[];
    const results = Array.from({ length: 5 }, (_, hour) => ({
      ...row,
      time: (startMs + hour * hourMs) / 1_000,
      longitude: -90 + 7.5 * hour,
      latitude: 30,
    }));
    return { ...answer, results };
  });
  await page.clock.install();
  await openMap(page, { v: viewpoint });
  await pathBox(page, "Alex").click();
  await expect(pathBox(page, "Alex")).toHaveAttribute("aria-checked", "true");
  await expect(slider(page)).toHaveAttribute("aria-valuemin", String(startMs));
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000);
}

export async function setSpeed(page: Page, speed: string): Promise<void> {
  const open = playback(page).getByRole("button", { name: /^Speed and more/ });
  await open.click();
  await page.clock.runFor(500);
  await page.getByRole("textbox", { name: "Speed" }).fill(speed);
  await page.keyboard.press("Escape");
  await page.clock.runFor(500);
}
