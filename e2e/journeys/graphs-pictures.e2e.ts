import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { allRows, choose, editor, graphMenu, graphsLink, msOf, newGraph, openGraphs, picture, save, setColumn } from "../support/graphs.ts";
import { bodyOf, nextSearch } from "../support/results.ts";
import { isSimilarColor, type Pixel, pixelsAt } from "../support/pixels.ts";

const days = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };
const [blue, orange, green, purple]: [Pixel, Pixel, Pixel, Pixel] = [
  [9, 155, 241],
  [227, 111, 23],
  [48, 111, 87],
  [151, 65, 157],
];

async function pictureBox(page: Page) {
  // Moves the pointer away to avoid highlights, and waits until the editor next to the graph is closed.
  await page.mouse.move(2, 2);
  await expect(editor(page)).toHaveCount(0);
  const box = await picture(page, "Days").boundingBox();
  if (!box) throw new Error("The graph is not visible");
  return box;
}

/** The height of this color in the center of each group in pixels, and the distance of its middle from the top. */
async function heights(page: Page, color: Pixel, groups: number): Promise<{ height: number; middle: number }[]> {
  const box = await pictureBox(page);
  // The left axis takes about 30 pixels, the right edge 16. Slightly off center, because lines end in the center of a group.
  const across = Array.from(
    { length: groups },
    (_, group) => box.x + 30 + ((box.width - 46) * (group + 0.5)) / groups + (group < groups / 2 ? 6 : -6),
  );
  const down = Array.from({ length: Math.floor(box.height) }, (_, y) => box.y + y);
  const pixels = await pixelsAt(
    page,
    across.flatMap((x) => down.map((y) => [x, y] as const)),
  );
  return across.map((_, group) => {
    const line = pixels.slice(group * down.length, (group + 1) * down.length);
    const found = line.flatMap((pixel, y) => (isSimilarColor(pixel, color) ? [y] : []));
    return { height: found.length, middle: found.reduce((sum, y) => sum + y, 0) / found.length };
  });
}

async function editGraph(page: Page, edit: (form: ReturnType<typeof editor>) => Promise<void>): Promise<void> {
  await graphMenu(page, "Days", "Edit graph");
  await edit(editor(page));
  await save(page);
}

test("[GRAPH-10][GRAPH-11] bars, lines and slices are drawn to scale for the values of all rows, in the colors of columns and groups; a click on a slice searches its rows", async ({
  page,
  request,
  signIn,
}) => {
  const rows = await allRows(request, days);
  const startMs = msOf("2005-08-26T00:00:00");
  const counts = [0, 1, 2, 3].map(
    (day) => rows.filter(({ time }) => Math.floor((Number(time) * 1_000 - startMs) / 86_400_000) === day).length,
  );
  const maxCount = Math.max(...counts);
  expect(new Set(counts).size).toBeGreaterThan(1);

  await signIn();
  await openGraphs(page, graphsLink(days));
  const form = await newGraph(page);
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await form.getByLabel("Title").fill("Days");
  await save(page);
  await expect(picture(page, "Days")).toBeVisible();
  const bars = await heights(page, blue, 4);
  const highest = Math.max(...bars.map(({ height }) => height));
  expect(highest).toBeGreaterThan(100);
  for (const [day, { height }] of bars.entries()) expect(height / highest).toBeCloseTo((counts[day] ?? 0) / maxCount, 1.5);

  await editGraph(page, async (editing) => {
    await setColumn(editing, 2, "# Occurences", "wind");
    await editing.getByLabel("Stack the columns").check();
  });
  await expect(page.getByRole("img", { name: /of wind in 4 groups/ })).toBeVisible();
  const [below, above] = [await heights(page, blue, 4), await heights(page, orange, 4)];
  for (const [day, { height, middle }] of below.entries()) {
    // Every row has a wind, so the second bar is as high as the first and stacked on it.
    expect(Math.abs(height - (above[day]?.height ?? 0))).toBeLessThan(4);
    expect(Math.abs(middle - height - (above[day]?.middle ?? 0))).toBeLessThan(4);
  }

  await editGraph(page, async (editing) => {
    await choose(editing, "Line");
    await editing.getByLabel("Stack the columns").uncheck();
    await editing.getByRole("button", { name: "Remove # Occurences of wind" }).click();
  });
  await expect(page.getByRole("img", { name: /^Days\. Line graph/ })).toBeVisible();
  const lineHeights = (await heights(page, blue, 4)).map(({ middle }) => middle);
  const [low, high] = [counts.indexOf(Math.min(...counts)), counts.indexOf(maxCount)];
  const pixelsPerRow = ((lineHeights[low] ?? 0) - (lineHeights[high] ?? 0)) / (maxCount - (counts[low] ?? 0));
  for (const [day, y] of lineHeights.entries())
    expect(Math.abs((lineHeights[low] ?? 0) - y - ((counts[day] ?? 0) - (counts[low] ?? 0)) * pixelsPerRow)).toBeLessThan(4);

  await editGraph(page, (editing) => choose(editing, "Doughnut"));
  await expect(page.getByRole("img", { name: /^Days\. Doughnut graph/ })).toBeVisible();
  const box = await pictureBox(page);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const radius = (Math.min(box.width, box.height) / 2) * 0.78;
  const edges = [0, ...counts.map((_, day) => counts.slice(0, day + 1).reduce((sum, count) => sum + count, 0) / all)];
  // Points slightly inside both ends of each slice, clockwise from the top.
  const points = counts.flatMap((_, day) =>
    [(edges[day] ?? 0) + 0.02, (edges[day + 1] ?? 0) - 0.02].map((turn) => {
      const angle = turn * 2 * Math.PI;
      return [box.x + box.width / 2 + radius * Math.sin(angle), box.y + box.height / 2 - radius * Math.cos(angle)] as const;
    }),
  );
  const slices = await pixelsAt(page, points);
  for (const [index, color] of [blue, orange, green, purple].entries()) {
    for (const pixel of slices.slice(index * 2, index * 2 + 2))
      expect(isSimilarColor(pixel, color), `slice ${index} is ${pixel.join()}`).toBe(true);
  }

  // The third slice is the third day.
  const [x, y] = points[4] ?? [0, 0];
  const searching = nextSearch(page);
  await page.mouse.click(x, y);
  expect(bodyOf(await searching)).toMatchObject({ timeRange: { start: "2005-08-28T00:00:00.000Z", end: "2005-08-28T23:59:59.000Z" } });
});
