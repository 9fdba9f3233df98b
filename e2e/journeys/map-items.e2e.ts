import type { ResultRow } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  askedMaps,
  colours,
  countColour,
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
import { alterAnswer, hold, searchLink } from "../support/results.ts";

test.use({ colorScheme: "light" });

const names = (page: Page) => itemList(page).getByRole("row").getByRole("button").allTextContents();
const view = (page: Page, name: string) => page.getByRole("radiogroup", { name: "View" }).getByText(name, { exact: true });
const look: View = [-70, 28, 4];

const placed = (row: ResultRow, longitude: number, latitude: number): ResultRow => ({ ...row, longitude, latitude });

/** The real last rows, changed on their way. */
const alterItems = (page: Page, change: (rows: ResultRow[]) => ResultRow[]) =>
  alterAnswer(page, lastCalls, (answer) => ({ ...answer, results: change(answer["results"] as ResultRow[]) }));

test("[RESULT-03][RESULT-33][MAP-01][MAP-02][MAP-03][MAP-04][MAP-07][SEARCH-59] the map asks for the last rows without pages and shows the items by name", async ({
  page,
  signIn,
}) => {
  const asked = askedMaps(page);
  await signIn();
  await page.goto(mapLink(undefined, { m: "table", f: [["wind", ">=", 0]] }));
  await expect(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
  expect(asked.last).toEqual([]);
  await expect(page.getByRole("button", { name: "Load More" })).toBeVisible();
  await view(page, "Map").click();
  await expectMap(page);
  expect(asked.last).toEqual([
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
  expect(asked.last).toHaveLength(1);
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

test("[RESULT-03] a sample has no map, even where its address asks for one, nor has a dataset without map support", async ({
  page,
  signIn,
}) => {
  const asked = askedMaps(page);
  await signIn();
  await page.goto(mapLink(undefined, { s: 1, t: undefined }));
  await expect(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
  await expect(view(page, "Table")).toBeVisible();
  await expect(view(page, "Map")).toHaveCount(0);
  await page.goto(searchLink({ category: "Aviation", dataset: "airports", filters: [["state", "=", "AK"]] }));
  await expect(page.getByRole("grid", { name: "Results of airports" })).toBeVisible();
  await expect(view(page, "Map")).toHaveCount(0);
  expect(asked.last).toEqual([]);
});

test("[MAP-09][MAP-28] markers stand at their coordinates in the colour of their age, against the end of the range", async ({
  page,
  signIn,
}) => {
  const end = 1_104_537_600;
  const hour = 3_600;
  const places: Record<string, [age: number, longitude: number, latitude: number]> = {
    Alex: [23 * hour, -80, 30],
    Bonnie: [24 * hour, -70, 30],
    Charley: [72 * hour, -60, 30],
  };
  await signIn();
  await alterItems(page, (rows) =>
    rows.flatMap((row) => {
      const place = places[String(row["name"])];
      return place ? [{ ...row, time: end - place[0], longitude: place[1], latitude: place[2] }] : [];
    }),
  );
  await openMap(page, { v: look });
  await expect(itemRow(page, "Alex")).toContainText("23 h ago");
  await expect(itemRow(page, "Bonnie")).toContainText("24 h ago");
  await expect(itemRow(page, "Charley")).toContainText("3 d ago");
  const expected = { Alex: colours.path, Bonnie: colours.amber, Charley: colours.rose };
  for (const [name, [, longitude, latitude]] of Object.entries(places)) {
    const at = await pixelOf(page, look, longitude, latitude);
    for (const [other, colour] of Object.entries(expected)) {
      const count = () => countColour(page, at, 10, colour);
      if (other === name) await expect.poll(count, { message: `${name} in its colour` }).toBeGreaterThan(40);
      else expect(await count(), `${name} in the colour of ${other}`).toBeLessThan(5);
    }
  }
  const between = await pixelOf(page, look, -75, 30);
  expect(await countColour(page, between, 10, colours.rose)).toBe(0);
});

test("[MAP-10] a marker carries the icon that the dataset names", async ({ page, signIn }) => {
  const within = async (colour: readonly [number, number, number]) => countColour(page, await pixelOf(page, look, -70, 30), 3, colour);
  await signIn();
  await alterItems(page, (rows) => rows.slice(0, 1).map((row) => placed(row, -70, 30)));
  await openMap(page, { v: look });
  await expect.poll(() => within(colours.white)).toBeGreaterThan(5);
  await alterAnswer(page, "**/api/datasets/*/*/describe", (answer) => ({ ...answer, faMapIcon: null }));
  await openMap(page, { v: look });
  await expect.poll(() => within(colours.rose)).toBeGreaterThan(40);
  expect(await within(colours.white)).toBe(0);
});

test("a press in the list brings the item into the middle, a press on the map selects it and scrolls the list to it", async ({
  page,
  signIn,
}) => {
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
  await openMap(page, { v: look });
  await expect(itemRow(page, "Otto")).not.toBeInViewport();
  const otto = await pixelOf(page, look, -60, 30);
  await page.mouse.click(otto.x, otto.y);
  await expect(details(page, "Otto")).toBeVisible();
  await expect(itemRow(page, "Otto")).toBeInViewport();
  await expect(itemRow(page, "Otto")).toHaveAttribute("aria-selected", "true");

  await itemFilter(page).fill("Alex");
  await itemButton(page, "Alex").click();
  await expect(details(page, "Alex")).toBeVisible();
  await expect.poll(async () => countColour(page, await pixelOf(page, [-80, 30, 4], -80, 30), 14, colours.rose)).toBeGreaterThan(40);
  await details(page, "Alex").getByRole("button", { name: "Close details" }).click();
  await expect(details(page, "Alex")).toHaveCount(0);
  await expect(itemButton(page, "Alex")).toBeFocused();
});

test("coordinates that are missing, out of range or text are counted and named, and nothing stands at 0, 0", async ({ page, signIn }) => {
  await signIn();
  await alterItems(page, (rows) =>
    rows.map((row, index) => {
      if (index === 0) return { ...row, latitude: null };
      if (index === 1) return { ...row, longitude: 181 };
      return index === 2 ? { ...row, latitude: "12 N" } : row;
    }),
  );
  await openMap(page, { v: [0, 0, 4] });
  await expect(
    page.getByText("3 items have no place on the map: 1 with coordinates missing, 1 out of range, 1 with text for coordinates."),
  ).toBeVisible();
  await expect(page.getByText("13 items", { exact: true }).first()).toBeVisible();
  await expect(itemRow(page, "Otto")).toContainText("no coordinates");
  expect(await countColour(page, await pixelOf(page, [0, 0, 4], 0, 0), 10, colours.rose)).toBe(0);
  await itemButton(page, "Otto").click();
  await expect(details(page, "Otto")).toBeVisible();
});

test("[MAP-25] results of which none has a place say that they cannot be displayed", async ({ page, signIn }) => {
  await signIn();
  await alterItems(page, (rows) => rows.map((row) => ({ ...row, latitude: null })));
  await page.goto(mapLink());
  const alert = page.getByRole("alert").filter({ hasText: "Error Loading Map" });
  await expect(alert).toContainText(
    "This set of Search Results cannot be displayed on a map. You may view these results in Raw or Table mode.",
  );
  await alert.getByRole("button", { name: "Show Table" }).click();
  await expect(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
});

test("[MAP-26] map data that fail to load say 'Error loading data', and Retry loads them", async ({ page, signIn }) => {
  await signIn();
  await page.route(
    lastCalls,
    (route) => route.fulfill({ status: 503, json: { errors: [{ code: "engine-busy", message: "Every engine slot is taken." }] } }),
    {
      times: 1,
    },
  );
  await page.goto(mapLink());
  const alert = page.getByRole("alert").filter({ hasText: "Error loading data" });
  await expect(alert).toContainText("Every engine slot is taken.");
  await alert.getByRole("button", { name: "Retry" }).click();
  await expectMap(page);
  await expect(alert).toHaveCount(0);
});

test("items on their way can be cancelled and asked for again; a search that finds none says so", async ({ page, signIn }) => {
  const asked = askedMaps(page);
  await signIn();
  const release = await hold(page, lastCalls);
  await page.goto(mapLink());
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(page.getByText("Loading cancelled", { exact: true })).toBeVisible();
  release();
  await page.getByRole("button", { name: "Load Map" }).click();
  await expectMap(page);
  expect(asked.last).toHaveLength(2);
  await page.goto(mapLink(undefined, { f: [["name", "=", "Nobody"]] }));
  await expect(page.getByText("no results", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Edit filters" })).toBeVisible();
});

test("a map whose answer was cut says so", async ({ page, signIn }) => {
  await signIn();
  await alterAnswer(page, lastCalls, (answer) => ({ ...answer, truncated: true }));
  await openMap(page);
  await expect(page.getByText("The map was cut at 13 items. Narrow the filters to see the rest.")).toBeVisible();
});

test("a browser without WebGL is told so, and keeps the list with its details", async ({ page, signIn, expectComplaints }) => {
  expectComplaints(/WebGL|webgl/);
  await page.addInitScript(() => {
    const real: unknown = Reflect.get(HTMLCanvasElement.prototype, "getContext");
    if (typeof real !== "function") return;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...more: unknown[]): null {
      return kind.startsWith("webgl") ? null : (Reflect.apply(real, this, [kind, ...more]) as null);
    };
  });
  await signIn();
  await page.goto(mapLink());
  await expect(page.getByText("This browser cannot draw the map.")).toBeVisible();
  await itemButton(page, "Ivan").click();
  await expect(details(page, "Ivan")).toBeVisible();
});

test("100,000 items are listed, filtered and reached by the keyboard", async ({ page, signIn }) => {
  await signIn();
  await alterItems(page, ([{ time = 0 } = {}]) =>
    Array.from({ length: 100_000 }, (_, index) => ({
      time,
      storm_id: `S${index}`,
      name: `Storm ${index}`,
      longitude: -100 + (index % 1_000) / 20,
      latitude: 10 + Math.floor(index / 1_000) / 4,
    })),
  );
  await openMap(page);
  await expect(page.getByText("100,000 items", { exact: true }).first()).toBeVisible();
  expect(await itemList(page).getByRole("row").count()).toBeLessThan(80);
  await expect(itemList(page)).toHaveAttribute("aria-rowcount", "100000");
  await itemButton(page, "Storm 0").focus();
  await page.keyboard.press("End");
  await expect(itemButton(page, "Storm 99999")).toBeFocused();
  await itemFilter(page).fill("storm 54321");
  await expect(page.getByText("1 of 100,000 items", { exact: true })).toBeVisible();
});

test("list, details and layers are worked by the keyboard, and axe finds nothing in either theme", async ({ page, signIn }) => {
  await signIn();
  await openMap(page);
  await page.keyboard.press("/");
  await expect(itemFilter(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("checkbox", { name: "All paths" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(itemButton(page, "AL102004")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(itemButton(page, "Bonnie")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(details(page, "Bonnie")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Space");
  await expect(itemRow(page, "Bonnie").getByRole("checkbox")).toBeChecked();
  await details(page, "Bonnie").getByRole("button", { name: "Path layers" }).press("Enter");
  const layers = page.getByRole("region", { name: "Path layers of Bonnie" });
  await expect(layers.getByRole("button", { name: "Close path layers" })).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  // What stands around the map looks the same with every screen.
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeViolations(page, { within: ["main"] })).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(layers).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the list is a sheet over the map, and nothing scrolls sideways", async ({ page, signIn }) => {
    await signIn();
    await page.goto(mapLink());
    await expect(mapOf(page)).toHaveAttribute("data-ready", "true", { timeout: 30_000 });
    await expect(itemList(page)).toHaveCount(0);
    await page.getByRole("button", { name: "13 items" }).tap();
    const sheet = page.getByRole("dialog", { name: "Items" });
    await expect(sheet.getByRole("grid", { name: "Items" })).toBeVisible();
    // The rest of the page is out of reach, and looked at without the sheet.
    expect(await axeViolations(page, { within: ["[role=dialog]"] })).toEqual([]);
    await itemButton(page, "Ivan").tap();
    await expect(sheet).toHaveCount(0);
    await expect(details(page, "Ivan")).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });
});
