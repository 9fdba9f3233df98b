import { graphs } from "@fairway/contract/graphs";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import {
  batchRequests,
  days,
  graph,
  graphsLink,
  hours,
  newGraph,
  openGraphs,
  picture,
  preview,
  previewPicture,
  save,
  serveAggregates,
  setColumn,
  valueRequests,
} from "#testing/graphs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";

beforeEach(() => {
  skipPauses(400);
  serveAggregates();
});

it("keeps the old picture while the next one loads, and aborts a request that a change makes useless", async () => {
  await openGraphs(graphsLink(days));
  const form = await newGraph();
  await expect.element(previewPicture()).toHaveAccessibleName(/# Occurences in 4 groups/);
  const release = gateway.hold(search.aggregate);
  await setColumn(form, 1, "avg", "wind");
  await expect.poll(() => valueRequests().filter(({ path }) => path === "avg/wind").length).toBe(4);
  await expect.element(preview().css("[aria-busy=true]")).toBeInTheDocument();
  await expect.element(previewPicture()).toHaveAccessibleName(/# Occurences in 4 groups/);
  await setColumn(form, 1, "max", "wind");
  const useless = () => gateway.received(search.aggregate).filter(({ params }) => params.aggregationType === "avg");
  await expect.poll(() => useless().every(({ signal }) => signal?.aborted)).toBe(true);
  release();
  await expect.element(previewPicture()).toHaveAccessibleName(/max of wind in 4 groups/);
  await expect.element(preview().css("[aria-busy=false]")).toBeInTheDocument();
});

it("says in the preview why it failed, and lets the graph be saved", async () => {
  await openGraphs(graphsLink(days));
  gateway.refuse(search.aggregate, "engine-busy", "Every engine slot is taken.");
  const form = await newGraph();
  await form.getByLabelText("Title").fill("Days");
  const failure = preview().getByRole("alert");
  await expect.element(failure).toHaveTextContent("The preview can't be drawn.");
  await expect.element(failure).toHaveTextContent("Every engine slot is taken.");
  await expect.element(form.getByRole("button", { name: "Save graph" })).toBeEnabled();
  serveAggregates();
  await failure.getByRole("button", { name: "Retry" }).click();
  await expect.element(previewPicture()).toBeVisible();
  await expectCount(failure, 0);
});

it("shows no picture of another draft under the notice that the preview is paused", async () => {
  await openGraphs(graphsLink(hours));
  const form = await newGraph();
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await expect.element(previewPicture()).toHaveAccessibleName(/# Occurences in \d groups/);
  await form.getByLabelText("Group by").selectOptions("Temporal (Hour)");
  await expect.element(preview().getByText("Preview paused: 61 groups.")).toBeVisible();
  await expectCount(previewPicture(), 0);
});

it("aborts a slow preview on cancel and runs it again on a press", async () => {
  await openGraphs(graphsLink({ from: "2005-08-28T00:00:00", to: "2005-08-29T23:00:00" }));
  const release = gateway.hold(graphs.batch);
  const form = await newGraph();
  await preview().getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => batchRequests()[0]?.signal?.aborted).toBe(true);
  release();
  await preview().getByRole("button", { name: "Preview 48 groups" }).click();
  await expect.element(previewPicture()).toBeVisible();
  await expect.element(form.getByRole("button", { name: "Save graph" })).toBeEnabled();
});

it.each([
  ["phone", 390, 844],
  ["narrow window", 1024, 768],
])("on a %s, the preview is in the editor, and the saved graph gets the focus", async (_, width, height) => {
  await page.viewport(width, height);
  await openGraphs(graphsLink(days));
  const form = await newGraph();
  await expect.element(form.getByRole("region", { name: "Preview" }).getByRole("img")).toBeVisible();
  await form.getByLabelText("Title").fill("Days");
  await save();
  await expect.element(picture("Days")).toBeVisible();
  await expect.element(graph("Days")).toHaveFocus();
});

it("groups months by weeks until each day is chosen, which a press draws", async () => {
  await openGraphs(graphsLink({ from: "2005-06-01T00:00:00", to: "2005-10-31T23:00:00" }));
  const form = await newGraph();
  await expect.element(previewPicture()).toHaveAccessibleName(/in 22 groups, from 06\/01\/2005 – 06\/07\/2005/);
  await form.getByLabelText("Days per group").selectOptions("each day");
  await preview().getByRole("button", { name: "Preview 153 groups" }).click();
  await expect.element(previewPicture()).toHaveAccessibleName(/in 153 groups/);
});
