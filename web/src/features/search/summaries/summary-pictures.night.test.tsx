import { expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { collectDownloads } from "#testing/files.ts";
import { days as range, graphsLink, openGraphs } from "#testing/graphs.ts";
import { skipPauses } from "#testing/pauses.ts";
import { serveSummaries } from "#testing/summaries.ts";

const editor = () => page.getByRole("form", { name: "Edit summary" });
const summary = (title: string): Locator => page.getByRole("region", { name: title, exact: true });

async function save(title: string, entry: string): Promise<void> {
  await summary(title)
    .getByRole("button", { name: `Graph menu: ${title}`, exact: true })
    .click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

it("saves its bars, its table of two groupings and its chart as pictures, with what it says and its search below", async () => {
  skipPauses(400);
  serveSummaries();
  const downloads = collectDownloads();
  await openGraphs(graphsLink(range));
  await page.getByRole("button", { name: "Summarize", exact: true }).click();
  await editor().getByLabelText("Add grouping").selectOptions("name");
  await expect.element(summary("# Occurences by name").getByRole("table")).toBeVisible();
  await save("# Occurences by name", "Download SVG");
  await save("# Occurences by name", "Download PNG");
  await editor().getByLabelText("Add grouping").selectOptions("status");
  await expect.element(summary("# Occurences by name and status").getByRole("table")).toBeVisible();
  await save("# Occurences by name and status", "Download SVG");
  await page.getByRole("button", { name: "Summarize", exact: true }).click();
  await editor().getByLabelText("Add grouping").selectOptions("time by day");
  await expect.element(summary("# Occurences by day").getByRole("img")).toBeVisible();
  await save("# Occurences by day", "Download SVG");
  await expect
    .poll(() => downloads.saved.map(({ name }) => name.replace("storm-tracks_", "")))
    .toEqual(["# Occurences by name.svg", "# Occurences by name.png", "# Occurences by name and status.svg", "# Occurences by day.svg"]);

  const [bars, png, cells, days] = downloads.saved.map(({ blob }) => blob);
  const { width, height } = await createImageBitmap(png ?? new Blob());
  expect([width >= 1_280, height >= 400]).toEqual([true, true]);
  const titled = [
    { svg: bars, title: "# Occurences by name" },
    { svg: cells, title: "# Occurences by name and status" },
    { svg: days, title: "# Occurences by day" },
  ];
  for (const { svg, title } of titled) {
    const root = new DOMParser().parseFromString((await svg?.text()) ?? "", "image/svg+xml").documentElement;
    expect(root.querySelector("parsererror")).toBeNull();
    const texts = Array.from(root.querySelectorAll("text"), ({ textContent }) => textContent);
    expect(texts).toContain(title);
    expect(texts.slice(-3)).toEqual([
      "storm-tracks · 08/26/2005, 06:00:00 AM – 08/29/2005, 06:00:00 PM UTC",
      "No filters",
      expect.stringMatching(/^As of .* UTC$/),
    ]);
  }
});
