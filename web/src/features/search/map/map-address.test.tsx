import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { press } from "#testing/keyboard.ts";
import {
  details,
  expectMap,
  itemButton,
  itemFilter,
  itemList,
  prepareMaps,
  itemRow,
  lastRows,
  serveLimits,
  mapLink,
  openMap,
  pathBox,
  addressedMapState,
  serveStorms,
} from "#testing/maps.ts";
import { openScreen, reloadScreen } from "#testing/open-screen.tsx";

const jeanne = "2004-09";
const ivan = "2004-07";

beforeEach(prepareMaps);

it("keeps the view of the map in the address and restores it", async () => {
  await openMap();
  expect(addressedMapState()).toEqual({});
  await itemButton("Jeanne").click();
  await expect.poll(addressedMapState).toMatchObject({ s: jeanne, v: [-78.4, 37.3, expect.any(Number)] });
  await pathBox("Ivan").click();
  await expect.element(pathBox("Ivan")).toBeChecked();
  await itemFilter().fill("an");
  await expect.poll(addressedMapState).toMatchObject({ f: "an", s: jeanne, p: [ivan] });
  await reloadScreen();
  await expectMap();
  await expect.element(details("Jeanne")).toBeVisible();
  await expect.element(pathBox("Ivan")).toBeChecked();
  await expect.element(itemFilter()).toHaveValue("an");
  await pathBox("Ivan").click();
  await details("Jeanne").getByRole("button", { name: "Close details" }).click();
  await expect.poll(addressedMapState).not.toHaveProperty("s");
  expect(addressedMapState()).not.toHaveProperty("p");
});

it("[MAP-27][MAP-29] ignores an invalid view and unknown items of an address; the stale hours are configurable", async () => {
  serveLimits({ staleWarningHours: 24 * 40, staleErrorHours: 24 * 100 });
  await openScreen(mapLink({ v: [200, 0, 4], p: [jeanne] }));
  await expect.element(page.getByText("13 items", { exact: true }).first()).toBeVisible();
  await expect.element(itemList().getByRole("checkbox", { checked: true })).not.toBeInTheDocument();
  await expectCount(itemList().getByRole("checkbox", { checked: false }), 13);
  await openMap({ s: "1999-01", p: ["1999-01"] });
  await expect.element(page.getByRole("region", { name: /^Details of/ })).not.toBeInTheDocument();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  const legend = page.getByRole("group", { name: "Colours" });
  await expect.element(legend).toHaveTextContent("within 960 h");
  await expect.element(legend).toHaveTextContent("960 h to 2400 h");
  await expect.element(itemRow("Otto").css("i")).toHaveAttribute("data-stale", "fresh");
  await expect.element(itemRow("Ivan")).toHaveTextContent(", stale");
  await expect.element(itemRow("Alex")).toHaveTextContent(", very stale");
});

it("distinguishes items of the same name and measures ages at the playback time", async () => {
  const otto = (stormId: string, year: number) => ({ ...lastRows()[0], storm_id: stormId, time: Date.UTC(year, 10, 1) / 1_000 });
  serveStorms([otto("2016-15", 2016), otto("2010-16", 2010), ...lastRows()]);
  await openMap({ p: [jeanne] }, { t: [157_766_400, 1_609_459_200] });
  await itemFilter().fill("otto");
  await expect.element(page.getByText("3 of 15 items", { exact: true })).toBeVisible();
  for (const id of ["2004-13", "2010-16", "2016-15"]) await expectCount(itemList().getByRole("row").filter({ hasText: id }), 1);
  await itemList().getByRole("checkbox", { name: "Path of Otto 2004-13" }).click();
  await expect.element(itemList().getByRole("checkbox", { name: "Path of Otto 2004-13" })).toBeChecked();
  await press("Home", page.getByRole("slider", { name: /time/i }));
  await expect.element(itemList().getByRole("row").filter({ hasText: "2010-16" })).toHaveTextContent("not yet seen");
});

it("returns the focus when the location dialog closes", async () => {
  await openMap({ s: ivan });
  const coordinates = details("Ivan").getByRole("button", { name: "30.1, -94.2" });
  await press("Enter", coordinates);
  const dialog = page.getByRole("dialog", { name: "position" });
  await expect.element(dialog.getByRole("application", { name: "Location" })).toHaveAttribute("data-zoom", "11");
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(coordinates).toHaveFocus();
});
