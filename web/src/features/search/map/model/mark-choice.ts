import type { DatasetDescription } from "@fairway/contract/datasets";
import type { MapViewState } from "./map-view-state.ts";

/** The columns that color and size markers; null for ages and for one size. */
export interface MarkColumns {
  readonly colorColumn: string | null;
  readonly sizeColumn: string | null;
}

type Choice = Pick<MapViewState, keyof MarkColumns>;
type MarkedDataset = Pick<DatasetDescription, "mapSupport">;

/** The columns that a person chose, and until then those of the dataset. */
export const markColumnsOf = ({ colorColumn, sizeColumn }: Choice, { mapSupport }: MarkedDataset): MarkColumns => ({
  colorColumn: (colorColumn ?? mapSupport?.colorField) || null,
  sizeColumn: (sizeColumn ?? mapSupport?.sizeField) || null,
});

/** How a choice is kept: `""` where a person wants ages or one size and the dataset has a column for it. */
export function choiceOf(columns: Partial<MarkColumns>, { mapSupport }: MarkedDataset): Partial<Choice> {
  const { colorColumn, sizeColumn } = columns;
  return {
    ...(colorColumn !== undefined && { colorColumn: colorColumn ?? (mapSupport?.colorField ? "" : null) }),
    ...(sizeColumn !== undefined && { sizeColumn: sizeColumn ?? (mapSupport?.sizeField ? "" : null) }),
  };
}
