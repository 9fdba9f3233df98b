import { Checkbox, Popover, Stack } from "@mantine/core";
import { IconPalette } from "#ui/icons/palette.ts";
import { useState } from "react";
import type { Column } from "@fairway/contract/columns";
import type { MapFields } from "#features/search/map/model/map-fields.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { MarkColumnSelects } from "./mark-columns.tsx";
import type { MapState } from "./use-map-state.ts";
import classes from "./frame/map.module.css";

interface Props {
  columns: readonly Column[];
  fields: MapFields;
  map: Pick<MapState, "viewState" | "updateViewState" | "markColumns" | "setMarkColumns">;
}

/** Choice of the columns that color and size the markers, and of grouping dense ones. */
export function MarkOptions({ columns, fields, map: { viewState, updateViewState, markColumns, setMarkColumns } }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="left-start" width={232} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <IconButton label="Color and size" className={classes["tool"] ?? ""} onClick={() => setOpened(!opened)}>
          <IconPalette size={16} aria-hidden />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Color and size">
        <Stack gap="md">
          <MarkColumnSelects columns={columns} fields={fields} value={markColumns} onChange={setMarkColumns} />
          <Checkbox
            label="Group dense items"
            checked={viewState.isGrouped}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              updateViewState(() => ({ isGrouped: checked }));
            }}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
