import type { DatasetDescription } from "@fairway/contract/datasets";
import { defaultMapCellSize, type MapRowsView } from "@fairway/contract/map-view";
import { CellSizeSelect } from "#features/search/map/rows/cell-size-select.tsx";
import { ColorBySelect } from "#features/search/map/rows/color-by-select.tsx";
import { colorByOf, measureColumns } from "#features/search/map/rows/measures.ts";

interface Props {
  description: DatasetDescription;
  value: MapRowsView;
  onChange: (value: MapRowsView) => void;
}

/** How a panel counts and colors all rows, as beside the map of a search. */
export function RowsLookFields({ description, value, onChange }: Props) {
  return (
    <>
      <ColorBySelect
        isLabeled
        columns={measureColumns(description)}
        value={colorByOf(value, description.schema.columns)}
        onChange={({ measure, perArea }) => {
          // A range is of the values that it was made for.
          const { measure: _measure, perArea: _perArea, range: _range, ...look } = value;
          onChange({ ...look, ...(measure && { measure }), ...(perArea && { perArea }) });
        }}
      />
      <CellSizeSelect value={value.cell ?? defaultMapCellSize} onChange={(cell) => onChange({ ...value, cell })} />
    </>
  );
}
