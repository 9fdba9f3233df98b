import { graphs } from "@fairway/contract/graphs";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import {
  batchRequests,
  choose,
  days,
  graph,
  graphMenu,
  graphsLink,
  newGraph,
  openGraphs,
  picture,
  save,
  serveAggregates,
  shownValues,
  table,
} from "#testing/graphs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { press } from "#testing/keyboard.ts";

const hours = { from: "2005-08-28T00:00:00", to: "2005-08-29T23:00:00" };

beforeEach(serveAggregates);

it("shows what a slow graph computes, aborts its request on cancel, and loads it again", async () => {
  await openGraphs(graphsLink(hours));
  const release = gateway.hold(graphs.batch);
  const form = await newGraph();
  await form.getByLabelText("Title").fill("Slow");
  await save();
  await expect.element(graph("Slow").getByText("Computing 48 values")).toBeVisible();
  await graph("Slow").getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => batchRequests().every(({ signal }) => signal?.aborted)).toBe(true);
  await expect.element(graph("Slow").getByText("Canceled before the values arrived.")).toBeVisible();
  release();
  await graph("Slow").getByRole("button", { name: "Load graph" }).click();
  await expect.element(picture("Slow")).toBeVisible();
});

it("keeps at most six requests of a graph in flight", async () => {
  await openGraphs(graphsLink({ from: "2005-08-20T00:00:00", to: "2005-08-31T12:00:00" }));
  let running = 0;
  let maxRunning = 0;
  gateway.answer(search.aggregate, async () => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    return { totalResults: 3 };
  });
  const form = await newGraph();
  await form.getByLabelText("Title").fill("Twelve");
  await expect.element(page.getByRole("img", { name: /^Twelve\. .* in 12 groups/ })).toBeVisible();
  await save();
  await expect.element(picture("Twelve")).toBeVisible();
  expect(maxRunning).toBe(6);
  expect(await shownValues("Twelve")).toHaveLength(12);
});

it("on a phone, graphs, their tables and their editor have no axe violations in either theme and no horizontal scrolling", async () => {
  await page.viewport(390, 844);
  await openGraphs(graphsLink(days));
  const expectClean = async (within: string) => {
    await expectAccessible({ within: [within] });
    expect(document.documentElement.scrollWidth - document.documentElement.clientWidth).toBe(0);
  };
  const form = await newGraph();
  await choose(form, "Pie");
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await form.getByRole("button", { name: "Add derived column" }).click();
  await form.getByPlaceholder("Label").fill("Mean");
  await form.getByLabelText("Title").fill("Shares");
  await expect.element(form.getByRole("button", { name: "Save graph" })).toBeEnabled();
  await expectClean("main");
  await save();
  await expect.element(picture("Shares")).toBeVisible();
  await expectClean("main");
  await choose(graph("Shares"), "Table");
  await expect.element(table("Shares")).toBeVisible();
  await expectClean("table");
});

it("shows every row of the table of a graph with up to 20 groups", async () => {
  await openGraphs(graphsLink({ from: "2005-08-20T00:00:00", to: "2005-09-03T00:00:00" }));
  const form = await newGraph();
  await form.getByLabelText("Title").fill("Two weeks");
  await save();
  await choose(graph("Two weeks"), "Table");
  const region = page.getByRole("region", { name: "Table of Two weeks" });
  await expect.element(region.getByRole("rowheader", { name: "09/02/2005" })).toBeVisible();
  const { scrollHeight, clientHeight } = region.element();
  expect(scrollHeight).toBe(clientHeight);
  expect(region.getByRole("row").elements()).toHaveLength(17);
});

it("Undo brings back a removed graph with its values, and a removed filter with its graphs", async () => {
  await openGraphs(graphsLink(days, { filters: [["name", "=", "Katrina"]] }));
  for (const title of ["First", "Second"]) {
    const form = await newGraph();
    await form.getByLabelText("Title").fill(title);
    await save();
    await expect.element(picture(title)).toBeVisible();
  }
  const requested = batchRequests().length;
  await graphMenu("First", "Remove graph");
  await expect.element(graph("First")).not.toBeInTheDocument();
  const toast = (text: string) => page.getByRole("status").filter({ hasText: text });
  await expect.element(toast("Graph removed")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(picture("First")).toBeVisible();
  await expect.element(toast("Graph removed")).not.toBeInTheDocument();
  expect(batchRequests()).toHaveLength(requested);

  const chip = page.getByRole("button", { name: "Remove filter Storm name", exact: true });
  await chip.click();
  await expect.element(toast("Filter removed, with 2 graphs")).toBeVisible();
  await expect.element(page.getByText("No graphs yet")).toBeVisible();
  await press("Enter", page.getByRole("button", { name: "Undo" }));
  await expect.element(chip).toBeVisible();
  await expect.element(picture("First")).toBeVisible();
  await expect.element(picture("Second")).toBeVisible();
});
