import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import {
  mapRequests,
  prepareAddressedMaps,
  details,
  itemFilter,
  itemList,
  mapOf,
  pixelOf,
  serveLimits,
  openMap,
  pathBox,
  servePath,
  pathRows,
  type View,
} from "#testing/maps.ts";
import { drawSharply, mapColors, takePicture } from "#testing/pixels.ts";

beforeEach(prepareAddressedMaps);

it("counts paths of an address or of one action and confirms them once if they are large in total", async () => {
  const requests = mapRequests();
  // Neither path takes more than two calls on its own.
  serveLimits({ pathPointsPerCall: 60, pathCallsWithoutWarning: 2 });
  await openMap({ p: ["2004-09", "2004-07"] });
  const dialog = page.getByRole("dialog", { name: "A Lot of Data" });
  const shown = itemList().getByRole("checkbox", { checked: true });
  await expect.element(dialog).toHaveTextContent("2 paths together have 143 positions, which take 4 requests.");
  expect([requests.counts.length, requests.paths.length]).toEqual([2, 0]);
  const address = location.hash;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(pathBox("Ivan")).toHaveAttribute("aria-checked", "false");
  await expect.element(pathBox("Jeanne")).toHaveAttribute("aria-checked", "false");
  await expect.poll(() => location.hash).not.toBe(address);

  await pathBox("Jeanne").click();
  await expect.element(pathBox("Jeanne")).toBeChecked();
  await page.getByRole("combobox", { name: "Paths" }).selectOptions("Exact");
  await expect.element(dialog).toHaveTextContent("12 paths together have");
  await dialog.getByRole("button", { name: "Yes, Try Loading Paths" }).click();
  await expectCount(shown, 13);
  // Each is counted once.
  expect(requests.counts).toHaveLength(2 + 1 + 12);
});

it("shows and hides all paths of the list at once", async () => {
  servePath(pathRows);
  await openMap();
  const all = page.getByRole("combobox", { name: "Paths" });
  const shown = itemList().getByRole("checkbox", { checked: true });
  await itemFilter().fill("i");
  await expect.element(page.getByText("5 of 13 items", { exact: true })).toBeVisible();
  await all.selectOptions("Exact");
  await expectCount(shown, 5);
  await itemFilter().fill("");
  await expectCount(shown, 5);
  await expect.element(all).toHaveValue("overview");
  await all.selectOptions("Exact");
  await expectCount(shown, 13);
  await all.selectOptions("None");
  await expect.element(shown).not.toBeInTheDocument();
});

it("draws a path dark blue, and dashed red for gaps longer than the threshold, which the user can change", async () => {
  await drawSharply();
  const look: View = [-70, 28, 4];
  // Positions along 30° north, by hour and longitude.
  const positions = [
    [0, -84],
    [6, -78],
    [20, -66],
    [26, -62],
  ] as const;
  servePath((body) => {
    const start = Number(pathRows(body)[0]?.["time"]);
    return positions.map(([hours, longitude]) => ({ time: start + hours * 3_600, longitude, latitude: 30 }));
  });
  await openMap({ v: look, s: "2004-09", p: ["2004-09"] });
  const pixelsAt = async (longitude: number, color: keyof typeof mapColors) =>
    (await takePicture(mapOf())).count(pixelOf(look, longitude, 30), 14, mapColors[color]);
  // The path continues beyond the marker at its end.
  await expect.poll(() => pixelsAt(-64, "path")).toBeGreaterThan(20);
  expect(await pixelsAt(-64, "rose")).toBe(0);
  await expect.poll(() => pixelsAt(-72, "rose")).toBeGreaterThan(8);
  const dashed = await pixelsAt(-72, "rose");
  expect(await pixelsAt(-72, "path")).toBe(0);

  await details("Jeanne").getByRole("button", { name: "Path layers" }).click();
  const gap = page.getByRole("textbox", { name: "Show a gap after (hours)" });
  await expect.element(gap).toHaveValue("12");
  await gap.fill("0");
  await expect.element(page.getByText("Enter hours above 0 and up to 8,784.")).toBeVisible();
  await gap.fill("14");
  await page.getByRole("button", { name: "Close path layers" }).click();
  await expect.poll(() => pixelsAt(-72, "path")).toBeGreaterThan(dashed);
  expect(await pixelsAt(-72, "rose")).toBe(0);

  await details("Jeanne").getByRole("button", { name: "Path layers" }).click();
  await page.getByRole("button", { name: "Back to 12 h" }).click();
  await expect.element(gap).toHaveValue("12");
  await page.getByRole("button", { name: "Close path layers" }).click();
  await expect.poll(() => pixelsAt(-72, "rose")).toBeGreaterThan(8);
});
