import type { ResultRow } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  recordMapCalls,
  colors,
  countColor,
  details,
  expectMap,
  itemButton,
  itemFilter,
  itemList,
  itemRow,
  lastCalls,
  mapLink,
  mapOf,
  openMap,
  pixelOf,
  type View,
} from "../support/maps.ts";
import { alterAnswer } from "../support/results.ts";

test.use({ colorScheme: "light" });

const names = (page: Page) => itemList(page).getByRole("row").getByRole("button").allTextContents();
const view = (page: Page, name: string) => page.getByRole("radiogroup", { name: "View" }).getByText(name, { exact: true });
const viewpoint: View = [-70, 28, 4];

const moveTo = (row: ResultRow, longitude: number, latitude: number): ResultRow => ({ ...row, longitude, latitude });

/** Modifies the newest rows of the items. */
const alterItems = (page: Page, change: (rows: ResultRow[]) => ResultRow[]) =>
  alterAnswer(page, lastCalls, (answer) => ({ ...answer, results: change(answer["results"] as ResultRow[]) }));

test("[RESULT-03][RESULT-33][MAP-01][MAP-02][MAP-03][MAP-04][MAP-07][SEARCH-59] the map requests the newest rows without paging and lists the items by name", async ({
  page,
  signIn,
}) => {
  const calls = recordMapCalls(page);
  await signIn();
  await page.goto(mapLink(undefined, { m: "table", f: [["wind", ">=", 0]] }));
  await expect(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
  expect(calls.last).toEqual([]);
  await expect(page.getByRole("button", { name: "Load More" })).toBeVisible();
  await view(page, "Map").click();
  await expectMap(page);
  expect(calls.last).toEqual([
    {
      timeRange: { start: "2004-01-01T00:00:00.000Z", end: "2005-01-01T00:00:00.000Z" },
      filters: [{ name: "wind", operator: ">=", value: 0 }],
    },
  ]);
  await expect(page.getByRole("button", { name: "Load More" })).toHaveCount(0);
  await view(page, "Table").click();
  await expect(page.getByRole("button", { name: "Load More" })).toBeVisible();
  await view(page, "Map").click();
  await expectMap(page);
  expect(calls.last).toHaveLength(1);
  expect(await names(page)).toEqual([
    "AL102004",
    "Alex",
    "Bonnie",
    "Charley",
    "Danielle",
    "Gaston",
    "Hermine",
    "Ivan",
    "Jeanne",
    "Karl",
    "Lisa",
    "Matthew",
    "Otto",
  ]);
  await itemFilter(page).fill("  NI");
  await expect(page.getByText("2 of 13 items", { exact: true })).toBeVisible();
  expect(await names(page)).toEqual(["Bonnie", "Danielle"]);
  await itemFilter(page).fill("nobody");
  await expect(page.getByText("No item matches.")).toBeVisible();
  await itemFilter(page).press("Escape");
  await expect(page.getByText("13 items", { exact: true }).first()).toBeVisible();
});

test("[MAP-09][MAP-28] markers are drawn at their coordinates in the color of their age relative to the end of the range", async ({
  page,
  signIn,
}) => {
  const end = 1_104_537_600;
  const hour = 3_600;
  const positions: Record<string, [age: number, longitude: number, latitude: number]> = {
    Alex: [23 * hour, -80, 30],
    Bonnie: [24 * hour, -70, 30],
    Charley: [72 * hour, -60, 30],
  };
  await signIn();
  await alterItems(page, (rows) =>
    rows.flatMap((row) => {
      const position = positions[String(row["name"])];
      return position ? [{ ...row, time: end - position[0], longitude: position[1], latitude: position[2] }] : [];
    }),
  );
  await openMap(page, { v: viewpoint });
  await expect(itemRow(page, "Alex")).toContainText("23 h ago");
  await expect(itemRow(page, "Bonnie")).toContainText("24 h ago");
  await expect(itemRow(page, "Charley")).toContainText("3 d ago");
  const expected = { Alex: colors.path, Bonnie: colors.amber, Charley: colors.rose };
  for (const [name, [, longitude, latitude]] of Object.entries(positions)) {
    const at = await pixelOf(page, viewpoint, longitude, latitude);
    for (const [other, color] of Object.entries(expected)) {
      const count = () => countColor(page, at, 10, color);
      if (other === name) await expect.poll(count, { message: `${name} in its color` }).toBeGreaterThan(40);
      else expect(await count(), `${name} in the color of ${other}`).toBeLessThan(5);
    }
  }
  const between = await pixelOf(page, viewpoint, -75, 30);
  expect(await countColor(page, between, 10, colors.rose)).toBe(0);
});

test("[MAP-10] markers show the dataset's icon", async ({ page, signIn }) => {
  const within = async (color: readonly [number, number, number]) => countColor(page, await pixelOf(page, viewpoint, -70, 30), 3, color);
  await signIn();
  await alterItems(page, (rows) => rows.slice(0, 1).map((row) => moveTo(row, -70, 30)));
  await openMap(page, { v: viewpoint });
  await expect.poll(() => within(colors.white)).toBeGreaterThan(5);
  await alterAnswer(page, "**/api/datasets/*/*/describe", (answer) => ({ ...answer, faMapIcon: null }));
  await openMap(page, { v: viewpoint });
  await expect.poll(() => within(colors.rose)).toBeGreaterThan(40);
  expect(await within(colors.white)).toBe(0);
});

test("a click in the list centers the item, and a click on the map selects it and scrolls the list to it", async ({ page, signIn }) => {
  await page.setViewportSize({ width: 1280, height: 480 });
  await signIn();
  await alterItems(page, (rows) =>
    rows.map((row) =>
      row["name"] === "Otto"
        ? { ...row, longitude: -60, latitude: 30 }
        : row["name"] === "Alex"
          ? { ...row, longitude: -80, latitude: 30 }
          : row,
    ),
  );
  await openMap(page, { v: viewpoint });
  await expect(itemRow(page, "Otto")).not.toBeInViewport();
  const otto = await pixelOf(page, viewpoint, -60, 30);
  await page.mouse.click(otto.x, otto.y);
  await expect(details(page, "Otto")).toBeVisible();
  await expect(itemRow(page, "Otto")).toBeInViewport();
  await expect(itemRow(page, "Otto")).toHaveAttribute("aria-selected", "true");

  await itemFilter(page).fill("Alex");
  await itemButton(page, "Alex").click();
  await expect(details(page, "Alex")).toBeVisible();
  await expect.poll(async () => countColor(page, await pixelOf(page, [-80, 30, 4], -80, 30), 14, colors.rose)).toBeGreaterThan(40);
  await details(page, "Alex").getByRole("button", { name: "Close details" }).click();
  await expect(details(page, "Alex")).toHaveCount(0);
  await expect(itemButton(page, "Alex")).toBeFocused();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the list is a sheet over the map, without horizontal scrolling", async ({ page, signIn }) => {
    await signIn();
    await page.goto(mapLink());
    await expect(mapOf(page)).toHaveAttribute("data-ready", "true", { timeout: 30_000 });
    await expect(itemList(page)).toHaveCount(0);
    await page.getByRole("button", { name: "13 items" }).tap();
    const sheet = page.getByRole("dialog", { name: "Items" });
    await expect(sheet.getByRole("grid", { name: "Items" })).toBeVisible();
    // The rest of the page is inert and analyzed once the sheet is closed.
    expect(await axeViolations(page, { within: ["[role=dialog]"] })).toEqual([]);
    await itemButton(page, "Ivan").tap();
    await expect(sheet).toHaveCount(0);
    await expect(details(page, "Ivan")).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });
});
