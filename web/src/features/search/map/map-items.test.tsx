import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { axeViolations, showTheme } from "#testing/accessibility.ts";
import { textsOf } from "#testing/assertions.ts";
import { focus, press } from "#testing/keyboard.ts";
import {
  alterItems,
  mapRequests,
  details,
  expectMap,
  itemButton,
  itemFilter,
  itemList,
  prepareMaps,
  itemRow,
  mapLink,
  openMap,
  lastRows,
} from "#testing/maps.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { searchLink } from "#testing/results.ts";

const names = () => textsOf(itemList().getByRole("row").getByRole("button"));
const view = (name: string) => page.getByRole("radiogroup", { name: "View" }).getByText(name, { exact: true });

beforeEach(prepareMaps);

it("[RESULT-03][RESULT-33][MAP-01][MAP-02][MAP-03][MAP-04][MAP-07][SEARCH-59] requests the last rows without paging and lists the items by name", async () => {
  const requests = mapRequests();
  await openScreen(mapLink(undefined, { m: "table", f: [["wind", ">=", 0]] }));
  await expect.element(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
  expect(requests.last).toEqual([]);
  await expect.element(page.getByRole("button", { name: "Load More" })).toBeVisible();
  await view("Map").click();
  await expectMap();
  expect(requests.last).toEqual([
    {
      timeRange: { start: "2004-01-01T00:00:00.000Z", end: "2005-01-01T00:00:00.000Z" },
      filters: [{ name: "wind", operator: ">=", value: 0 }],
    },
  ]);
  await expect.element(page.getByRole("button", { name: "Load More" })).not.toBeInTheDocument();
  await view("Table").click();
  await expect.element(page.getByRole("button", { name: "Load More" })).toBeVisible();
  await view("Map").click();
  await expectMap();
  expect(requests.last).toHaveLength(1);
  expect(names()).toEqual([
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
  await itemFilter().fill("  NI");
  await expect.element(page.getByText("2 of 13 items", { exact: true })).toBeVisible();
  expect(names()).toEqual(["Bonnie", "Danielle"]);
  await itemFilter().fill("nobody");
  await expect.element(page.getByText("No item matches.")).toBeVisible();
  await press("Escape", itemFilter());
  await expect.element(page.getByText("13 items", { exact: true }).first()).toBeVisible();
});

it("[RESULT-03] has no map for a sample, even if the address requests one, nor for a dataset without map support", async () => {
  const requests = mapRequests();
  await openScreen(mapLink(undefined, { s: 1, t: undefined }));
  await expect.element(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
  await expect.element(view("Table")).toBeVisible();
  await expect.element(view("Map")).not.toBeInTheDocument();
  await openScreen(searchLink({ category: "Aviation", dataset: "airports", filters: [["state", "=", "AK"]] }));
  await expect.element(page.getByRole("grid", { name: "Results of airports" })).toBeVisible();
  await expect.element(view("Map")).not.toBeInTheDocument();
  expect(requests.last).toEqual([]);
});

it("[MAP-25] reports results without any coordinates as not displayable", async () => {
  alterItems((rows) => rows.map((row) => ({ ...row, latitude: null })));
  await openScreen(mapLink());
  const alert = page.getByRole("alert").filter({ hasText: "Error Loading Map" });
  await expect
    .element(alert)
    .toHaveTextContent("This set of Search Results cannot be displayed on a map. You may view these results in Raw or Table mode.");
  await alert.getByRole("button", { name: "Show Table" }).click();
  await expect.element(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
});

it("[MAP-26] shows 'Error loading data' when map data fails to load, and loads it on Retry", async () => {
  gateway.refuse(mapResults.last, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await openScreen(mapLink());
  const alert = page.getByRole("alert").filter({ hasText: "Error loading data" });
  await expect.element(alert).toHaveTextContent("Every engine slot is taken.");
  await alert.getByRole("button", { name: "Retry" }).click();
  await expectMap();
  await expect.element(alert).not.toBeInTheDocument();
});

it("cancels and reloads items, and reports empty results", async () => {
  const requests = mapRequests();
  const release = gateway.hold(mapResults.last);
  await openScreen(mapLink());
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(page.getByText("Loading cancelled", { exact: true })).toBeVisible();
  expect(gateway.received(mapResults.last)[0]?.signal?.aborted).toBe(true);
  release();
  await page.getByRole("button", { name: "Load Map" }).click();
  await expectMap();
  expect(requests.last).toHaveLength(2);
  await openScreen(mapLink(undefined, { f: [["name", "=", "Nobody"]] }));
  await expect.element(page.getByText("no results", { exact: true }).first()).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Edit filters" })).toBeVisible();
});

it("reports that the map was cut", async () => {
  gateway.answer(mapResults.last, { results: lastRows(), truncated: true });
  await openMap();
  await expect.element(page.getByText("The map was cut at 13 items. Narrow the filters to see the rest.")).toBeVisible();
});

it("reports missing WebGL and keeps the list with its details", async () => {
  const real: unknown = Reflect.get(HTMLCanvasElement.prototype, "getContext");
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (
    this: HTMLCanvasElement,
    kind: string,
    ...more: unknown[]
  ) {
    return kind.startsWith("webgl") ? null : (Reflect.apply(real as () => null, this, [kind, ...more]) as null);
  });
  await openScreen(mapLink());
  await expect.element(page.getByText("This browser cannot draw the map.")).toBeVisible();
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

it("supports the keyboard in list, details and layers, in which axe finds no violations in either theme", async () => {
  await openMap();
  await press("/");
  await expect.element(itemFilter()).toHaveFocus();
  await press("Tab");
  await press("Tab");
  await expect.element(page.getByRole("checkbox", { name: "All paths" })).toHaveFocus();
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
  expect(await axeViolations()).toEqual([]);
  await showTheme("dark");
  // Only the main region, because the rest is the same on every screen.
  expect(await axeViolations({ within: ["main"] })).toEqual([]);
  await press("Escape");
  await expect.element(layers).not.toBeInTheDocument();
});

it("counts and names coordinates that are missing, out of range or text", async () => {
  alterItems((rows) =>
    rows.map((row, index) => {
      if (index === 0) return { ...row, latitude: null };
      if (index === 1) return { ...row, longitude: 181 };
      return index === 2 ? { ...row, latitude: "12 N" } : row;
    }),
  );
  await openMap({ v: [0, 0, 4] });
  await expect
    .element(page.getByText("3 items have no place on the map: 1 with coordinates missing, 1 out of range, 1 with text for coordinates."))
    .toBeVisible();
  await expect.element(page.getByText("13 items", { exact: true }).first()).toBeVisible();
  await expect.element(itemRow("Otto")).toHaveTextContent("no coordinates");
  await itemButton("Otto").click();
  await expect.element(details("Otto")).toBeVisible();
});
