import { expect, it } from "vitest";
import { collectDownloads } from "#testing/files.ts";
import { days, graphMenu, graphsLink, newGraph, openGraphs, picture, save, serveAggregates } from "#testing/graphs.ts";

it("saves a graph as pictures that say below which rows they show, and of when", async () => {
  serveAggregates();
  const downloads = collectDownloads();
  await openGraphs(graphsLink(days));
  const form = await newGraph();
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await form.getByLabelText("Title").fill("Days");
  await save();
  await expect.element(picture("Days")).toBeVisible();
  await graphMenu("Days", "Download SVG");
  await graphMenu("Days", "Download PNG");
  await expect.poll(() => downloads.saved.map(({ name }) => name)).toEqual(["storm-tracks_Days.svg", "storm-tracks_Days.png"]);

  const [svg, png] = downloads.saved.map(({ blob }) => blob);
  const root = new DOMParser().parseFromString((await svg?.text()) ?? "", "image/svg+xml").documentElement;
  const texts = Array.from(root.querySelectorAll("text"), ({ textContent }) => textContent);
  expect(root.querySelector("parsererror")).toBeNull();
  expect(texts).toContain("Days");
  expect(texts.slice(-3)).toEqual([
    "storm-tracks · 08/26/2005, 06:00:00 AM – 08/29/2005, 06:00:00 PM UTC",
    "No filters",
    expect.stringMatching(/^As of \d\d\/\d\d\/\d{4}, .* UTC$/),
  ]);
  const { width, height } = await createImageBitmap(png ?? new Blob());
  expect([width, height]).toEqual([2 * Number(root.getAttribute("width")), 2 * Number(root.getAttribute("height"))]);
});
