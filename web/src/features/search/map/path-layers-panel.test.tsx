import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import {
  mapRequests,
  prepareMaps,
  details,
  expectMap,
  itemButton,
  serveLimits,
  mapLink,
  mapOf,
  openMap,
  pathBox,
  pixelOf,
  servePath,
  type View,
  pathRows,
} from "#testing/maps.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const look: View = [-70, 28, 4];
const jeanne = "2004-09";

/** Positions along 30° north, ten degrees and six hours apart, with these winds. */
const alterPath = (winds: readonly number[]) =>
  servePath((body) => {
    const start = Number(pathRows(body)[0]?.["time"]);
    return winds.map((wind, index) => ({ time: start + index * 21_600, latitude: 30, longitude: -90 + 10 * index, wind }));
  });

const panel = (name = "Jeanne") => page.getByRole("region", { name: `Path layers of ${name}` });
const layer = (number: number) => panel().getByRole("group", { name: `Layer ${number}`, exact: true });
const value = (number: number) => panel().getByRole("textbox", { name: `Value of layer ${number}` });

async function openLayers(name = "Jeanne"): Promise<void> {
  await details(name).getByRole("button", { name: "Path layers" }).click();
  await expect.element(panel(name)).toBeVisible();
}

beforeEach(prepareMaps);

it("[MAP-06][MAP-15] gives each path its own layers with four extra colors, and keeps a path whose reload fails", async () => {
  alterPath([50, 60, 70, 80]);
  await openMap({ v: look, s: jeanne, p: [jeanne, "2004-07"] });
  await openLayers();
  await expectCount(panel().getByRole("group"), 1);
  await expect.element(layer(1).getByRole("combobox", { name: "Colour of layer 1" })).toHaveValue("path");

  const add = panel().getByRole("button", { name: "Add layer" });
  for (let number = 2; number <= 5; number += 1) await add.click();
  await expect.element(add).toBeDisabled();
  const taken = panel()
    .getByRole("combobox", { name: /^Colour of layer/ })
    .elements()
    .map((one) => (one instanceof HTMLSelectElement ? (one.selectedOptions[0]?.textContent ?? "") : ""));
  expect(taken).toEqual(["Blue", "Orange", "Purple", "Green", "Sky blue"]);
  for (let number = 5; number >= 3; number -= 1)
    await panel()
      .getByRole("button", { name: `Remove layer ${number}` })
      .click();
  await layer(2).getByRole("combobox", { name: "Column of layer 2" }).selectOptions("wind");
  gateway.refuse(mapResults.path, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await value(2).fill("75");
  await expect
    .element(panel().getByRole("alert"))
    .toHaveTextContent("The path could not be loaded again. Every engine slot is taken. It is shown as it was.");
  await expect.element(pathBox("Jeanne")).toBeChecked();
  await panel().getByRole("button", { name: "Retry" }).click();
  await expect.element(panel().getByRole("alert")).not.toBeInTheDocument();
  await layer(2).getByRole("checkbox").click();

  await panel().getByRole("button", { name: "Close path layers" }).click();
  await itemButton("Ivan").click();
  await openLayers("Ivan");
  await expectCount(panel("Ivan").getByRole("group"), 1);
});

it("[MAP-18] explains an incomplete condition and highlights nothing", async () => {
  const requests = mapRequests();
  await openMap({ s: jeanne, p: [jeanne] });
  await expect.element(pathBox("Jeanne")).toBeChecked();
  await openLayers();
  await panel().getByRole("button", { name: "Add layer" }).click();
  const column = layer(2).getByRole("combobox", { name: "Column of layer 2" });
  const operator = layer(2).getByRole("combobox", { name: "Operator of layer 2" });
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
  await value(2).fill("90");
  await expect.poll(() => requests.paths.length).toBe(2);
  expect(requests.paths[1]?.columns).toEqual(["time", "latitude", "longitude", "wind"]);
});

it("[MAP-21] shows the hovered position with the gap after it until 750 ms after the mouse has left", async () => {
  serveLimits({ pathGapMs: 3_600_000 });
  alterPath([50, 60, 70, 80]);
  await openMap({
    v: look,
    p: [jeanne],
    l: {
      [jeanne]: [
        ["path", 1, null],
        ["c2", 1, ["wind", ">=", "200"]],
      ],
    },
  });
  await expect.element(pathBox("Jeanne")).toBeChecked();
  const point = pixelOf(look, -70, 30);
  await mapOf().hover({ position: point });
  const tooltip = page.getByRole("tooltip").filter({ hasText: "Jeanne" });
  await expect.element(tooltip).toHaveTextContent("30, -70");
  await expect.element(tooltip).toHaveTextContent("wind 70 kt");
  await expect.element(tooltip).toHaveTextContent(/no data for 6 h until \d\d\/\d\d\/2004, .* UTC/);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  await mapOf().hover({ position: { x: point.x, y: point.y + 120 } });
  // The next frame notices that nothing is there.
  await vi.advanceTimersByTimeAsync(20);
  await vi.advanceTimersByTimeAsync(729);
  await expect.element(tooltip).toBeVisible();
  await vi.advanceTimersByTimeAsync(40);
  await expect.element(tooltip).not.toBeInTheDocument();
});

it("applies the layers of one path to all visible ones", async () => {
  await openScreen(mapLink({ s: jeanne, p: [jeanne, "2004-07"], l: { [jeanne]: [["c3", 1, null]] } }));
  await expectMap();
  await openLayers();
  await panel().getByRole("button", { name: "Use for all visible paths" }).click();
  await panel().getByRole("button", { name: "Close path layers" }).click();
  await itemButton("Ivan").click();
  await openLayers("Ivan");
  await expect.element(panel("Ivan").getByRole("combobox", { name: "Colour of layer 1" })).toHaveValue("c3");
});
