import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { prepareMaps, itemButton, openMap, pathBox } from "#testing/maps.ts";
import { drawSharply, type mapColors } from "#testing/pixels.ts";
import { alterPath, pathPixels, openLayers, look, panel } from "#testing/path-layers.ts";

const jeanne = "2004-09";
const layer = (number: number) => panel().getByRole("group", { name: `Layer ${number}`, exact: true });
const pixelsAt = async (longitude: number, color: keyof typeof mapColors) => (await pathPixels())(longitude, color);

beforeEach(prepareMaps);

it("only logs an unknown operator and draws the path without its highlight; applies the layers of one path to all visible ones", async () => {
  await drawSharply();
  alterPath([50, 60, 70, 80]);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  await openMap({
    v: look,
    s: jeanne,
    p: [jeanne],
    l: {
      [jeanne]: [
        ["path", 1, null],
        ["c2", 1, ["wind", "~", "60"]],
      ],
    },
  });
  await expect.element(pathBox("Jeanne")).toBeChecked();
  await expect.poll(() => pixelsAt(-74, "path")).toBeGreaterThan(20);
  expect(await pixelsAt(-74, "orange")).toBe(0);
  expect(warn.mock.calls.filter(([text]) => String(text).startsWith("Unknown highlight operator"))).toEqual([
    ["Unknown highlight operator:", "~"],
  ]);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();

  await pathBox("Ivan").click();
  await expect.element(pathBox("Ivan")).toBeChecked();
  await openLayers();
  await layer(1).getByRole("combobox", { name: "Color of layer 1" }).selectOptions("c3");
  await panel().getByRole("button", { name: "Use for all visible paths" }).click();
  await panel().getByRole("button", { name: "Close path layers" }).click();
  await itemButton("Ivan").click();
  await openLayers("Ivan");
  await expect.element(panel("Ivan").getByRole("combobox", { name: "Color of layer 1" })).toHaveValue("c3");
});
