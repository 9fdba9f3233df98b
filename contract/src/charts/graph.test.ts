import { describe, expect, it } from "vitest";
import { boardPanel } from "../boards.ts";
import { summaryOf, templateDefinition } from "./graph.ts";

/** As the web app of release 1 wrote them: without `stacked`, `logAxis` and what came later. */
const peaks = {
  title: "Peaks",
  type: "bar",
  groupingType: "day",
  groupings: [{ id: "a", label: "08/26/2005", conditions: [], color: "#009e73" }],
  columns: [{ id: "b", model: "wind", aggregation: "max", color: "#099bf1" }],
};
const categories = {
  title: "Categories",
  type: "pie",
  groupingType: "custom",
  groupings: [
    { id: "c", label: "Weak", conditions: [{ id: "d", model: "wind", operator: "<", value: 64 }], color: "#099bf1" },
    { id: "e", label: "Unnamed", conditions: [{ id: "f", model: "name", operator: "=", value: null }], color: "#e27a10" },
  ],
  columns: [
    { id: "g", model: "*", aggregation: "count", color: "#099bf1" },
    {
      id: "h",
      label: "Wind per pressure",
      type: "ratio",
      column1: { model: "wind", aggregation: "avg" },
      column2: { model: "pressure", aggregation: "avg" },
      color: "#e27a10",
    },
  ],
};

describe.each([peaks, categories])("a graph of release 1: $title", (stored) => {
  it("is read from its template as it was made, and is no summary", () => {
    expect(templateDefinition(JSON.stringify(stored))).toEqual({ ...stored, stacked: false, logAxis: false });
    expect(summaryOf(stored)).toBeNull();
  });

  it("stays on its board as it was stored", () => {
    const dataset = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
    const query = { filters: [{ name: "name", value: "Katrina", operator: "=" }] };
    const panel = { id: "p", kind: "graph", title: "Katrina", dataset, query, graph: stored, place: { x: 0, y: 0, w: 6, h: 4 } };
    expect(boardPanel.parse(panel)).toEqual(panel);
  });
});
