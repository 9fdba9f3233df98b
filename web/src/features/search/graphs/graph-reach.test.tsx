import { beforeEach, expect, it } from "vitest";
import { expectRows } from "#testing/datasets-screen.ts";
import { choose, days, graph, graphMenu, graphsLink, openGraphs, picture, serveAggregates, shownValues } from "#testing/graphs.ts";
import { collectDownloads } from "#testing/files.ts";
import { alterRows, searches } from "#testing/results.ts";
import { drawDays, pointOf } from "#testing/graph-reach.ts";

beforeEach(() => {
  alterRows((rows) => rows.slice(0, 2));
  serveAggregates();
});

it("searches the rows of a clicked bar, keeps the graph, and downloads it as images and as numbers", async () => {
  await openGraphs(graphsLink(days));
  await drawDays();
  const [, count] = (await shownValues("Days"))[1] ?? [];
  await choose(graph("Days"), "Chart");
  await picture("Days").click({ position: pointOf(1, 4) });
  await expect
    .poll(() => searches().at(-1))
    .toMatchObject({ timeRange: { start: "2005-08-27T00:00:00.000Z", end: "2005-08-27T23:59:59.000Z" } });
  await expectRows("storm-tracks");
  expect(count).toBe("4");
  history.back();
  await expect.element(picture("Days")).toBeVisible();

  const { saved } = collectDownloads();
  const fileOf = async (format: string): Promise<Blob> => {
    const before = saved.length;
    await graphMenu("Days", `Download ${format}`);
    await expect.poll(() => saved.slice(before).map(({ name }) => name)).toEqual([`storm-tracks_Days.${format.toLowerCase()}`]);
    return saved.at(-1)?.blob ?? new Blob();
  };
  const png = await createImageBitmap(await fileOf("PNG"));
  // Below the chart of 675 pixels, three lines say which rows it shows, and of when.
  expect([png.width, png.height]).toEqual([2400, 2 * (675 + 74)]);
  const svg = new DOMParser().parseFromString(await (await fileOf("SVG")).text(), "image/svg+xml").documentElement;
  expect(svg.querySelector("parsererror")).toBeNull();
  const texts = Array.from(svg.querySelectorAll("text"), ({ textContent }) => textContent);
  expect(texts).toEqual(expect.arrayContaining(["Days", expect.stringContaining("max of wind")]));
  expect(texts.slice(-3)).toEqual([
    "storm-tracks · 08/26/2005, 06:00:00 AM – 08/29/2005, 06:00:00 PM UTC",
    "No filters",
    expect.stringMatching(/^As of \d\d\/\d\d\/\d{4}, .* UTC$/),
  ]);
  const csv = (await (await fileOf("CSV")).text()).replace(/^\uFEFF/, "").split("\r\n");
  expect(csv[0]).toBe("Group,From,To,# Occurences,max of wind (kt)");
  expect(csv[1]).toContain("2005-08-26T06:00:00.000Z,2005-08-26T23:59:59.999Z");
  const numbers = csv.slice(1, -1).map((line) => line.split(",").filter((_, index) => index === 0 || index > 2));
  expect(numbers).toEqual(await shownValues("Days"));
});
