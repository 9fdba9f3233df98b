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
  setGroup,
  shownValues,
  table,
} from "../support/graphs.ts";
import { bodyOf, nextSearch } from "../support/results.ts";
import { expectRows } from "../support/searches.ts";

const days = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };

async function drawDays(page: Page, type = "Bar"): Promise<void> {
  const form = await newGraph(page);
  await choose(form, type);
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await setColumn(form, 2, "max", "wind");
  await form.getByLabel("Title").fill("Days");
  await save(page);
  await expect(picture(page, "Days")).toBeVisible();
  // The editor beside it has gone, and the picture has its width.
  await expect(editor(page)).toHaveCount(0);
}

/** The middle of the nth of so many groups in the picture. */
async function pointOf(page: Page, place: number, of: number): Promise<{ x: number; y: number }> {
  const box = await picture(page, "Days").boundingBox();
  if (!box) throw new Error("The picture has no place");
  // The axis at the left takes about 36 pixels, the right edge 16.
  return { x: box.x + 36 + ((box.width - 52) * (place + 0.5)) / of, y: box.y + box.height / 2 };
}

test("a click on a bar searches the rows behind it, with the group's range, and the graph is still there", async ({ page, signIn }) => {
  await signIn();
  await openGraphs(page, graphsLink(days));
  await drawDays(page);
  const [, count] = (await shownValues(page, "Days"))[1] ?? [];
  await choose(graph(page, "Days"), "Chart");
  const searching = nextSearch(page);
  const { x, y } = await pointOf(page, 1, 4);
  await page.mouse.click(x, y);
  expect(bodyOf(await searching)).toMatchObject({ timeRange: { start: "2005-08-27T00:00:00.000Z", end: "2005-08-27T23:59:59.000Z" } });
  await expectRows(page, "storm-tracks");
  await expect(page.getByText(new RegExp(`of ${count} results`))).toBeVisible();
  await page.goBack();
  await expect(picture(page, "Days")).toBeVisible();
});

test("a custom group's rows are searched with its conditions, from the table by keyboard", async ({ page, signIn }) => {
  await signIn();
  await openGraphs(page, graphsLink(days));
  const form = await newGraph(page);
  await choose(form, "Pie");
  await form.getByLabel("Group by").selectOption({ label: "Custom" });
  await setGroup(form, 1, "Strong", [
    ["wind", ">=", "64"],
    ["wind", "<", "96"],
  ]);
  await form.getByLabel("Title").fill("Strengths");
  await save(page);
  const button = table(page, "Strengths").getByRole("button", { name: "Search the rows of Strong" });
  await button.focus();
  const searching = nextSearch(page);
  await page.keyboard.press("Enter");
  expect(bodyOf(await searching)).toMatchObject({
    timeRange: { start: "2005-08-26T06:00:00.000Z", end: "2005-08-29T18:00:00.000Z" },
    filters: [
      { name: "wind", value: 64, operator: ">=" },
      { name: "wind", value: 96, operator: "<" },
    ],
  });
});

test("groups that are drawn over are zoomed into, or searched as a range with the same graphs", async ({ page, signIn }) => {
  await signIn();
  await openGraphs(page, graphsLink(days));
  await drawDays(page, "Line");
  const over = async () => {
    const from = await pointOf(page, 1, 4);
    const to = await pointOf(page, 2, 4);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  await over();
  const strip = graph(page, "Days").getByRole("group", { name: "Selected groups" });
  await expect(strip.getByRole("status")).toHaveText("08/27/2005 – 08/28/2005");
  await strip.getByRole("button", { name: "Zoom in" }).click();
  await expect(graph(page, "Days").getByText("2 of 4 groups")).toBeVisible();
  await graph(page, "Days").getByRole("button", { name: "Show all groups" }).click();

  await over();
  const searching = nextSearch(page);
  await strip.getByRole("button", { name: "Search this range" }).click();
  expect(bodyOf(await searching)).toMatchObject({ timeRange: { start: "2005-08-27T00:00:00.000Z", end: "2005-08-28T23:59:59.000Z" } });
  await expect(page.getByRole("img", { name: /^Days\. Line graph .* in 2 groups/ })).toBeVisible();
});

test("the keyboard goes through the groups of a picture, which are said, selects some, and searches the rows of one", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openGraphs(page, graphsLink(days));
  await drawDays(page);
  const [first, second] = await shownValues(page, "Days");
  await choose(graph(page, "Days"), "Chart");
  await graph(page, "Days").getByRole("button", { name: "max of wind" }).focus();
  await page.keyboard.press("Tab");
  await expect(picture(page, "Days")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  const said = (line: string[] | undefined) => `${line?.[0]}: # Occurences: ${line?.[1]}, max of wind: ${line?.[2]} kt`;
  await expect(page.getByText(said(first), { exact: true })).toBeAttached();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText(said(second), { exact: true })).toBeAttached();
  const strip = graph(page, "Days").getByRole("group", { name: "Selected groups" });
  await page.keyboard.press("Shift+ArrowRight");
  await expect(strip.getByRole("status")).toHaveText("08/27/2005 – 08/28/2005");
  await page.keyboard.press("ArrowLeft");
  const searching = nextSearch(page);
  await page.keyboard.press("Enter");
  expect(bodyOf(await searching)).toMatchObject({ timeRange: { start: "2005-08-27T00:00:00.000Z" } });
});

test("a column is put out by its key; columns are stacked; a logarithmic axis says what it leaves out", async ({ page, signIn }) => {
  await signIn();
  await openGraphs(page, graphsLink({ from: "2005-08-15T00:00:00", to: "2005-08-24T00:00:00" }));
  const form = await newGraph(page);
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await form.getByLabel("Stack the columns").check();
  await form.getByLabel("Title").fill("Days");
  await save(page);
  const key = graph(page, "Days").getByRole("button", { name: "# Occurences" });
  await expect(key).toHaveAttribute("aria-pressed", "true");
  await key.click();
  await expect(key).toHaveAttribute("aria-pressed", "false");
  const empty = (await shownValues(page, "Days")).filter(([, count]) => count === "0").length;
  expect(empty).toBeGreaterThan(0);
  await graphMenu(page, "Days", "Edit graph");
  await editor(page).getByLabel("Logarithmic axis").check();
  await save(page);
  await choose(graph(page, "Days"), "Chart");
  await expect(graph(page, "Days").getByText(`${empty} values left out. The table has them.`)).toBeVisible();
});

test("a graph is downloaded as a picture and as its numbers", async ({ page, signIn }) => {
  await signIn();
  await openGraphs(page, graphsLink(days));
  await drawDays(page);
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
  const shown = await shownValues(page, "Days");
  expect(
    csv
      .slice(1, -1)
      .map((line) => line.split(","))
      .map((cells) => cells.filter((_, index) => index === 0 || index > 2)),
  ).toEqual(shown);
  expect(csv[1]).toContain("2005-08-26T06:00:00.000Z,2005-08-26T23:59:59.999Z");
});
