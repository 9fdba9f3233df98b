import type { ResultRow } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import {
  recordMapCalls,
  colors,
  countColor,
  details,
  itemButton,
  itemRow,
  limitMaps,
  openMap,
  pathBox,
  pathCalls,
  pixelOf,
  type View,
} from "../support/maps.ts";
import { alterAnswer } from "../support/results.ts";

test.use({ colorScheme: "light" });

const viewpoint: View = [-70, 28, 4];
const hour = 3_600;

/** Holds calls back; each call of the returned function releases one. */
async function hold(page: Page, calls: string): Promise<() => void> {
  const waiting: (() => void)[] = [];
  let releasedAhead = 0;
  await page.route(calls, async (route) => {
    await new Promise<void>((resolve) => {
      if (releasedAhead > 0) {
        releasedAhead -= 1;
        resolve();
      } else waiting.push(resolve);
    });
    await route.continue();
  });
  return () => {
    const first = waiting.shift();
    if (first) first();
    else releasedAhead += 1;
  };
}

/** Replaces every path with positions along 30° N, at these longitudes and hours. */
const alterPath = (page: Page, points: readonly (readonly [hours: number, longitude: number])[]) =>
  alterAnswer(page, pathCalls, (answer) => {
    const start = Number((answer["results"] as ResultRow[])[0]?.["time"]);
    return { ...answer, results: points.map(([hours, longitude]) => ({ time: start + hours * hour, longitude, latitude: 30 })) };
  });

test("[MAP-11][MAP-12][MAP-13][MAP-27][SEARCH-59] a path is counted, loaded page by page with a percentage, shown and hidden again", async ({
  page,
  signIn,
}) => {
  const calls = recordMapCalls(page);
  await signIn();
  await limitMaps(page, { pathPointsPerCall: 30 });
  await openMap(page);
  const jeanne = pathBox(page, "Jeanne");
  await expect(jeanne).not.toBeChecked();
  expect(calls.counts).toEqual([]);

  const next = await hold(page, pathCalls);
  await jeanne.click();
  await expect(jeanne).toHaveAccessibleName("Path of Jeanne, loading 0%");
  await expect(itemRow(page, "Jeanne")).toContainText("loading 0%");
  next();
  await expect(jeanne).toHaveAccessibleName("Path of Jeanne, loading 45%");
  await expect(jeanne).toHaveAttribute("aria-checked", "mixed");
  next();
  await expect(jeanne).toHaveAccessibleName("Path of Jeanne, loading 90%");
  next();
  await expect(jeanne).toBeChecked();
  await expect(jeanne).toHaveAccessibleName("Path of Jeanne");

  const body = {
    timeRange: { start: "2004-01-01T00:00:00.000Z", end: "2005-01-01T00:00:00.000Z" },
    filters: [{ name: "storm_id", operator: "=", value: "2004-09" }],
    columns: ["time", "latitude", "longitude"],
    minimumIntervalMs: 1_000,
  };
  expect(calls.counts).toEqual([body]);
  const pageFrom = (offset: number) => ({ ...body, paging: { offset, max: 30 } });
  expect(calls.paths).toEqual([0, 30, 60].map(pageFrom));
  expect(calls.last).toHaveLength(1);
  expect(calls.last[0]).not.toHaveProperty("columns");

  await itemButton(page, "Jeanne").click();
  await expect(details(page, "Jeanne").getByText("66 positions", { exact: true })).toBeVisible();
  await details(page, "Jeanne").getByRole("button", { name: "Hide path" }).click();
  await expect(jeanne).not.toBeChecked();
  await expect(details(page, "Jeanne").getByText("66 positions")).toHaveCount(0);
});

test("[MAP-14][MAP-16] a path is dark blue, and dashed red for gaps longer than the threshold, which the user can change", async ({
  page,
  signIn,
}) => {
  await signIn();
  await alterPath(page, [
    [0, -84],
    [6, -78],
    [20, -66],
    [26, -62],
  ]);
  await openMap(page, { v: viewpoint, s: "2004-09", p: ["2004-09"] });
  const within = async (longitude: number, color: keyof typeof colors) =>
    countColor(page, await pixelOf(page, viewpoint, longitude, 30), 14, colors[color]);
  // The second path continues beyond the marker at its end.
  await expect.poll(() => within(-64, "path")).toBeGreaterThan(25);
  expect(await within(-64, "rose")).toBe(0);
  await expect.poll(() => within(-72, "rose")).toBeGreaterThan(8);
  const dashed = await within(-72, "rose");
  expect(await within(-72, "path")).toBe(0);

  await details(page, "Jeanne").getByRole("button", { name: "Path layers" }).click();
  const gap = page.getByRole("textbox", { name: "Data gap threshold" });
  await expect(gap).toHaveValue("12");
  await gap.fill("0");
  await expect(page.getByText("Enter hours above 0 and up to 8,784.")).toBeVisible();
  await gap.fill("14");
  await page.getByRole("button", { name: "Close path layers" }).click();
  await expect.poll(() => within(-72, "path")).toBeGreaterThan(dashed);
  expect(await within(-72, "rose")).toBe(0);

  await details(page, "Jeanne").getByRole("button", { name: "Path layers" }).click();
  await page.getByRole("button", { name: "Back to 12 h" }).click();
  await expect(gap).toHaveValue("12");
  await page.getByRole("button", { name: "Close path layers" }).click();
  await expect.poll(() => within(-72, "rose")).toBeGreaterThan(8);
});
