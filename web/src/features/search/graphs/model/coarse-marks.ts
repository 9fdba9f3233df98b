import { type GraphColumn, isDerived } from "@fairway/contract/charts/graph";
import type { GraphModel } from "@fairway/contract/charts/graph-model";
import type { CoarseColumns, ShownForm } from "#parts/reader-part/coarse-columns.ts";

/** How the values of a graph's column are coarse; undefined if they are not. */
export const formOfGraphColumn = (column: GraphColumn, coarse: CoarseColumns): ShownForm | undefined =>
  isDerived(column) ? (coarse.get(column.column1.model) ?? coarse.get(column.column2.model)) : coarse.get(column.model);

/** The model with a sign at coarse columns, for a picture, in which nothing can be pressed. The same one without any. */
export function withCoarseSigns(model: GraphModel, coarse: CoarseColumns): GraphModel {
  if (!model.columns.some(({ column }) => formOfGraphColumn(column, coarse) !== undefined)) return model;
  const columns = model.columns.map((one) =>
    formOfGraphColumn(one.column, coarse) === undefined ? one : { ...one, label: `≈ ${one.label}` },
  );
  return { ...model, columns };
}
