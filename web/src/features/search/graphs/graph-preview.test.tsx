import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import {
  batchRequests,
  choose,
  days,
  editor,
  graph,
  graphMenu,
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
import { skipPauses } from "#testing/pauses.ts";

beforeEach(() => {
  skipPauses(400);
  serveAggregates();
});

it("draws the draft beside the editor; Save takes its values over and shows and focuses the saved graph", async () => {
  await openGraphs(graphsLink(days));
  const form = await newGraph();
  // The only primary button is that of the editor.
  await expect.element(page.getByRole("button", { name: "Create graph" })).not.toBeInTheDocument();
  await expect.element(previewPicture()).toHaveAccessibleName(/^# Occurences by day\. Bar graph of # Occurences in 4 groups/);
  await choose(form, "Line");
  await setColumn(form, 1, "max", "wind");
  await form.getByLabelText("Title").fill("");
  await expect.element(previewPicture()).toHaveAccessibleName(/^Untitled graph\. Line graph of max of wind in 4 groups/);
  await expect.element(form.getByRole("button", { name: "Save graph" })).toBeDisabled();
  await form.getByLabelText("Title").fill("Peaks");
  const before = valueRequests();
  expect(before.slice(-4).map(({ path }) => path)).toEqual(Array.from({ length: 4 }, () => "max/wind"));
  await save();
  await expect.element(picture("Peaks")).toBeVisible();
  await expect.element(graph("Peaks")).toHaveFocus();
  await expect.element(graph("Peaks")).toBeInViewport({ ratio: 0.9 });
  expect(valueRequests()).toEqual(before);

  // The values of the edited graph need no request either.
  await graphMenu("Peaks", "Edit graph");
  await choose(editor(), "Bar");
  await expect.element(previewPicture(graph("Peaks"))).toHaveAccessibleName(/^Peaks\. Bar graph/);
  await editor().getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(previewPicture(graph("Peaks"))).toHaveAccessibleName(/^Peaks\. Line graph/);
  expect(valueRequests()).toEqual(before);
});

it("[GRAPH-27][GRAPH-28] draws many groups only after a press that names them, and then warns once", async () => {
  await openGraphs(graphsLink(hours));
  const form = await newGraph();
  await form.getByLabelText("Group by").selectOptions("Temporal (Hour)");
  await setColumn(form, 2, "max", "wind");
  await form.getByLabelText("Title").fill("Hours");
  await expect.element(preview().getByText("Preview paused: 61 groups × 2 values: 122 values.")).toBeVisible();
  const warning = page.getByText("This graph has a lot a lot of groupings and may be slow or fail to render.");
  await expectCount(warning, 0);
  expect(batchRequests()).toEqual([]);
  await preview().getByRole("button", { name: "Preview 61 groups" }).click();
  await expectCount(warning, 1);
  await expect.element(previewPicture()).toHaveAccessibleName(/# Occurences, max of wind in 61 groups/);
  expect(batchRequests()).toHaveLength(1);
  // No further press is needed for as many groups.
  await setColumn(form, 2, "min", "wind");
  await expect.element(previewPicture()).toHaveAccessibleName(/# Occurences, min of wind in 61 groups/);
  await save();
  await expect.element(picture("Hours")).toBeVisible();
  expect(batchRequests()).toHaveLength(2);
  await expectCount(warning, 0);
});
