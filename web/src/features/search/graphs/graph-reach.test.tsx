import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { expectRows } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import {
  choose,
  days,
  editor,
  graph,
  graphMenu,
  graphsLink,
  newGraph,
  openGraphs,
  picture,
  save,
  serveAggregates,
  setColumn,
  setGroup,
  shownValues,
  table,
} from "#testing/graphs.ts";
import { collectDownloads } from "#testing/files.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { searches } from "#testing/results.ts";

async function drawDays(type = "Bar"): Promise<void> {
  const form = await newGraph();
  await choose(form, type);
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await setColumn(form, 2, "max", "wind");
  await form.getByLabelText("Title").fill("Days");
  await save();
  await expect.element(picture("Days")).toBeVisible();
  // The editor has closed, so the chart has its full width.
  await expect.element(editor()).not.toBeInTheDocument();
}

/** The center of the nth of `count` groups in the chart. */
function pointOf(index: number, count: number): { x: number; y: number } {
  const { width, height } = picture("Days").element().getBoundingClientRect();
  // The left axis takes about 36 pixels, the right edge 16.
  return { x: 36 + ((width - 52) * (index + 0.5)) / count, y: height / 2 };
}

beforeEach(() => {
  serveDatasets(gateway);
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
  expect([png.width, png.height]).toEqual([2400, 1350]);
  const svg = await (await fileOf("SVG")).text();
  expect(svg).toMatch(/^<svg /);
  expect(svg).toContain("max of wind");
  const csv = (await (await fileOf("CSV")).text()).replace(/^\uFEFF/, "").split("\r\n");
  expect(csv[0]).toBe("Group,From,To,# Occurences,max of wind (kt)");
  expect(csv[1]).toContain("2005-08-26T06:00:00.000Z,2005-08-26T23:59:59.999Z");
  const numbers = csv.slice(1, -1).map((line) => line.split(",").filter((_, index) => index === 0 || index > 2));
  expect(numbers).toEqual(await shownValues("Days"));
});

it("searches the rows of a custom group from the table by keyboard", async () => {
  await openGraphs(graphsLink(days));
  const form = await newGraph();
  await choose(form, "Pie");
  await form.getByLabelText("Group by").selectOptions("Custom");
  await setGroup(form, 1, "Strong", [
    ["wind", ">=", "64"],
    ["wind", "<", "96"],
  ]);
  await form.getByLabelText("Title").fill("Strengths");
  await save();
  const button = table("Strengths").getByRole("button", { name: "Search the rows of Strong" });
  await focus(button);
  await press("Enter");
  await expect
    .poll(() => searches().at(-1))
    .toMatchObject({
      timeRange: { start: "2005-08-26T06:00:00.000Z", end: "2005-08-29T18:00:00.000Z" },
      filters: [
        { name: "wind", value: 64, operator: ">=" },
        { name: "wind", value: 96, operator: "<" },
      ],
    });
});

it("zooms into dragged groups, or searches them as a range with the same graphs", async () => {
  await openGraphs(graphsLink(days));
  await drawDays("Line");
  const dragOver = async () => {
    await userEvent.dragAndDrop(picture("Days"), picture("Days"), { sourcePosition: pointOf(1, 4), targetPosition: pointOf(2, 4) });
  };
  await dragOver();
  const toolbar = graph("Days").getByRole("group", { name: "Selected groups" });
  await expectText(toolbar.getByRole("status"), "08/27/2005 – 08/28/2005");
  await toolbar.getByRole("button", { name: "Zoom in" }).click();
  await expect.element(graph("Days").getByText("2 of 4 groups")).toBeVisible();
  await graph("Days").getByRole("button", { name: "Show all groups" }).click();

  await dragOver();
  await toolbar.getByRole("button", { name: "Search this range" }).click();
  await expect
    .poll(() => searches().at(-1))
    .toMatchObject({ timeRange: { start: "2005-08-27T00:00:00.000Z", end: "2005-08-28T23:59:59.000Z" } });
  await expect.element(page.getByRole("img", { name: /^Days\. Line graph .* in 2 groups/ })).toBeVisible();
});

it("navigates groups by keyboard with announcements, selects some, and searches one", async () => {
  await openGraphs(graphsLink(days));
  await drawDays();
  const [first, second] = await shownValues("Days");
  await choose(graph("Days"), "Chart");
  await focus(graph("Days").getByRole("button", { name: "max of wind" }));
  await press("Tab");
  await expect.element(picture("Days")).toHaveFocus();
  await press("ArrowRight");
  const announcement = (line: string[] | undefined) => `${line?.[0]}: # Occurences: ${line?.[1]}, max of wind: ${line?.[2]} kt`;
  await expect.element(page.getByText(announcement(first), { exact: true })).toBeInTheDocument();
  await press("ArrowRight");
  await expect.element(page.getByText(announcement(second), { exact: true })).toBeInTheDocument();
  const toolbar = graph("Days").getByRole("group", { name: "Selected groups" });
  await press("Shift+ArrowRight");
  await expectText(toolbar.getByRole("status"), "08/27/2005 – 08/28/2005");
  await press("ArrowLeft");
  await press("Enter");
  await expect.poll(() => searches().at(-1)).toMatchObject({ timeRange: { start: "2005-08-27T00:00:00.000Z" } });
});

it("hides a column from the legend, stacks columns, and states what a logarithmic axis omits", async () => {
  await openGraphs(graphsLink({ from: "2005-08-15T00:00:00", to: "2005-08-24T00:00:00" }));
  const form = await newGraph();
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await form.getByLabelText("Stack the columns").click();
  await form.getByLabelText("Title").fill("Days");
  await save();
  const key = graph("Days").getByRole("button", { name: "# Occurences" });
  await expect.element(key).toHaveAttribute("aria-pressed", "true");
  await key.click();
  await expect.element(key).toHaveAttribute("aria-pressed", "false");
  const empty = (await shownValues("Days")).filter(([, count]) => count === "0").length;
  expect(empty).toBeGreaterThan(0);
  await graphMenu("Days", "Edit graph");
  await editor().getByLabelText("Logarithmic axis").click();
  await save();
  await choose(graph("Days"), "Chart");
  await expect.element(graph("Days").getByText(`${empty} values left out. See the table for all values.`)).toBeVisible();
});
