import type { ResultRow } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import {
  recordMapCalls,
  colors,
  countColor,
  details,
  itemButton,
  openMap,
  pathBox,
  pathCalls,
  pixelOf,
  type View,
} from "../support/maps.ts";

import { stopClock } from "../support/page-clock.ts";
import { alterAnswer, failOnce } from "../support/results.ts";

test.use({ colorScheme: "light" });

const viewpoint: View = [-70, 28, 4];
const jeanne = "2004-09";

/** Replaces a path with positions along 30° N, ten degrees and six hours apart, with these winds. */
const alterPath = (page: Page, winds: readonly number[]) =>
  alterAnswer(page, pathCalls, (answer) => {
    const start = Number((answer["results"] as ResultRow[])[0]?.["time"]);
    return {
      ...answer,
      results: winds.map((wind, index) => ({ time: start + index * 21_600, latitude: 30, longitude: -90 + 10 * index, wind })),
    };
  });
const within = async (page: Page, longitude: number, color: keyof typeof colors) =>
  countColor(page, await pixelOf(page, viewpoint, longitude, 30), 14, colors[color]);

const panel = (page: Page, name = "Jeanne") => page.getByRole("region", { name: `Path layers of ${name}` });
const layer = (page: Page, number: number) => panel(page).getByRole("group", { name: `Layer ${number}`, exact: true });
const value = (page: Page, number: number) => panel(page).getByRole("textbox", { name: `Value of layer ${number}` });

async function openLayers(page: Page, name = "Jeanne"): Promise<void> {
  await details(page, name).getByRole("button", { name: "Path layers" }).click();
  await expect(panel(page, name)).toBeVisible();
}

test("[MAP-06][MAP-14][MAP-15] each item's path has its own layers with preset colors, and is kept if a changed path fails to load", async ({
  page,
  signIn,
}) => {
  await signIn();
  await alterPath(page, [50, 60, 70, 80]);
  await openMap(page, { v: viewpoint, s: jeanne, p: [jeanne, "2004-07"] });
  await openLayers(page);
  await expect(panel(page).getByRole("group")).toHaveCount(1);
  await expect(layer(page, 1).getByRole("combobox", { name: "Colour of layer 1" })).toHaveValue("path");
  await expect.poll(() => within(page, -75, "path")).toBeGreaterThan(25);

  const add = panel(page).getByRole("button", { name: "Add layer" });
  for (let number = 2; number <= 5; number += 1) await add.click();
  await expect(add).toBeDisabled();
  const chosenColors = await panel(page)
    .getByRole("combobox", { name: /^Colour of layer/ })
    .evaluateAll((elements) =>
      elements.map((element) => (element instanceof HTMLSelectElement ? (element.selectedOptions[0]?.textContent ?? "") : "")),
    );
  expect(chosenColors).toEqual(["Blue", "Orange", "Purple", "Green", "Sky blue"]);
  for (let number = 5; number >= 3; number -= 1)
    await panel(page)
      .getByRole("button", { name: `Remove layer ${number}` })
      .click();
  await layer(page, 2).getByRole("combobox", { name: "Column of layer 2" }).selectOption("wind");
  await failOnce(page, pathCalls);
  await value(page, 2).fill("75");
  await expect(panel(page).getByRole("alert")).toContainText(
    "The path could not be loaded again. Every engine slot is taken. It is shown as it was.",
  );
  await expect(pathBox(page, "Jeanne")).toBeChecked();
  expect(await within(page, -75, "path")).toBeGreaterThan(25);
  await panel(page).getByRole("button", { name: "Retry" }).click();
  await expect(panel(page).getByRole("alert")).toHaveCount(0);
  // The last segment leads to the position with 80 knots.
  await expect.poll(() => within(page, -65, "orange")).toBeGreaterThan(25);
  expect(await within(page, -75, "orange")).toBe(0);
  await layer(page, 2).getByRole("checkbox").uncheck();
  await expect.poll(() => within(page, -65, "path")).toBeGreaterThan(25);

  await panel(page).getByRole("button", { name: "Close path layers" }).click();
  await itemButton(page, "Ivan").click();
  await openLayers(page, "Ivan");
  await expect(panel(page, "Ivan").getByRole("group")).toHaveCount(1);
});

test("[MAP-17] the last active layer cannot be turned off: the panel shows an error and the path stays unchanged", async ({
  page,
  signIn,
}) => {
  await signIn();
  await alterPath(page, [50, 60, 70, 80]);
  await openMap(page, { v: viewpoint, s: jeanne, p: [jeanne] });
  await expect.poll(() => within(page, -75, "path")).toBeGreaterThan(25);
  await openLayers(page);
  const active = layer(page, 1).getByRole("checkbox");
  await active.uncheck();
  await expect(panel(page).getByRole("alert")).toHaveText("A path needs at least 1 active layer.");
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
  expect(await within(page, -75, "path")).toBeGreaterThan(25);
  await openLayers(page);
  await expect(active).toBeChecked();
});

test("[MAP-19] an unknown operator is only logged, and the path is drawn without its highlight", async ({ page, signIn }) => {
  const warnings: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "warning") warnings.push(message.text());
  });
  await signIn();
  await alterPath(page, [50, 60, 70, 80]);
  await openMap(page, {
    v: viewpoint,
    s: jeanne,
    p: [jeanne],
    l: {
      [jeanne]: [
        ["path", 1, null],
        ["c2", 1, ["wind", "~", "60"]],
      ],
    },
  });
  await expect(pathBox(page, "Jeanne")).toBeChecked();
  await expect.poll(() => within(page, -75, "path")).toBeGreaterThan(25);
  expect(await within(page, -75, "orange")).toBe(0);
  expect(warnings.filter((text) => text.includes("Unknown highlight operator"))).toEqual(["Unknown highlight operator: ~"]);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("[MAP-20] changes of layers and of the gap are debounced by 500 ms", async ({ page, signIn }) => {
  const calls = recordMapCalls(page);
  await page.clock.install();
  await signIn();
  await openMap(page, { s: jeanne, p: [jeanne] });
  await expect(pathBox(page, "Jeanne")).toBeChecked();
  await openLayers(page);
  await panel(page).getByRole("button", { name: "Add layer" }).click();
  await stopClock(page);
  await value(page, 2).fill("9");
  await page.clock.runFor(499);
  await value(page, 2).fill("90");
  await page.clock.runFor(499);
  expect(calls.paths).toHaveLength(1);
  await page.clock.runFor(1);
  await expect.poll(() => calls.paths.length).toBe(2);

  const gap = panel(page).getByRole("textbox", { name: "Data gap threshold" });
  await gap.fill("24");
  await page.clock.runFor(499);
  const before = page.url();
  await page.clock.runFor(1_000);
  await expect(page).not.toHaveURL(before);
});
