import type { ResultRow } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import {
  askedMaps,
  colours,
  countColour,
  details,
  itemButton,
  itemFilter,
  itemList,
  itemRow,
  limitMaps,
  openMap,
  pathBox,
  pathCalls,
  pathCountCalls,
  pixelOf,
  type View,
} from "../support/maps.ts";
import { alterAnswer, failOnce } from "../support/results.ts";

test.use({ colorScheme: "light" });

const look: View = [-70, 28, 4];
const hour = 3_600;

/** Calls that wait until each is let go, one after another. */
async function hold(page: Page, calls: string): Promise<() => void> {
  const waiting: (() => void)[] = [];
  let ahead = 0;
  await page.route(calls, async (route) => {
    await new Promise<void>((resolve) => {
      if (ahead > 0) {
        ahead -= 1;
        resolve();
      } else waiting.push(resolve);
    });
    await route.continue();
  });
  return () => {
    const first = waiting.shift();
    if (first) first();
    else ahead += 1;
  };
}

/** The path of every item goes along 30° north, to these longitudes at these hours. */
const alterPath = (page: Page, points: readonly (readonly [hours: number, longitude: number])[]) =>
  alterAnswer(page, pathCalls, (answer) => {
    const start = Number((answer["results"] as ResultRow[])[0]?.["time"]);
    return { ...answer, results: points.map(([hours, longitude]) => ({ time: start + hours * hour, longitude, latitude: 30 })) };
  });

const beyondThePole = (row: ResultRow): ResultRow => ({ ...row, latitude: 91 });

test("[MAP-11][MAP-12][MAP-13][MAP-27][SEARCH-59] a path is counted, loaded page by page with a percent, shown and hidden again", async ({
  page,
  signIn,
}) => {
  const asked = askedMaps(page);
  await signIn();
  await limitMaps(page, { pathPointsPerCall: 30 });
  await openMap(page);
  const jeanne = pathBox(page, "Jeanne");
  await expect(jeanne).not.toBeChecked();
  expect(asked.counts).toEqual([]);

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
  expect(asked.counts).toEqual([body]);
  const pageFrom = (offset: number) => ({ ...body, paging: { offset, max: 30 } });
  expect(asked.paths).toEqual([0, 30, 60].map(pageFrom));
  expect(asked.last).toHaveLength(1);
  expect(asked.last[0]).not.toHaveProperty("columns");

  await itemButton(page, "Jeanne").click();
  await expect(details(page, "Jeanne").getByText("66 positions", { exact: true })).toBeVisible();
  await details(page, "Jeanne").getByRole("button", { name: "Hide path" }).click();
  await expect(jeanne).not.toBeChecked();
  await expect(details(page, "Jeanne").getByText("66 positions")).toHaveCount(0);
});

test("[MAP-13] a path on its way is cancelled where it was asked for, and asks no further", async ({ page, signIn }) => {
  const asked = askedMaps(page);
  await signIn();
  await limitMaps(page, { pathPointsPerCall: 30 });
  await openMap(page);
  await itemButton(page, "Jeanne").click();
  const next = await hold(page, pathCalls);
  await details(page, "Jeanne").getByRole("button", { name: "Show path" }).click();
  next();
  await expect.poll(() => asked.paths.length).toBe(2);
  const cancelled = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/search/path"));
  await details(page, "Jeanne").getByRole("button", { name: "Cancel loading 45%" }).click();
  await cancelled;
  await expect(pathBox(page, "Jeanne")).not.toBeChecked();
  await expect(details(page, "Jeanne").getByRole("button", { name: "Show path" })).toBeVisible();
  expect(asked.paths).toHaveLength(2);
});

test("[MAP-14][MAP-16] a path is dark blue; where nothing was heard for longer than the threshold it is dashed red, as the person sets it", async ({
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
  await openMap(page, { v: look, s: "2004-09", p: ["2004-09"] });
  const within = async (longitude: number, colour: keyof typeof colours) =>
    countColour(page, await pixelOf(page, look, longitude, 30), 14, colours[colour]);
  // The second path goes on beyond the marker at its end.
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

test("[MAP-22][MAP-23][MAP-27] a path of more calls than the limit is loaded after 'Yes, Try Loading Path', and stays hidden after Cancel", async ({
  page,
  signIn,
}) => {
  const asked = askedMaps(page);
  await signIn();
  await limitMaps(page, { pathPointsPerCall: 30, pathCallsWithoutWarning: 2 });
  await openMap(page);
  const jeanne = pathBox(page, "Jeanne");
  const dialog = page.getByRole("dialog", { name: "A Lot of Data" });
  await jeanne.click();
  await expect(dialog).toContainText("The path of Jeanne has 66 positions, which take 3 requests.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(jeanne).not.toBeChecked();
  await expect(jeanne).toHaveAccessibleName("Path of Jeanne");
  expect(asked.paths).toEqual([]);

  await jeanne.click();
  await dialog.getByRole("button", { name: "Yes, Try Loading Path" }).click();
  await expect(jeanne).toBeChecked();
  expect(asked.paths).toHaveLength(3);

  await pathBox(page, "Alex").click();
  await expect(pathBox(page, "Alex")).toBeChecked();
  await expect(dialog).toHaveCount(0);
});

test("[MAP-22][MAP-23] paths that are a lot together, of an address or at once, are counted and asked about once", async ({
  page,
  signIn,
}) => {
  const asked = askedMaps(page);
  await signIn();
  // Neither of the two takes more than two calls.
  await limitMaps(page, { pathPointsPerCall: 60, pathCallsWithoutWarning: 2 });
  await openMap(page, { p: ["2004-09", "2004-07"] });
  const dialog = page.getByRole("dialog", { name: "A Lot of Data" });
  const shown = itemList(page).getByRole("checkbox", { checked: true });
  await expect(dialog).toContainText(/^.*2 paths together have \d{3} positions, which take 4 requests\./);
  expect([asked.counts.length, asked.paths.length]).toEqual([2, 0]);
  const address = page.url();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(pathBox(page, "Ivan")).toHaveAttribute("aria-checked", "false");
  await expect(pathBox(page, "Jeanne")).toHaveAttribute("aria-checked", "false");
  await expect(page).not.toHaveURL(address);

  await pathBox(page, "Jeanne").click();
  await expect(pathBox(page, "Jeanne")).toBeChecked();
  await page.getByRole("checkbox", { name: "All paths" }).check();
  await expect(dialog).toContainText("12 paths together have");
  await dialog.getByRole("button", { name: "Yes, Try Loading Paths" }).click();
  await expect(shown).toHaveCount(13);
  // Each is counted once.
  expect(asked.counts).toHaveLength(2 + 1 + 12);
});

test("[MAP-24] a path whose count or page fails says 'Path Loading Failed', stays hidden, and comes when asked for again", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openMap(page);
  const jeanne = pathBox(page, "Jeanne");
  const failure = page.getByRole("alert").filter({ hasText: "Path Loading Failed" });
  for (const calls of [pathCountCalls, pathCalls]) {
    await failOnce(page, calls);
    await jeanne.click();
    await expect(failure).toContainText("Jeanne: Every engine slot is taken.");
    await expect(jeanne).not.toBeChecked();
    await failure.getByRole("button").click();
    await expect(failure).toHaveCount(0);
  }
  await jeanne.click();
  await expect(jeanne).toBeChecked();
});

test("a path says how many positions it has, how many have no place, and that there is nothing to draw where there are none", async ({
  page,
  signIn,
}) => {
  await signIn();
  await alterAnswer(page, pathCalls, (answer) => ({
    ...answer,
    results: (answer["results"] as ResultRow[]).map((row, index) => (index < 3 ? beyondThePole(row) : row)),
  }));
  await openMap(page, { s: "2004-09", p: ["2004-09"] });
  await expect(details(page, "Jeanne").getByText("63 positions, 3 without a place", { exact: true })).toBeVisible();
  await details(page, "Jeanne").getByRole("button", { name: "Hide path" }).click();
  await alterAnswer(page, pathCountCalls, () => ({ totalResults: 0 }));
  await details(page, "Jeanne").getByRole("button", { name: "Show path" }).click();
  await expect(details(page, "Jeanne").getByText("0 positions", { exact: true })).toBeVisible();
  await expect(pathBox(page, "Jeanne")).toBeChecked();
});

test("all paths of the list are shown and hidden at once", async ({ page, signIn }) => {
  await signIn();
  await openMap(page, { p: ["2004-09"] });
  const all = page.getByRole("checkbox", { name: "All paths" });
  const shown = itemList(page).getByRole("checkbox", { checked: true });
  await expect(shown).toHaveCount(1);
  await expect(all).not.toBeChecked();
  await itemFilter(page).fill("i");
  await expect(page.getByText("5 of 13 items", { exact: true })).toBeVisible();
  await all.check();
  await expect(shown).toHaveCount(5);
  await itemFilter(page).fill("");
  await expect(shown).toHaveCount(6);
  await expect(all).not.toBeChecked();
  await all.check();
  await expect(shown).toHaveCount(13);
  await all.uncheck();
  await expect(shown).toHaveCount(0);
});
