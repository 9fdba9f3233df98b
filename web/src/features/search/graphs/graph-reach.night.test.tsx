import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
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
  setGroup,
  shownValues,
  table,
} from "#testing/graphs.ts";
import { focus, press } from "#testing/keyboard.ts";
import { searches } from "#testing/results.ts";
import { drawDays, pointOf } from "#testing/graph-reach.ts";

beforeEach(serveAggregates);

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
