import { isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { defaultMapCellSize, type MapRowsView } from "@fairway/contract/map-view";
import { NativeSelect } from "@mantine/core";
import { RangeFields } from "#features/search/map/frame/range-fields.tsx";
import { CellSizeSelect } from "#features/search/map/rows/cell-size-select.tsx";
import { ColorBySelect } from "#features/search/map/rows/color-by-select.tsx";
import { colorByOf, columnOfMeasure, measureColumns } from "#features/search/map/rows/measures.ts";
import { quantityOf } from "#features/search/map/rows/value-kind.ts";
import {
  defaultPalette,
  defaultScale,
  optionsOf,
  paletteNames,
  type RangeMode,
  rangeNames,
  scaleNames,
} from "#parts/map-look/rows-look.ts";

export interface RowsLookFieldsProps {
  description: DatasetDescription;
  value: MapRowsView;
  onChange: (value: MapRowsView) => void;
}

const firstRange = { low: 1, high: 100 };

/** How a panel counts and colors all rows, as beside the map of a search. */
export function RowsLookFields({ description, value, onChange }: RowsLookFieldsProps) {
  const { columns } = description.schema;
  const colorBy = colorByOf(value, columns);
  const quantity = quantityOf(colorBy);
  const column = columnOfMeasure(columns, colorBy);
  const { range, ...others } = value;
  const mode = rangeModeOf(range);
  // Times are typed in no field.
  const modes = optionsOf(rangeNames).filter((one) => one.value !== "typed" || column === undefined || !isTimestamp(column.type));
  return (
    <>
      <ColorBySelect
        isLabeled
        columns={measureColumns(description)}
        value={colorBy}
        onChange={({ measure, perArea }) =>
          // All others are made for the values of one measure.
          onChange({ ...(value.cell && { cell: value.cell }), ...(measure && { measure }), ...(perArea && { perArea }) })
        }
      />
      <CellSizeSelect value={value.cell ?? defaultMapCellSize} onChange={(cell) => onChange({ ...value, cell })} />
      <NativeSelect
        label="Scale"
        data={optionsOf(scaleNames)}
        value={value.scale ?? defaultScale(quantity)}
        onChange={(event) => onChange({ ...value, scale: event.currentTarget.value as keyof typeof scaleNames })}
      />
      <NativeSelect
        label="Colors"
        data={optionsOf(paletteNames)}
        value={value.palette ?? defaultPalette(quantity)}
        onChange={(event) => onChange({ ...value, palette: event.currentTarget.value as keyof typeof paletteNames })}
      />
      <NativeSelect
        label="Range"
        data={modes}
        value={mode}
        onChange={(event) => {
          const next = event.currentTarget.value as RangeMode;
          if (next === "automatic") onChange(others);
          else if (next === "full") onChange({ ...others, range: next });
          else onChange({ ...others, range: { ...(typeof range === "object" ? range : firstRange), isTyped: true } });
        }}
      />
      {typeof range === "object" && mode === "typed" && (
        <RangeFields range={range} onChange={(typed) => onChange({ ...others, range: { ...typed, isTyped: true } })} />
      )}
    </>
  );
}

function rangeModeOf(range: MapRowsView["range"]): RangeMode {
  if (range === "full") return range;
  return range?.isTyped === true ? "typed" : "automatic";
}
