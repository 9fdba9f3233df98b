import { FigureView } from "#query/whole-figures.ts";
import type { DatasetView } from "./dataset.ts";

/**
 * The figures over all rows that the reader of a view may have. `hasRowsPerReader`: whether the source itself may give each reader other
 * rows, so that nobody is shown any.
 */
export function figureViewOf(dataset: DatasetView, hasRowsPerReader: boolean): FigureView {
  const { part, schema, temporalField, locationField } = dataset;
  if (part === null) return hasRowsPerReader ? FigureView.unknown : FigureView.whole;
  const coarse = new Set([...part.coarse.map(({ name }) => name), ...part.madeOfCoarse]);
  const plain = schema.columns.filter(({ combined }) => combined === null);
  const columns = new Set(plain.flatMap(({ name }) => (coarse.has(name) ? [] : [name])));
  const position = schema.columns.find(({ name }) => name === locationField)?.combined?.fields ?? [];
  const rows = part.rows === "all" && !hasRowsPerReader ? "all" : "some";
  if (part.columns === "all" && rows === "all") return FigureView.whole;
  return FigureView.of(rows, {
    columns,
    hasTimes: temporalField !== null && columns.has(temporalField),
    hasPositions: position.length > 0 && position.every((name) => columns.has(name)),
  });
}
