import { expect, it } from "vitest";
import { parseGrid } from "./parse-grid.ts";

it.each([
  { kind: "rows", level: 3, within: [0, 0, 1, 1], rows: 0, results: [] },
  { kind: "cells", level: 3, within: [0, 0, 1, 1], rows: 0, cells: { x: [1], y: [2], rows: [3] } },
  { kind: "cells", level: 3, within: [0, 0, 1, 1], rows: 0, cells: { x: [1], y: [2], rows: [3], counted: [3], value: [null] } },
])("reads %j", (answer) => {
  expect(parseGrid(JSON.stringify(answer))).toEqual(answer);
});

it.each([
  "<html>",
  "[]",
  '{"kind":"rows"}',
  '{"kind":"cells","level":3,"cells":{"x":[1],"y":[2]}}',
  '{"kind":"cells","level":3,"cells":{"x":[1],"y":[2,3],"rows":[1]}}',
  '{"kind":"tiles","level":3,"cells":{"x":[],"y":[],"rows":[]}}',
])("refuses %s", (text) => {
  expect(() => parseGrid(text)).toThrow(/^The server's response/);
});
