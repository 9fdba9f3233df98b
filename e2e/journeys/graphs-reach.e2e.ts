import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import {
  choose,
  editor,
  graph,
  graphMenu,
  graphsLink,
  newGraph,
  openGraphs,
  picture,
  save,
  setColumn,
  tableValues,
} from "../support/graphs.ts";
import { bodyOf, nextSearch } from "../support/results.ts";
import { expectRows } from "../support/searches.ts";

const days = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };

async function drawDays(page: Page): Promise<void> {
  const form = await newGraph(page);
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await setColumn(form, 2, "max", "wind");
  await form.getByLabel("Title").fill("Days");
  await save(page);
  await expect(picture(page, "Days")).toBeVisible();
  // Waits until the editor is closed and the graph has its full width.
  await expect(editor(page)).toHaveCount(0);
}

/** The center of a group in the graph. */
async function centerOfGroup(page: Page, index: number, groups: number): Promise<{ x: number; y: number }> {
  const box = await picture(page, "Days").boundingBox();
  if (!box) throw new Error("The graph is not visible");
  // The left axis takes about 36 pixels, the right edge 16.
  return { x: box.x + 36 + ((box.width - 52) * (index + 0.5)) / groups, y: box.y + box.height / 2 };
}

test("a click on a bar searches its rows, and the graph can be downloaded as an image and as numbers afterwards", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openGraphs(page, graphsLink(days));
  await drawDays(page);
  const [, count] = (await tableValues(page, "Days"))[1] ?? [];
  await choose(graph(page, "Days"), "Chart");
  const searching = nextSearch(page);
  const { x, y } = await centerOfGroup(page, 1, 4);
  await page.mouse.click(x, y);
  expect(bodyOf(await searching)).toMatchObject({ timeRange: { start: "2005-08-27T00:00:00.000Z", end: "2005-08-27T23:59:59.000Z" } });
  await expectRows(page, "storm-tracks");
  await expect(page.getByText(new RegExp(`of ${count} results`))).toBeVisible();
  await page.goBack();
  await expect(picture(page, "Days")).toBeVisible();

  const fileOf = async (format: string) => {
    const downloading = page.waitForEvent("download");
    await graphMenu(page, "Days", `Download ${format}`);
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`storm-tracks_Days.${format.toLowerCase()}`);
    return readFile(await download.path());
  };
  const png = await fileOf("PNG");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2400, 1350]);
  const svg = (await fileOf("SVG")).toString();
  expect(svg).toMatch(/^<svg /);
  expect(svg).toContain("max of wind");
  const csv = (await fileOf("CSV")).toString().split("\r\n");
  expect(csv[0]).toBe("Group,From,To,# Occurences,max of wind (kt)");
  const shown = await tableValues(page, "Days");
  expect(
    csv
      .slice(1, -1)
      .map((line) => line.split(","))
      .map((cells) => cells.filter((_, index) => index === 0 || index > 2)),
  ).toEqual(shown);
  expect(csv[1]).toContain("2005-08-26T06:00:00.000Z,2005-08-26T23:59:59.999Z");
});
