import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { allRows, choose, editor, graphMenu, graphsLink, msOf, newGraph, openGraphs, picture, save, setColumn } from "../support/graphs.ts";
import { bodyOf, nextSearch } from "../support/results.ts";
import { isNear, type Pixel, pixelsAt } from "../support/pixels.ts";

const days = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };
const [blue, orange, green, purple]: [Pixel, Pixel, Pixel, Pixel] = [
  [9, 155, 241],
  [227, 111, 23],
  [48, 111, 87],
  [151, 65, 157],
];

async function placeOf(page: Page) {
  // Nothing is lit by the pointer, and the editor beside the picture has gone.
  await page.mouse.move(2, 2);
  await expect(editor(page)).toHaveCount(0);
  const box = await picture(page, "Days").boundingBox();
  if (!box) throw new Error("The picture has no place");
  return box;
}

/** How high this colour stands in the middle of each group, in pixels, and where its middle is from the top. */
async function heights(page: Page, colour: Pixel, groups: number): Promise<{ height: number; middle: number }[]> {
  const box = await placeOf(page);
  // The axis at the left takes about 30 pixels, the right edge 16; a little inwards, as lines end in the middle of a group.
  const across = Array.from(
    { length: groups },
    (_, place) => box.x + 30 + ((box.width - 46) * (place + 0.5)) / groups + (place < groups / 2 ? 6 : -6),
  );
  const down = Array.from({ length: Math.floor(box.height) }, (_, y) => box.y + y);
  const pixels = await pixelsAt(
    page,
    across.flatMap((x) => down.map((y) => [x, y] as const)),
  );
  return across.map((_, place) => {
    const line = pixels.slice(place * down.length, (place + 1) * down.length);
    const found = line.flatMap((pixel, y) => (isNear(pixel, colour) ? [y] : []));
    return { height: found.length, middle: found.reduce((sum, y) => sum + y, 0) / found.length };
  });
}

async function change(page: Page, what: (form: ReturnType<typeof editor>) => Promise<void>): Promise<void> {
  await graphMenu(page, "Days", "Edit graph");
  await what(editor(page));
  await save(page);
}

test("[GRAPH-10][GRAPH-11] bars are as high, lines at the height and slices as wide as the values of all rows, in the colours of columns and groups; a slice is searched", async ({
  page,
  request,
  signIn,
}) => {
  const rows = await allRows(request, days);
  const begin = msOf("2005-08-26T00:00:00");
  const counts = [0, 1, 2, 3].map(
    (day) => rows.filter(({ time }) => Math.floor((Number(time) * 1_000 - begin) / 86_400_000) === day).length,
  );
  const most = Math.max(...counts);
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
  for (const [day, { height }] of bars.entries()) expect(height / highest).toBeCloseTo((counts[day] ?? 0) / most, 1.5);

  await change(page, async (editing) => {
    await setColumn(editing, 2, "# Occurences", "wind");
    await editing.getByLabel("Stack the columns").check();
  });
  await expect(page.getByRole("img", { name: /of wind in 4 groups/ })).toBeVisible();
  const [below, above] = [await heights(page, blue, 4), await heights(page, orange, 4)];
  for (const [day, { height, middle }] of below.entries()) {
    // Every row has a wind: as high as the bar below it, and on top of it.
    expect(Math.abs(height - (above[day]?.height ?? 0))).toBeLessThan(4);
    expect(Math.abs(middle - height - (above[day]?.middle ?? 0))).toBeLessThan(4);
  }

  await change(page, async (editing) => {
    await choose(editing, "Line");
    await editing.getByLabel("Stack the columns").uncheck();
    await editing.getByRole("button", { name: "Remove # Occurences of wind" }).click();
  });
  await expect(page.getByRole("img", { name: /^Days\. Line graph/ })).toBeVisible();
  const points = (await heights(page, blue, 4)).map(({ middle }) => middle);
  const [low, high] = [counts.indexOf(Math.min(...counts)), counts.indexOf(most)];
  const pixelsPerRow = ((points[low] ?? 0) - (points[high] ?? 0)) / (most - (counts[low] ?? 0));
  for (const [day, y] of points.entries())
    expect(Math.abs((points[low] ?? 0) - y - ((counts[day] ?? 0) - (counts[low] ?? 0)) * pixelsPerRow)).toBeLessThan(4);

  await change(page, (editing) => choose(editing, "Doughnut"));
  await expect(page.getByRole("img", { name: /^Days\. Doughnut graph/ })).toBeVisible();
  const box = await placeOf(page);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const radius = (Math.min(box.width, box.height) / 2) * 0.78;
  const edges = [0, ...counts.map((_, day) => counts.slice(0, day + 1).reduce((sum, count) => sum + count, 0) / all)];
  // A little inside both ends of each slice, clockwise from the top.
  const places = counts.flatMap((_, day) =>
    [(edges[day] ?? 0) + 0.02, (edges[day + 1] ?? 0) - 0.02].map((turn) => {
      const angle = turn * 2 * Math.PI;
      return [box.x + box.width / 2 + radius * Math.sin(angle), box.y + box.height / 2 - radius * Math.cos(angle)] as const;
    }),
  );
  const slices = await pixelsAt(page, places);
  for (const [index, colour] of [blue, orange, green, purple].entries()) {
    for (const pixel of slices.slice(index * 2, index * 2 + 2))
      expect(isNear(pixel, colour), `slice ${index} is ${pixel.join()}`).toBe(true);
  }

  // The third slice is the third day.
  const [x, y] = places[4] ?? [0, 0];
  const searching = nextSearch(page);
  await page.mouse.click(x, y);
  expect(bodyOf(await searching)).toMatchObject({ timeRange: { start: "2005-08-28T00:00:00.000Z", end: "2005-08-28T23:59:59.000Z" } });
});
