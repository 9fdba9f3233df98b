import type { Column } from "@fairway/contract/columns";
import { NativeSelect } from "@mantine/core";
import type { MapFields } from "#features/search/map/model/map-fields.ts";
import type { MarkColumns } from "#features/search/map/model/mark-choice.ts";
import { colorColumns, sizeColumns } from "#features/search/map/model/marks.ts";
import { columnText } from "#lib/text/column-text.ts";

interface Props {
  columns: readonly Column[];
  fields: MapFields;
  value: MarkColumns;
  onChange: (changed: Partial<MarkColumns>) => void;
}

/** Chooses the columns that color and size markers. */
export function MarkColumnSelects({ columns, fields, value, onChange }: Props) {
  return (
    <>
      <NativeSelect
        label="Color by"
        value={valueOf(value.colorColumn)}
        data={options(colorColumns(columns, fields), "Age")}
        onChange={(event) => onChange({ colorColumn: columnOf(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Size by"
        value={valueOf(value.sizeColumn)}
        data={options(sizeColumns(columns, fields), "Same size")}
        onChange={(event) => onChange({ sizeColumn: columnOf(event.currentTarget.value) })}
      />
    </>
  );
}

const options = (offered: readonly Column[], none: string) => [
  { value: "", label: none },
  ...offered.map((column) => ({
    value: `=${column.name}`,
    label: columnText(column),
  })),
];

const valueOf = (column: string | null): string => (column === null ? "" : `=${column}`);
const columnOf = (value: string): string | null => (value === "" ? null : value.slice(1));
