import { type ResultRow, search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import {
  batchRequests,
  valueRequests,
  editor,
  graphMenu,
  graphsLink,
  msOf,
  newGraph,
  openGraphs,
  picture,
  save,
  serveAggregates,
  setColumn,
  shownValues,
  stormRows,
  table,
  winds,
} from "#testing/graphs.ts";
import { gateway, reloadScreen } from "#testing/open-screen.tsx";

const timeOf = ({ time }: ResultRow): number => Number(time) * 1_000;
const between = (rows: readonly ResultRow[], from: number, to: number) => rows.filter((row) => timeOf(row) >= from && timeOf(row) < to);

beforeEach(serveAggregates);

it("warns once about many groupings and requests them in one call; empty hours count zero", async () => {
  const span = { from: "2005-08-28T00:00:00", to: "2005-08-30T12:00:00" };
  const rows = stormRows(span);
  await openGraphs(graphsLink(span));
  const form = await newGraph();
  await form.getByLabelText("Group by").selectOptions("Temporal (Hour)");
  await setColumn(form, 2, "max", "wind");
  await form.getByLabelText("Title").fill("Hours");
  await save();
  const warning = page.getByRole("dialog", { name: "A lot of groupings" });
  await expect.element(warning).toHaveTextContent("This graph has a lot a lot of groupings and may be slow or fail to render.");
  await expect.element(warning).toHaveTextContent("61 groups × 2 values: 122 values");
  expect(batchRequests()).toEqual([]);
  await warning.getByRole("button", { name: "Draw graph" }).click();

  const startMs = msOf(span.from);
  const expected = Array.from({ length: 61 }, (_, hour) => {
    const values = winds(between(rows, startMs + hour * 3_600_000, startMs + (hour + 1) * 3_600_000));
    return [String(values.length), values.length === 0 ? "" : String(Math.max(...values))];
  });
  const lines = await shownValues("Hours");
  expect(lines.map(([, ...values]) => values)).toEqual(expected);
  expect(expected).toContainEqual(["0", ""]);
  expect([lines[0]?.[0], lines[13]?.[0], lines.at(-1)?.[0]]).toEqual([
    "08/28/2005, 12:00 AM",
    "08/28/2005, 01:00 PM",
    "08/30/2005, 12:00 PM",
  ]);
  expect(valueRequests().filter(({ path }) => path === "max/wind")).toEqual([]);
  expect(batchRequests()).toHaveLength(1);
  expect(batchRequests()[0]).toMatchObject({
    params: { category: "Tropical weather", datasetId: "storm-tracks" },
    body: {
      search: { timeRange: { start: "2005-08-28T00:00:00.000Z", end: "2005-08-30T12:00:00.000Z" }, filters: [] },
      aggregations: [
        { aggregation: "count", column: "*" },
        { aggregation: "max", column: "wind" },
      ],
    },
  });

  // An edit of the same size does not warn again.
  await graphMenu("Hours", "Edit graph");
  await setColumn(editor(), 2, "min", "wind");
  await save();
  await expect.poll(() => batchRequests().length).toBe(2);
  await expect.element(warning).not.toBeInTheDocument();
  await expect.element(table("Hours").getByRole("columnheader", { name: "min of wind" })).toBeVisible();
});

it("does not draw a large edit that was declined until it is saved again", async () => {
  await openGraphs(graphsLink({ from: "2005-08-28T00:00:00", to: "2005-08-30T12:00:00" }));
  const form = await newGraph();
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await form.getByLabelText("Title").fill("Grown");
  await save();
  await expect.element(picture("Grown")).toBeVisible();
  const before = gateway.received(search.aggregate).length;
  const warning = page.getByRole("dialog", { name: "A lot of groupings" });
  const enlarge = async () => {
    await graphMenu("Grown", "Edit graph");
    await editor().getByLabelText("Group by").selectOptions("Temporal (Hour)");
    await save();
  };
  await enlarge();
  await warning.getByRole("button", { name: "Cancel" }).click();
  await expect.element(warning).not.toBeInTheDocument();
  await editor().getByRole("button", { name: "Cancel", exact: true }).click();
  await reloadScreen();
  await expect.element(page.getByRole("img", { name: /^Grown\. Bar graph of # Occurences in 3 groups/ })).toBeVisible();
  expect(
    gateway
      .received(search.aggregate)
      .slice(before)
      .every(({ params }) => `${params.aggregationType}/${params.column}` === "count/*"),
  ).toBe(true);
  expect(batchRequests()).toEqual([]);
  await enlarge();
  await expect.element(page.getByRole("img", { name: /^Grown\. Bar graph of # Occurences in 61 groups/ })).toBeVisible();
  await expect.element(warning).not.toBeInTheDocument();
});
