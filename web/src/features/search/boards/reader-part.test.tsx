import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { inPanel, katrina, number, openBoard, panel, servePanelData, storms } from "#testing/board-panels.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { isHealthy, serveStream, until } from "#testing/live-changes.ts";
import { gateway } from "#testing/open-screen.tsx";
import { buildAccess, ownRegion, serveWithRules } from "#testing/reader-parts.ts";

const note = "Rounded to steps of 10. Filters compare these values, not the exact ones.";
const table = {
  id: "table",
  kind: "table" as const,
  title: "Winds",
  dataset: storms,
  query: { ...katrina, columns: ["name", "wind"] },
  place: inPanel(3, 6),
};
const graph = {
  id: "graph",
  kind: "graph" as const,
  title: "Wind by day",
  dataset: storms,
  query: { ...katrina, timeRange: { start: "2005-08-28T00:00:00Z", end: "2005-08-31T23:59:59Z" } },
  graph: {
    title: "Wind by day",
    type: "bar" as const,
    groupingType: "day" as const,
    groupings: [],
    columns: [
      { id: "wind", model: "wind", aggregation: "avg" as const, color: "#099bf1" },
      { id: "rows", model: "*", aggregation: "count" as const, color: "#f19b09" },
    ],
  },
  place: { x: 0, y: 4, w: 6, h: 6 },
};
const chipIn = (name: string) => panel(name).getByRole("button", { name: "Part of the rows", exact: true });
const marksIn = (name: string) => panel(name).getByRole("button", { name: "Coarse values", exact: true });

it("panels say that they show a part of the rows, and mark what is coarse in tables and in legends of graphs", async () => {
  servePanelData();
  serveWithRules("storm-tracks", buildAccess({ notes: [ownRegion], columns: "some", coarse: [{ name: "wind", form: { step: 10 } }] }));
  await openBoard(number, table, graph);
  for (const name of ["Observations", "Winds", "Wind by day"]) await expect.element(chipIn(name)).toHaveAccessibleDescription(ownRegion);
  for (const name of ["Winds", "Wind by day"]) {
    await expectCount(marksIn(name), 1);
    await expect.element(marksIn(name)).toHaveAccessibleDescription(note);
  }
});

it("panels drop their rows and load again when their dataset gets its first rules", async () => {
  const stream = serveStream();
  servePanelData();
  serveDatasets(gateway);
  await openBoard(table);
  await until(() => expect(isHealthy()).toBe(true));
  await expect.element(panel("Winds").getByRole("cell", { name: "Katrina" }).first()).toBeVisible();
  await expectCount(chipIn("Winds"), 0);
  serveWithRules("storm-tracks", buildAccess());
  stream.send({ kind: "changed", topic: "datasets", id: null });
  await expect.element(chipIn("Winds")).toBeVisible();
  const told = "What you may see of this dataset has changed. The results were loaded again.";
  await expect.element(page.getByRole("status").filter({ hasText: told })).toBeVisible();
});
