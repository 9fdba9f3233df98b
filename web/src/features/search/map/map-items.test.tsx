import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { textsOf } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import {
  alterItems,
  mapRequests,
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
  lastRows,
  pixelOf,
  type View,
} from "#testing/maps.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { drawSharply, mapColors, type Picture, takePicture } from "#testing/pixels.ts";
import { searchLink } from "#testing/results.ts";

const names = () => textsOf(itemList().getByRole("row").getByRole("button"));
const view = (name: string) => page.getByRole("radiogroup", { name: "View" }).getByText(name, { exact: true });

const viewpoint: View = [-70, 28, 4];

beforeEach(prepareAddressedMaps);

describe("a map chosen beside the table", () => {
  openOnce(async () => {
    await openScreen(mapLink(undefined, { m: "table", f: [["wind", ">=", 0]] }));
    await expect.element(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
    expect(mapRequests().last).toEqual([]);
    await view("Map").click();
    await expectMap();
  });

  it("[MAP-07][SEARCH-59] requests the last rows without paging or columns", () => {
    expect(mapRequests().last).toEqual([
      {
        timeRange: { start: "2004-01-01T00:00:00.000Z", end: "2005-01-01T00:00:00.000Z" },
        filters: [{ name: "wind", operator: ">=", value: 0 }],
      },
    ]);
  });

  it("[RESULT-03][RESULT-33] has no Load More, which the table has, and is not requested again", async () => {
    await expect.element(page.getByRole("button", { name: "Load More" })).not.toBeInTheDocument();
    await view("Table").click();
    await expect.element(page.getByRole("button", { name: "Load More" })).toBeVisible();
    await view("Map").click();
    await expectMap();
    await expect.element(page.getByRole("button", { name: "Load More" })).not.toBeInTheDocument();
    expect(mapRequests().last).toHaveLength(1);
  });

  it("[MAP-02] lists its items by name", () => {
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
  });

  it("[MAP-01][MAP-03] has a filter that narrows the list", async () => {
    await press("/");
    await expect.element(itemFilter()).toHaveFocus();
    await itemFilter().fill("  NI");
    await expect.element(page.getByText("2 of 13 items", { exact: true })).toBeVisible();
    expect(names()).toEqual(["Bonnie", "Danielle"]);
    await itemFilter().fill("nobody");
    await expect.element(page.getByText("No item matches.")).toBeVisible();
    await press("Escape", itemFilter());
    await expect.element(page.getByText("13 items", { exact: true }).first()).toBeVisible();
  });
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

it("[MAP-26] shows 'Error loading data' when map data fails to load, loads it on Retry, and can be cancelled and load it again; reports that the map was cut, and counts and names coordinates that are missing, out of range or text", async () => {
  const requests = mapRequests();
  const changes = [{ latitude: null }, { longitude: 361 }, { latitude: "12 N" }];
  const results = lastRows().map((row, index) => Object.assign(row, changes[index]));
  gateway.answer(mapResults.last, { results, truncated: true });
  gateway.refuse(mapResults.last, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await openScreen(mapLink());
  const alert = page.getByRole("alert").filter({ hasText: "Error loading data" });
  await expect.element(alert).toHaveTextContent("Every engine slot is taken.");
  const release = gateway.hold(mapResults.last);
  await alert.getByRole("button", { name: "Retry" }).click();
  await expect.element(alert).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(page.getByText("Loading canceled", { exact: true })).toBeVisible();
  expect(gateway.received(mapResults.last)[1]?.signal?.aborted).toBe(true);
  release();
  await page.getByRole("button", { name: "Load Map" }).click();
  await expectMap();
  await expect.element(alert).not.toBeInTheDocument();
  expect(requests.last).toHaveLength(3);

  await expect.element(page.getByText("The map shows only the first 13 items. Narrow the filters to see the rest.")).toBeVisible();
  await expect
    .element(page.getByText("3 items have no place on the map: 1 with coordinates missing, 1 out of range, 1 with text for coordinates."))
    .toBeVisible();
  await expect.element(page.getByText("13 items", { exact: true }).first()).toBeVisible();
  await expect.element(itemRow("Otto")).toHaveTextContent("no coordinates");
  await itemButton("Otto").click();
  await expect.element(details("Otto")).toBeVisible();
});

describe("markers", () => {
  const end = 1_104_537_600;
  const hour = 3_600;
  const storms = {
    Alex: { age: 23 * hour, shown: "23 h ago", longitude: -80, color: mapColors.path },
    Bonnie: { age: 24 * hour, shown: "24 h ago", longitude: -70, color: mapColors.amber },
    Charley: { age: 72 * hour, shown: "3 d ago", longitude: -60, color: mapColors.rose },
  };
  const positions = Object.values(storms);
  const pointOf = (longitude: number) => pixelOf(viewpoint, longitude, 30);
  const icons = (picture: Picture) => positions.map(({ longitude }) => picture.count(pointOf(longitude), 3, mapColors.white));
  const few = expect.toSatisfy((count: number) => count >= 3);
  let picture: Picture;

  describe("of a dataset with an icon", () => {
    openOnce(async () => {
      await drawSharply();
      alterItems((rows) =>
        rows.flatMap((row) => {
          const storm = Object.entries(storms).find(([name]) => name === row["name"])?.[1];
          return storm ? [{ ...row, time: end - storm.age, longitude: storm.longitude, latitude: 30 }] : [];
        }),
      );
      await openMap({ v: viewpoint });
      await expect.poll(async () => icons((picture = await takePicture(mapOf())))).toEqual([few, few, few]);
    });

    it("[MAP-10] show it", () => {
      expect(icons(picture)).toEqual([few, few, few]);
    });

    it("[MAP-04][MAP-09] stand at their coordinates", () => {
      expect(picture.count(pointOf(-75), 10, mapColors.rose)).toBe(0);
      expect(picture.count(pointOf(-70), 10, mapColors.amber)).toBeGreaterThan(40);
    });

    it("[MAP-28] have the color of their age at the end of the range", async () => {
      const counts = positions.map(({ longitude }) => positions.map(({ color }) => picture.count(pointOf(longitude), 10, color)));
      const most = expect.toSatisfy((count: number) => count > 40);
      const none = expect.toSatisfy((count: number) => count < 5);
      expect(counts).toEqual([
        [most, none, none],
        [none, most, none],
        [none, none, most],
      ]);
      for (const [name, { shown }] of Object.entries(storms)) await expect.element(itemRow(name)).toHaveTextContent(shown);
    });
  });
});
