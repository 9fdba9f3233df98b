import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { choose, days, editor, graphMenu, graphsLink, newGraph, openGraphs, picture, save, setColumn } from "#testing/graphs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { isSimilarColor, takePicture } from "#testing/pixels.ts";
import { searches } from "#testing/results.ts";

const [blue, orange, green, purple] = [
  [9, 155, 241],
  [227, 111, 23],
  [48, 111, 87],
  [151, 65, 157],
] as const;

/** The number of rows of each day. */
const counts = [4, 7, 5, 8] as const;
const maxCount = Math.max(...counts);

async function takeGraph() {
  // Away from the graph, which would highlight what the pointer is on.
  await userEvent.hover(document.body, { position: { x: 2, y: 2 } });
  // Next to the editor, the graph is narrower.
  await expect.element(editor()).not.toBeInTheDocument();
  const { width, height } = picture("Days").element().getBoundingClientRect();
  return { width, height, ...(await takePicture(picture("Days"))) };
}

/** The height of this color in the center of each of the four groups in pixels, and the distance of its middle from the top. */
async function heights(color: readonly number[]): Promise<{ height: number; middle: number }[]> {
  const { width, height, colorAt } = await takeGraph();
  return counts.map((_, group) => {
    // The left axis takes about 30 pixels, the right edge 16. Slightly off center, because lines end in the center of a group.
    const x = 30 + ((width - 46) * (group + 0.5)) / counts.length + (group < counts.length / 2 ? 6 : -6);
    // Antialiasing leaves few pixels of a line in its color: looks at several columns of pixels.
    const columns = [-2, -1, 0, 1, 2];
    const found = columns.flatMap((dx) =>
      Array.from({ length: Math.floor(height) }, (_row, y) => y).filter((y) => isSimilarColor(colorAt({ x: x + dx, y }), color)),
    );
    return { height: found.length / columns.length, middle: found.reduce((sum, y) => sum + y, 0) / found.length };
  });
}

async function editGraph(edit: () => Promise<void>): Promise<void> {
  await graphMenu("Days", "Edit graph");
  await edit();
  await save();
}

beforeEach(() => {
  gateway.answer(search.aggregate, ({ params: { column }, body }) => {
    const day = Math.floor((Date.parse(body.timeRange?.start ?? "") - Date.parse("2005-08-26T00:00:00Z")) / 86_400_000);
    const count = counts[day] ?? 0;
    return column === "*" ? { totalResults: count } : { [`count(${column})`]: count };
  });
});

it("draws bars, lines and slices to scale, in the colors of columns and groups; a click on a slice searches its rows", async () => {
  await openGraphs(graphsLink(days));
  const form = await newGraph();
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await form.getByLabelText("Title").fill("Days");
  await save();
  await expect.element(picture("Days")).toBeVisible();
  const bars = await heights(blue);
  const highest = Math.max(...bars.map(({ height }) => height));
  expect(highest).toBeGreaterThan(100);
  for (const [day, { height }] of bars.entries()) expect(height / highest).toBeCloseTo((counts[day] ?? 0) / maxCount, 1.5);

  await editGraph(async () => {
    await setColumn(editor(), 2, "# Occurences", "wind");
    await editor().getByLabelText("Stack the columns").click();
  });
  await expect.element(page.getByRole("img", { name: /of wind in 4 groups/ })).toBeVisible();
  const [below, above] = [await heights(blue), await heights(orange)];
  for (const [day, { height, middle }] of below.entries()) {
    // The second bar is as high as the first and stacked on it.
    expect(Math.abs(height - (above[day]?.height ?? 0))).toBeLessThan(4);
    expect(Math.abs(middle - height - (above[day]?.middle ?? 0))).toBeLessThan(4);
  }

  await editGraph(async () => {
    await choose(editor(), "Line");
    await editor().getByLabelText("Stack the columns").click();
    await editor().getByRole("button", { name: "Remove # Occurences of wind" }).click();
  });
  await expect.element(page.getByRole("img", { name: /^Days\. Line graph/ })).toBeVisible();
  const lineHeights = (await heights(blue)).map(({ middle }) => middle);
  // The lowest and the highest value.
  const pixelsPerRow = ((lineHeights[0] ?? 0) - (lineHeights[3] ?? 0)) / (counts[3] - counts[0]);
  for (const [day, y] of lineHeights.entries())
    expect(Math.abs((lineHeights[0] ?? 0) - y - ((counts[day] ?? 0) - counts[0]) * pixelsPerRow)).toBeLessThan(4);

  await editGraph(() => choose(editor(), "Doughnut"));
  await expect.element(page.getByRole("img", { name: /^Days\. Doughnut graph/ })).toBeVisible();
  const { width, height, colorAt } = await takeGraph();
  const all = counts.reduce((sum, count) => sum + count, 0);
  const radius = (Math.min(width, height) / 2) * 0.78;
  const edges = [0, ...counts.map((_, day) => counts.slice(0, day + 1).reduce((sum, count) => sum + count, 0) / all)];
  const pointAt = (turn: number) => ({
    x: width / 2 + radius * Math.sin(turn * 2 * Math.PI),
    y: height / 2 - radius * Math.cos(turn * 2 * Math.PI),
  });
  // Slightly inside both ends of each slice, clockwise from the top.
  for (const [slice, color] of [blue, orange, green, purple].entries()) {
    for (const turn of [(edges[slice] ?? 0) + 0.02, (edges[slice + 1] ?? 0) - 0.02])
      expect(isSimilarColor(colorAt(pointAt(turn)), color), `slice ${slice} is ${colorAt(pointAt(turn)).join()}`).toBe(true);
  }

  // The third slice is the third day.
  await picture("Days").click({ position: pointAt((edges[2] ?? 0) + 0.02) });
  await expect
    .poll(() => searches().at(-1))
    .toMatchObject({ timeRange: { start: "2005-08-28T00:00:00.000Z", end: "2005-08-28T23:59:59.000Z" } });
});
