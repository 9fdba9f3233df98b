import type { MapRowsView } from "@fairway/contract/map-view";
import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { Column } from "@fairway/contract/columns";
import { LoadingRows } from "#ui/states.tsx";
import mapClasses from "#features/search/map/frame/map.module.css";
import { CellList, type ListedCell } from "./cell-list.tsx";
import { CellSizeSelect } from "./cell-size-select.tsx";
import { ColorBySelect } from "./color-by-select.tsx";
import type { ColorBy } from "./measures.ts";
import classes from "./rows.module.css";

interface Props {
  /** Chooses between items and all rows; null where there is no choice. */
  mode: ReactNode;
  columns: readonly Column[];
  colorBy: ColorBy;
  onColorBy: (colorBy: ColorBy) => void;
  cellPixels: number;
  onCellPixels: (pixels: NonNullable<MapRowsView["cell"]>) => void;
  /** The heading of the list, such as "Densest of 1,490 cells in view". */
  caption: string;
  listLabel: string;
  cells: readonly ListedCell[];
  /** Nothing is counted yet. */
  isLoading: boolean;
  selected: string | null;
  onPoint: (key: string | null, how: "keys" | "mouse") => void;
  onOpen: (key: string) => void;
  actions: ReactNode;
  legend: ReactNode;
}

/** The choice of colors, the cells with the highest values, and the legend: the map in words. */
export function RowsPanel(props: Props) {
  const { mode, columns, colorBy, onColorBy, cellPixels, onCellPixels, caption, listLabel, cells, isLoading, selected, onPoint, onOpen } =
    props;
  return (
    <section className={mapClasses["panel"]} aria-label="Rows by place">
      <Stack gap="sm" p="md" pb="sm">
        {mode}
        <ColorBySelect columns={columns} value={colorBy} onChange={onColorBy} />
        <CellSizeSelect
          size="xs"
          classNames={{ root: mapClasses["order"] ?? "", wrapper: mapClasses["orderInput"] ?? "" }}
          value={cellPixels}
          onChange={onCellPixels}
        />
        <div className={classes["line"]}>
          <span>{caption}</span>
          {props.actions}
        </div>
      </Stack>
      {cells.length === 0 ? (
        <div className={classes["list"]}>{isLoading && <LoadingRows label="Counting rows" rows={14} />}</div>
      ) : (
        <CellList label={listLabel} cells={cells} selected={selected} onPoint={onPoint} onOpen={onOpen} />
      )}
      {props.legend}
    </section>
  );
}
