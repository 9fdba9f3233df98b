import { datasets } from "@fairway/contract/datasets";
import { filesets } from "@fairway/contract/filesets";
import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { axeViolations, expectAccessible } from "#testing/accessibility.ts";
import { isWithinWindow, textsOf } from "#testing/assertions.ts";
import { serveFilesets } from "#testing/filesets.ts";
import { focus, press } from "#testing/keyboard.ts";
import {
  addressedMapState,
  alterItems,
  details,
  expectMap,
  itemButton,
  itemFilter,
  itemList,
  prepareAddressedMaps,
  itemRow,
  mapLink,
  mapOf,
  openMap,
  pixelOf,
  type View,
} from "#testing/maps.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { drawSharply, mapColors, takePicture } from "#testing/pixels.ts";

const names = () => textsOf(itemList().getByRole("row").getByRole("button"));

const viewpoint: View = [-70, 28, 4];

beforeEach(prepareAddressedMaps);

it("sorts the items by name until another order is chosen: the latest time, or the column that colors them", async () => {
  const { description } = demoDataset("storm-tracks");
  const mapSupport = description.mapSupport && { ...description.mapSupport, colorField: "wind", sizeField: "wind" };
  gateway.answer(datasets.describe, { ...description, mapSupport });
  await openMap();
  const first = () => names().slice(0, 2);
  expect(first()).toEqual(["AL102004", "Alex"]);
  const order = page.getByRole("combobox", { name: "Sort by" });
  await order.selectOptions("Latest time");
  await expect.poll(first).toEqual(["Otto", "Matthew"]);
  // The dataset colors and sizes by the wind.
  await expect.element(page.getByRole("group", { name: "Colors" })).toHaveTextContent("Latest wind (kt)");
  await expect.element(page.getByRole("group", { name: "Colors" })).toHaveTextContent("Size: wind (kt), 25 to 65");
  await order.selectOptions("wind");
  await expect.poll(first).toEqual(["Karl", "Charley"]);
  await expect.poll(addressedMapState).toMatchObject({ o: "value" });
  await page.getByRole("button", { name: "Color and size", exact: true }).click();
  await page.getByRole("combobox", { name: "Color by" }).selectOptions("Age");
  await expect.poll(addressedMapState).toMatchObject({ c: "" });
  await expect.element(page.getByRole("group", { name: "Colors" })).toHaveTextContent("Age at");
  await expect.poll(first).toEqual(["AL102004", "Alex"]);
});

it("says that the map is loading while its rows load, and no longer", async () => {
  const release = gateway.hold(mapResults.last);
  await openScreen(mapLink());
  await expect.element(page.getByRole("status").filter({ hasText: "Loading map" })).toBeVisible();
  release();
  await expectMap();
  await expect.element(page.getByText("Loading map")).not.toBeInTheDocument();
});

it("breaks long names instead of cutting them, above the columns that distinguish namesakes", async () => {
  const name = "12 km north-northwest of a village in Alaska";
  alterItems((rows) => rows.map((row) => (["Alex", "Bonnie"].includes(String(row["name"])) ? { ...row, name } : row)));
  await openMap();
  const long = itemList().getByRole("button", { name: `${name} 2004-01`, exact: true });
  const { height } = long.element().getBoundingClientRect();
  expect(height).toBeGreaterThan(50);
  const [text] = [...long.element().querySelectorAll("span > span")];
  expect(text?.scrollHeight).toBe(text?.clientHeight);
  // The next row starts below it.
  const next = itemList().getByRole("button", { name: `${name} 2004-02`, exact: true });
  await expect
    .poll(() => next.element().getBoundingClientRect().top - long.element().getBoundingClientRect().bottom)
    .toBeGreaterThanOrEqual(0);
});

it("reports empty results", async () => {
  await openScreen(mapLink(undefined, { f: [["name", "=", "Nobody"]] }));
  await expect.element(page.getByText("no results", { exact: true }).first()).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Edit filters" })).toBeVisible();
  await page.getByRole("button", { name: "Remove name = Nobody" }).click();
  await expect.element(page.getByText("no results", { exact: true }).first()).not.toBeInTheDocument();
});

it("reports missing WebGL and keeps the list with its details", async () => {
  const logged = loggedFailures();
  const real: unknown = Reflect.get(HTMLCanvasElement.prototype, "getContext");
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (
    this: HTMLCanvasElement,
    kind: string,
    ...more: unknown[]
  ) {
    return kind.startsWith("webgl") ? null : (Reflect.apply(real as () => null, this, [kind, ...more]) as null);
  });
  await openScreen(mapLink());
  await expect.element(page.getByText("This browser can't show the map.")).toBeVisible();
  await expect.poll(logged).toContain("The map cannot be shown:");
  await itemButton("Ivan").click();
  await expect.element(details("Ivan")).toBeVisible();
});

it("lists and filters 100,000 items and supports the keyboard", async () => {
  alterItems(([{ time = 0 } = {}]) =>
    Array.from({ length: 100_000 }, (_, index) => ({
      time,
      storm_id: `S${index}`,
      name: `Storm ${index}`,
      longitude: -100 + (index % 1_000) / 20,
      latitude: 10 + Math.floor(index / 1_000) / 4,
    })),
  );
  await openMap();
  await expect.element(page.getByText("100,000 items", { exact: true }).first()).toBeVisible();
  expect(itemList().getByRole("row").elements().length).toBeLessThan(80);
  await expect.element(itemList()).toHaveAttribute("aria-rowcount", "100000");
  await focus(itemButton("Storm 0"));
  await press("End");
  await expect.element(itemButton("Storm 99999")).toHaveFocus();
  await itemFilter().fill("storm 54321");
  await expect.element(page.getByText("1 of 100,000 items", { exact: true })).toBeVisible();
});

it("draws dots for a dataset without an icon, centers an item clicked in the list, and selects one clicked on the map and scrolls the list to it", async () => {
  await drawSharply();
  const { description } = demoDataset("storm-tracks");
  gateway.answer(datasets.describe, { ...description, faMapIcon: null });
  const longitudes: Record<string, number> = { Otto: -60, Alex: -80 };
  alterItems((rows) =>
    rows.map((row) => {
      const longitude = longitudes[String(row["name"])];
      return longitude === undefined ? row : { ...row, longitude, latitude: 30 };
    }),
  );
  await openMap({ v: viewpoint });
  expect(isWithinWindow(itemRow("Otto"))).toBe(false);
  await mapOf().click({ position: pixelOf(viewpoint, -60, 30) });
  await expect.element(details("Otto")).toBeVisible();
  await expect.poll(() => isWithinWindow(itemRow("Otto"))).toBe(true);
  await expect.element(itemRow("Otto")).toHaveAttribute("aria-selected", "true");

  await itemFilter().fill("Alex");
  await itemButton("Alex").click();
  await expect.element(details("Alex")).toBeVisible();
  const centered: View = [-80, 30, 4];
  const markerPixels = async () => {
    const picture = await takePicture(mapOf());
    return [mapColors.rose, mapColors.white].map((color) => picture.count(pixelOf(centered, -80, 30), 3, color));
  };
  await expect.poll(markerPixels).toEqual([expect.toSatisfy((count: number) => count > 40), 0]);
  await details("Alex").getByRole("button", { name: "Close details" }).click();
  await expect.element(details("Alex")).not.toBeInTheDocument();
  await expect.element(itemButton("Alex")).toHaveFocus();
});

it("shows the list in a sheet over the map on a phone, without horizontal scrolling, in which axe finds no violations", async () => {
  await page.viewport(390, 844);
  await openScreen(mapLink());
  await expect.element(mapOf()).toHaveAttribute("data-ready", "true");
  await expect.element(itemList()).not.toBeInTheDocument();
  await page.getByRole("button", { name: "13 items" }).click();
  const sheet = page.getByRole("dialog", { name: "Items" });
  await expect.element(sheet.getByRole("grid", { name: "Items" })).toBeVisible();
  // The rest of the page is inert and analyzed once the sheet is closed.
  expect(await axeViolations({ within: ["[role=dialog]"] })).toEqual([]);
  await itemButton("Ivan").click();
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(details("Ivan")).toBeVisible();
  expect(await axeViolations()).toEqual([]);
  expect(document.documentElement.scrollWidth - document.documentElement.clientWidth).toBe(0);
});

it("opens the file browser of a FILESET column from an item's details, locked to its file", async () => {
  const track = "by-storm/2004-09-Ivan.csv";
  serveFilesets(gateway, { "storm-archive": { files: { [track]: 2_300, "by-storm/2004-01-Alex.csv": 1, "README.txt": 10 } } });
  gateway.answer(filesets.file, { filename: track, size: 2_300, lastModified: "2026-11-12T09:14:02.000Z" });
  alterItems((rows) => rows.map((row) => ({ ...row, fileset: "storm-archive", track_path: track })));
  await openMap();
  await itemButton("Ivan").click();
  const button = details("Ivan").getByRole("button", { name: track });
  await expect.element(button).not.toBeInTheDocument();
  await details("Ivan").getByRole("button", { name: "All fields" }).click();
  await button.click();
  const dialog = page.getByRole("dialog", { name: "track file" });
  await expect.element(dialog.getByRole("grid")).toHaveTextContent("2004-09-Ivan.csv");
  await expect.element(dialog.getByRole("grid")).not.toHaveTextContent("2004-01-Alex.csv");
  await expect.element(dialog.getByRole("navigation", { name: "Path" })).toHaveTextContent(/^storm-archive\/by-storm$/);
  expect(gateway.received(filesets.listing).map(({ query }) => query.listPrefix)).toEqual(["by-storm/"]);
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

it("supports the keyboard in list, details, layers and location dialog, in which axe finds no violations in either theme", async () => {
  await openMap();
  await focus(itemFilter());
  await press("Tab");
  await press("Tab");
  await expect.element(page.getByRole("combobox", { name: "Sort by" })).toHaveFocus();
  await press("Tab");
  await expect.element(page.getByRole("combobox", { name: "Paths" })).toHaveFocus();
  await press("Tab");
  await expect.element(itemButton("AL102004")).toHaveFocus();
  await press("ArrowDown");
  await press("ArrowDown");
  await expect.element(itemButton("Bonnie")).toHaveFocus();
  await press("Enter");
  await expect.element(details("Bonnie")).toBeVisible();
  await press("ArrowLeft");
  await press("Space");
  await expect.element(itemRow("Bonnie").getByRole("checkbox")).toBeChecked();
  await press("Enter", details("Bonnie").getByRole("button", { name: "Path layers" }));
  const layers = page.getByRole("region", { name: "Path layers of Bonnie" });
  await expect.element(layers.getByRole("button", { name: "Close path layers" })).toHaveFocus();
  // Only the main region, because the rest is the same on every screen.
  await expectAccessible({ within: ["main"] });
  await press("Escape");
  await expect.element(layers).not.toBeInTheDocument();
  await expect.element(details("Bonnie").getByRole("button", { name: "Path layers" })).toHaveFocus();

  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect.element(page.getByRole("menu", { name: "Export" })).toBeVisible();
  expect(await axeViolations({ within: ["[role=menu]"] })).toEqual([]);
  await press("Escape");
  const coordinates = details("Bonnie").getByRole("button", { name: "37.1, -74.9" });
  await press("Enter", coordinates);
  const dialog = page.getByRole("dialog", { name: "position" });
  await expect.element(dialog.getByRole("application", { name: "Location" })).toHaveAttribute("data-zoom", "11");
  await expectAccessible({ within: ["[role=dialog]"] });
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(coordinates).toHaveFocus();
});
