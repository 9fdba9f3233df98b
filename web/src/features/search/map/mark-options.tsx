import { Checkbox, NativeSelect, Popover } from "@mantine/core";
import { IconPalette } from "@tabler/icons-react";
import { useState } from "react";
import type { Column } from "@fairway/contract/columns";
import type { MapFields } from "#features/search/map/model/map-fields.ts";
import { colorColumns, sizeColumns } from "#features/search/map/model/marks.ts";
import { IconButton } from "#ui/icon-button.tsx";
import type { MapState } from "./use-map-state.ts";
import classes from "./map-view.module.css";

interface Props {
  columns: readonly Column[];
  fields: MapFields;
  map: Pick<MapState, "viewState" | "updateViewState">;
}

/** Which columns color and size the markers, and whether dense ones are grouped. */
export function MarkOptions({ columns, fields, map: { viewState, updateViewState } }: Props) {
  const [opened, setOpened] = useState(false);
  const { colorColumn, sizeColumn, isGrouped } = viewState;
  const options = (offered: readonly Column[], none: string) => [
    { value: "", label: none },
    ...offered.map(({ name, unit }) => ({ value: `=${name}`, label: (unit ?? "") === "" ? name : `${name} (${unit})` })),
  ];
  const columnOf = (value: string) => (value === "" ? null : value.slice(1));
  return (
    <Popover opened={opened} onChange={setOpened} position="left-start" width={232} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <IconButton label="Color and size" className={classes["tool"] ?? ""} onClick={() => setOpened(!opened)}>
          <IconPalette size={16} aria-hidden />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Color and size">
        <div className={classes["marks"]}>
          <NativeSelect
            label="Color by"
            value={colorColumn === null ? "" : `=${colorColumn}`}
            data={options(colorColumns(columns, fields), "Age")}
            onChange={(event) => {
              const column = columnOf(event.currentTarget.value);
              updateViewState(() => ({ colorColumn: column }));
            }}
          />
          <NativeSelect
            label="Size by"
            value={sizeColumn === null ? "" : `=${sizeColumn}`}
            data={options(sizeColumns(columns, fields), "Same size")}
            onChange={(event) => {
              const column = columnOf(event.currentTarget.value);
              updateViewState(() => ({ sizeColumn: column }));
            }}
          />
          <Checkbox
            label="Group dense items"
            checked={isGrouped}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              updateViewState(() => ({ isGrouped: checked }));
            }}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
