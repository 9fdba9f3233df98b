import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { mapRequests, prepareMaps, itemButton, mapOf, openMap, pathBox, pixelOf } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { drawSharply, type mapColors } from "#testing/pixels.ts";
import { layerEditDebounceMs } from "./frame/delays.ts";
import { alterPath, pathPixels, openLayers, look, panel } from "#testing/path-layers.ts";

const jeanne = "2004-09";
const layer = (number: number) => panel().getByRole("group", { name: `Layer ${number}`, exact: true });
const value = (number: number) => panel().getByRole("textbox", { name: `Value of layer ${number}` });
const pixelsAt = async (longitude: number, color: keyof typeof mapColors) => (await pathPixels())(longitude, color);

async function openSharply(): Promise<void> {
  await drawSharply({ windowHeight: 900 });
  skipPauses(layerEditDebounceMs);
  alterPath([50, 60, 70, 80]);
}

beforeEach(prepareMaps);

describe("the layers of a path", () => {
  openOnce(async () => {
    await openSharply();
    await openMap({ v: look, s: jeanne, p: [jeanne, "2004-07"] });
    await openLayers();
  });

  beforeEach(openSharply);
  const add = () => panel().getByRole("button", { name: "Add layer" });
  const removeLayer = (number: number) =>
    panel()
      .getByRole("button", { name: `Remove layer ${number}` })
      .click();

  it("[MAP-14] are one at first, which is drawn in dark blue", async () => {
    await expectCount(panel().getByRole("group"), 1);
    await expect.element(layer(1).getByRole("combobox", { name: "Color of layer 1" })).toHaveValue("path");
    await expect.poll(() => pixelsAt(-74, "path")).toBeGreaterThan(20);
  });

  it("[MAP-17] are never without an active one", async () => {
    await layer(1).getByRole("checkbox").click();
    await expectText(panel().getByRole("alert"), "A path needs at least 1 active layer.");
    await press("Escape");
    await expect.element(panel()).not.toBeInTheDocument();
    await expect.poll(() => pixelsAt(-74, "path")).toBeGreaterThan(20);
    await openLayers();
    await expect.element(layer(1).getByRole("checkbox")).toBeChecked();
  });

  it("[MAP-15] have four extra colors", async () => {
    for (let number = 2; number <= 5; number += 1) await add().click();
    await expect.element(add()).toBeDisabled();
    const taken = panel()
      .getByRole("combobox", { name: /^Color of layer/ })
      .elements()
      .map((one) => (one instanceof HTMLSelectElement ? (one.selectedOptions[0]?.textContent ?? "") : ""));
    expect(taken).toEqual(["Blue", "Orange", "Purple", "Green", "Sky blue"]);
    for (let number = 5; number >= 2; number -= 1) await removeLayer(number);
    await expectCount(panel().getByRole("group"), 1);
  });

  it("highlight a part of the path, which stays as it was while a reload fails", async () => {
    await add().click();
    await layer(2).getByRole("combobox", { name: "Column of layer 2" }).selectOptions("wind");
    gateway.refuse(mapResults.path, "engine-busy", "Every engine slot is taken.", { times: 1 });
    await value(2).fill("75");
    await expect
      .element(panel().getByRole("alert"))
      .toHaveTextContent("The path could not be loaded again. Every engine slot is taken. It is shown as it was.");
    await expect.element(pathBox("Jeanne")).toBeChecked();
    expect(await pixelsAt(-74, "path")).toBeGreaterThan(20);
    await panel().getByRole("button", { name: "Retry" }).click();
    await expect.element(panel().getByRole("alert")).not.toBeInTheDocument();
    // The last segment leads to the position with 80 knots.
    await expect.poll(() => pixelsAt(-65, "orange")).toBeGreaterThan(20);
    expect(await pixelsAt(-74, "orange")).toBe(0);
    await layer(2).getByRole("checkbox").click();
    await expect.poll(() => pixelsAt(-65, "path")).toBeGreaterThan(20);
    await removeLayer(2);
  });

  it("[MAP-06] are those of one item", async () => {
    await add().click();
    await expectCount(panel().getByRole("group"), 2);
    await panel().getByRole("button", { name: "Close path layers" }).click();
    await itemButton("Ivan").click();
    await openLayers("Ivan");
    await expectCount(panel("Ivan").getByRole("group"), 1);
  });
});

describe("a second layer of a path", () => {
  openOnce(async () => {
    alterPath([50, 60, 70, 80]);
    await openMap({ v: look, s: jeanne, p: [jeanne] });
    await expect.element(pathBox("Jeanne")).toBeChecked();
    await openLayers();
    await panel().getByRole("button", { name: "Add layer" }).click();
  });

  const requests = mapRequests();
  const column = layer(2).getByRole("combobox", { name: "Column of layer 2" });
  const operator = layer(2).getByRole("combobox", { name: "Operator of layer 2" });
  const fakeTime = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const runFor = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  beforeEach(() => alterPath([50, 60, 70, 80]));

  it("[MAP-18] explains an incomplete condition, and highlights nothing", async () => {
    await value(2).fill("  ");
    await expect.element(layer(2)).toHaveTextContent("Enter a value.");
    await operator.selectOptions("");
    await expect.element(layer(2)).toHaveTextContent("Choose an operator.");
    await column.selectOptions("");
    await expect.element(layer(2)).toHaveTextContent("Choose a column.");
    await column.selectOptions("wind");
    await operator.selectOptions(">");
    await value(2).fill("strong");
    await expect.element(layer(2)).toHaveTextContent("'strong'");
    await expect.element(value(2)).toHaveAttribute("aria-invalid", "true");
    expect(requests.paths).toHaveLength(1);
  });

  it("[MAP-20] takes effect 500 ms after the last change, as the gap does", async () => {
    await column.selectOptions("wind");
    await operator.selectOptions(">");
    const loaded = requests.paths.length;
    fakeTime();
    await value(2).fill("9");
    await runFor(499);
    await value(2).fill("90");
    await runFor(499);
    expect(requests.paths).toHaveLength(loaded);
    await runFor(1);
    await expect.poll(() => requests.paths.length).toBe(loaded + 1);
    expect(requests.paths.at(-1)?.columns).toEqual(["time", "latitude", "longitude", "wind"]);

    await runFor(1_000);
    const before = location.hash;
    await panel().getByRole("textbox", { name: "Show a gap after (hours)" }).fill("1");
    await runFor(499);
    expect(location.hash).toBe(before);
    await runFor(1_000);
    expect(location.hash).not.toBe(before);
    vi.useRealTimers();
  });

  it("[MAP-21] leaves the hovered position in a tooltip, until 750 ms after the mouse has left", async () => {
    await column.selectOptions("wind");
    await operator.selectOptions(">");
    await value(2).fill("60");
    await panel().getByRole("textbox", { name: "Show a gap after (hours)" }).fill("1");
    await panel().getByRole("button", { name: "Close path layers" }).click();
    await expect.element(panel()).not.toBeInTheDocument();
    const point = pixelOf(look, -70, 30);
    const tooltip = page.getByRole("tooltip").filter({ hasText: "Jeanne" });
    // The wind arrives with the path that is loaded for the layer.
    await expect
      .poll(async () => {
        await mapOf().hover({ position: { x: point.x + 40, y: point.y + 120 } });
        await mapOf().hover({ position: point });
        return tooltip.query()?.textContent;
      })
      .toContain("wind 70 kt");
    await expect.element(tooltip).toHaveTextContent("30, -70");
    await expect.element(tooltip).toHaveTextContent(/no data for 6 h until \d\d\/\d\d\/2004, .* UTC/);
    fakeTime();
    await mapOf().hover({ position: { x: point.x, y: point.y + 120 } });
    // The next frame notices that nothing is there.
    await runFor(20);
    await runFor(729);
    await expect.element(tooltip).toBeVisible();
    await runFor(40);
    await expect.element(tooltip).not.toBeInTheDocument();
    vi.useRealTimers();
  });
});
