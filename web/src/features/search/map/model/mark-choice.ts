import type { DatasetDescription } from "@fairway/contract/datasets";
import type { MapViewState } from "./map-view-state.ts";

/** The columns that color and size markers; null for ages and for one size. */
export interface MarkColumns {
  readonly colorColumn: string | null;
  readonly sizeColumn: string | null;
}

type Choice = Pick<MapViewState, keyof MarkColumns>;
type MarkedDataset = Pick<DatasetDescription, "mapSupport"> & Partial<Pick<DatasetDescription, "mapView">>;

/** The columns that a person chose, and until then those of the dataset. */
export const markColumnsOf = ({ colorColumn, sizeColumn }: Choice, dataset: MarkedDataset): MarkColumns => ({
  colorColumn: (colorColumn ?? colorOf(dataset)) || null,
  sizeColumn: (sizeColumn ?? sizeOf(dataset)) || null,
});

/** The first look of a map comes before the marks of its items. */
const colorOf = ({ mapView, mapSupport }: MarkedDataset) => mapView?.colorBy ?? mapSupport?.colorField;
const sizeOf = ({ mapView, mapSupport }: MarkedDataset) => mapView?.sizeBy ?? mapSupport?.sizeField;

/** How a choice is kept: `""` where a person wants ages or one size and the dataset has a column for it. */
export function choiceOf(columns: Partial<MarkColumns>, dataset: MarkedDataset): Partial<Choice> {
  const { colorColumn, sizeColumn } = columns;
  return {
    ...(colorColumn !== undefined && { colorColumn: colorColumn ?? (colorOf(dataset) ? "" : null) }),
    ...(sizeColumn !== undefined && { sizeColumn: sizeColumn ?? (sizeOf(dataset) ? "" : null) }),
  };
}
