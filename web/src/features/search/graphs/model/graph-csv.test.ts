import { expect, it } from "vitest";
import { graphCsv } from "./graph-csv.ts";
import type { GraphModel } from "@fairway/contract/charts/graph-model";

const color = "#099bf1";
const column = {
  label: "max of wind",
  unit: "kt",
  measure: "kt",
  color,
  column: { id: "1", model: "wind", aggregation: "max", color },
} as const;

it("writes one row per group, with the time range of temporal groups and unmodified values", () => {
  const model: GraphModel = {
    groups: [
      { id: "1", label: "08/28/2005", color, time: { startMs: Date.UTC(2005, 7, 28), endMs: Date.UTC(2005, 7, 29) - 1 }, conditions: [] },
      { id: "2", label: "08/29/2005", color, time: { startMs: Date.UTC(2005, 7, 29), endMs: Date.UTC(2005, 7, 29) }, conditions: [] },
    ],
    columns: [column],
    values: [["9007199254740993"], [null]],
  };
  expect(graphCsv(model)).toBe(
    "Group,From,To,max of wind (kt)\r\n" +
      "08/28/2005,2005-08-28T00:00:00.000Z,2005-08-28T23:59:59.999Z,9007199254740993\r\n" +
      "08/29/2005,2005-08-29T00:00:00.000Z,2005-08-29T00:00:00.000Z,\r\n",
  );
});

it("quotes labels and neutralizes formulas", () => {
  const model: GraphModel = {
    groups: [{ id: "1", label: '=1+"a",b', color, time: null, conditions: [] }],
    columns: [{ ...column, unit: "", measure: "wind" }],
    values: [[-3.25]],
  };
  expect(graphCsv(model)).toBe('Group,max of wind\r\n"\'=1+""a"",b",-3.25\r\n');
});
