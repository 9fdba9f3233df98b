import { expect, test } from "../support/fixtures.ts";
import {
  recordMapCalls,
  colors,
  countColor,
  details,
  expectMap,
  itemButton,
  itemList,
  mapLink,
  pathBox,
  pixelOf,
  mapState,
  type View,
} from "../support/maps.ts";

test.use({ colorScheme: "light" });

test("the map requests the newest rows without paging, lists the items by name and draws them, and another user who opens its URL sees the same map", async ({
  page,
  signIn,
  browser,
}) => {
  const calls = recordMapCalls(page);
  await signIn();
  await page.goto(mapLink(undefined, { m: "table", f: [["wind", ">=", 0]] }));
  await expect(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Load More" })).toBeVisible();
  expect(calls.last).toEqual([]);
  await page.getByRole("radiogroup", { name: "View" }).getByText("Map", { exact: true }).click();
  await expectMap(page);
  expect(calls.last).toEqual([
    {
      timeRange: { start: "2004-01-01T00:00:00.000Z", end: "2005-01-01T00:00:00.000Z" },
      filters: [{ name: "wind", operator: ">=", value: 0 }],
    },
  ]);
  await expect(page.getByRole("button", { name: "Load More" })).toHaveCount(0);
  expect(await itemList(page).getByRole("row").getByRole("button").allTextContents()).toEqual([
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
  await itemButton(page, "Jeanne").click();
  await expect.poll(() => mapState(page)).toMatchObject({ s: "2004-09", v: [-78.4, 37.3, expect.any(Number)] });
  await pathBox(page, "Jeanne").click();
  await expect.poll(() => mapState(page)).toMatchObject({ p: ["2004-09"] });
  const address = page.url();
  const viewpoint = mapState(page)["v"] as View;

  const context = await browser.newContext({ colorScheme: "light", viewport: { width: 1440, height: 900 } });
  const other = await context.newPage();
  await signIn("editor", other);
  await other.goto(address);
  await expectMap(other);
  await expect(details(other, "Jeanne").getByText("66 positions", { exact: true })).toBeVisible();
  await expect(pathBox(other, "Jeanne")).toBeChecked();
  await expect.poll(async () => countColor(other, await pixelOf(other, viewpoint, -78.4, 37.3), 12, colors.rose)).toBeGreaterThan(40);
  await expect(other).toHaveURL(address);
  await context.close();
});
