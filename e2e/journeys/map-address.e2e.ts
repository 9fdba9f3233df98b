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
  mapLink,
  mapOf,
  openMap,
  pathBox,
  pixelOf,
  mapState,
  type View,
} from "../support/maps.ts";
import { slider } from "../support/playback.ts";
import { hold } from "../support/results.ts";

test.use({ colorScheme: "light" });

const jeanne = "2004-09";
const ivan = "2004-07";

test("the URL contains the state of the map, and another user who opens it sees the same map", async ({ page, signIn, browser }) => {
  await signIn();
  await openMap(page);
  expect(mapState(page)).toEqual({});
  await itemButton(page, "Jeanne").click();
  await expect.poll(() => mapState(page)).toMatchObject({ s: jeanne, v: [-78.4, 37.3, expect.any(Number)] });
  await pathBox(page, "Jeanne").click();
  await pathBox(page, "Ivan").click();
  await expect(pathBox(page, "Ivan")).toBeChecked();
  await details(page, "Jeanne").getByRole("button", { name: "Path layers" }).click();
  const layers = page.getByRole("region", { name: "Path layers of Jeanne" });
  await layers.getByRole("button", { name: "Add layer" }).click();
  await layers.getByRole("combobox", { name: "Column of layer 2" }).selectOption("wind");
  await layers.getByRole("textbox", { name: "Value of layer 2" }).fill("100");
  await layers.getByRole("textbox", { name: "Data gap threshold" }).fill("30");
  await layers.getByRole("button", { name: "Close path layers" }).click();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await slider(page).press("PageDown");
  const shownMs = Number(await slider(page).getAttribute("aria-valuenow"));
  await itemFilter(page).fill("an");
  const expectedState = {
    t: [Math.round(shownMs), null, null],
    f: "an",
    s: jeanne,
    p: [jeanne, ivan],
    g: 30 * 3_600_000,
    l: {
      [jeanne]: [
        ["path", 1, null],
        ["c2", 1, ["wind", ">=", "100"]],
      ],
    },
  };
  await expect.poll(() => mapState(page)).toMatchObject(expectedState);
  await expect.poll(() => (mapState(page)["v"] as View)[2]).toBeGreaterThanOrEqual(4);
  const address = page.url();

  const context = await browser.newContext({ colorScheme: "light", viewport: { width: 1440, height: 900 } });
  const other = await context.newPage();
  await signIn("editor", other);
  const calls = recordMapCalls(other);
  await other.goto(address);
  await expectMap(other);
  await expect(details(other, "Jeanne")).toBeVisible();
  await expect(pathBox(other, "Jeanne")).toBeChecked();
  await expect(pathBox(other, "Ivan")).toBeChecked();
  await expect(itemFilter(other)).toHaveValue("an");
  await expect(other.getByText("3 of 13 items", { exact: true })).toBeVisible();
  await expect(slider(other)).toHaveAttribute("aria-valuenow", String(Math.round(shownMs)));
  const columns = calls.paths.map((path) => (path.columns ?? []).join(" "));
  expect(new Set(columns)).toEqual(new Set(["time latitude longitude", "time latitude longitude wind"]));
  const viewpoint = mapState(page)["v"] as View;
  await expect.poll(async () => countColor(other, await pixelOf(other, viewpoint, -78.4, 37.3), 12, colors.rose)).toBeGreaterThan(40);
  await expect(other).toHaveURL(address);
  await context.close();

  await page.reload();
  await expectMap(page);
  await expect(pathBox(page, "Ivan")).toBeChecked();
  await expect(itemFilter(page)).toHaveValue("an");
  await slider(page).press("End");
  await expect.poll(() => mapState(page)).not.toHaveProperty("t");
  await pathBox(page, "Ivan").click();
  await details(page, "Jeanne").getByRole("button", { name: "Close details" }).click();
  await expect.poll(() => mapState(page)).not.toHaveProperty("s");
  expect(mapState(page)["p"]).toEqual([jeanne]);
});

test("closing the search of a map cancels its calls and frees its memory", async ({ page, signIn }) => {
  await signIn();
  const devtools = await page.context().newCDPSession(page);
  const heap = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return (await devtools.send("Runtime.getHeapUsage")).usedSize / 1_000_000;
  };
  await openMap(page);
  const initial = await heap();
  await itemFilter(page).fill("Jea");
  await page.route("**/api/datasets/*/*/search/last", async (route) => {
    const response = await route.fetch();
    const { results } = (await response.json()) as { results: Record<string, unknown>[] };
    const many = Array.from({ length: 20_000 }, (_, index) =>
      Object.assign({}, results[0], { storm_id: `S${index}`, name: `Storm ${index}` }),
    );
    await route.fulfill({ response, json: { results: many } });
  });
  await page.goto(mapLink({}, { v: ["name"] }));
  await expect(page.getByText("20,000 items", { exact: true }).first()).toBeVisible({ timeout: 30_000 });
  await expectMap(page);
  const large = await heap();
  expect(large - initial).toBeGreaterThan(5);
  await page.unroute("**/api/datasets/*/*/search/last");

  const release = await hold(page, "**/api/datasets/*/*/search/path");
  await pathBox(page, "Storm 0").click();
  await expect(pathBox(page, "Storm 0")).toHaveAccessibleName("Path of Storm 0");
  await pathBox(page, "Storm 0").click();
  await page
    .getByRole("button", { name: /^Close storm-tracks of/ })
    .first()
    .click();
  await expect(mapOf(page)).toHaveCount(0);
  release();
  await expect.poll(async () => (await heap()) - initial, { timeout: 20_000 }).toBeLessThan((large - initial) / 2);
});

test("the location dialog returns the focus, and axe finds no violations in it or in the export menu", async ({ page, signIn }) => {
  await signIn();
  await openMap(page, { s: ivan });
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect(page.getByRole("menu", { name: "Export" })).toBeVisible();
  expect(await axeViolations(page, { within: ["[role=menu]"] })).toEqual([]);
  await page.keyboard.press("Escape");
  const coordinates = details(page, "Ivan").getByRole("button", { name: "30.1, -94.2" });
  await coordinates.press("Enter");
  const dialog = page.getByRole("dialog", { name: "position" });
  await expect(dialog.getByRole("application", { name: "Location" })).toHaveAttribute("data-zoom", "11");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page, { within: ["[role=dialog]"] })).toEqual([]);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(coordinates).toBeFocused();
});
