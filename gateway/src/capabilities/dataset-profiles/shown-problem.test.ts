import { expect, it } from "vitest";
import { SourceNotReady, UnreadableData } from "#query/engine.ts";
import { FigureView } from "#query/whole-figures.ts";
import { problemShownTo } from "./shown-problem.ts";

const view = FigureView.of("all", { columns: new Set(["id", "its column 'pay'"]), hasTimes: true, hasPositions: true });
const ofColumn = (reason: string, dataset?: string) =>
  new SourceNotReady([{ code: "column-missing", reason }], dataset === undefined ? {} : { dataset }).message;
const unnamed = "one of its columns cannot be read";

it.each([
  [ofColumn("its data files have no column 'pay'", "staff"), ofColumn(unnamed, "staff")],
  [ofColumn("its table has no column 'pay'"), ofColumn(unnamed)],
  [ofColumn("its table has no column 'it's. \n paid'", "staff"), ofColumn(unnamed, "staff")],
  [ofColumn("its column 'pay' is described as integer, but its data files contain VARCHAR", "staff"), ofColumn(unnamed, "staff")],
  [ofColumn("its column 'pay' is described as STRING, but its table contains row(pay integer)"), ofColumn(unnamed)],
  [new UnreadableData("Parquet", "invalid value '12,000' in column pay").message, "The data cannot be read as Parquet."],
])("%j names nothing that the reader does not have", (problem, shown) => {
  expect(problemShownTo(problem, view)).toBe(shown);
});

it.each([
  ofColumn("its data files have no column 'id'", "staff"),
  ofColumn("its column 'id' is described as integer, but its data files contain VARCHAR", "staff"),
  ofColumn("its table has no column 'its column 'pay''"),
  ofColumn("its data files are missing", "staff"),
  "It took longer than 600 s and was stopped.",
  "The query failed in the engine.",
])("%j stays as it is", (problem) => {
  expect(problemShownTo(problem, view)).toBe(problem);
});
