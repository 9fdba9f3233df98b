import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import type { MapRecording } from "#features/search/map/recording/use-recording.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import mapClasses from "#features/search/map/frame/map.module.css";
import type { ListOfCells } from "./list-entries.ts";
import { measureColumns, type ColorBy } from "./measures.ts";
import type { RowsState } from "#features/search/map/model/rows-state.ts";
import { RowsExportMenu } from "./rows-export-menu.tsx";
import { RowsPanel } from "./rows-panel.tsx";
import type { ShownCells } from "./use-cells.ts";

interface Props {
  record: SearchRecord;
  mode: ReactNode;
  isPhone: boolean;
  /** Open state on a phone, where the list covers the map. */
  opened: boolean;
  onClose: () => void;
  list: ListOfCells;
  /** Nothing is counted yet. */
  isLoading: boolean;
  cells: ShownCells;
  colorBy: ColorBy;
  cellPixels: number;
  /** The key of the listed cell or row. */
  selected: string | null;
  legend: ReactNode;
  /** Null if the map cannot be drawn. */
  recording: MapRecording | null;
  /** There are times to play. */
  canPlay: boolean;
  onChange: (changed: { readonly [Name in keyof RowsState]?: RowsState[Name] | undefined }) => void;
  onPoint: (key: string | null, how: "keys" | "mouse") => void;
  onOpen: (key: string) => void;
}

/** The list of cells: beside the map, or a bottom sheet on a phone. */
export function RowsListPane(props: Props) {
  const {
    record,
    mode,
    isPhone,
    opened,
    onClose,
    list,
    isLoading,
    cells,
    colorBy,
    cellPixels,
    selected,
    legend,
    recording,
    canPlay,
    onChange,
    onPoint,
    onOpen,
  } = props;
  const { datasetDescription: description } = record;
  const sheet = useDialog({ opened: isPhone && opened, onClose });
  const panel = (
    <RowsPanel
      mode={mode}
      columns={measureColumns(description)}
      colorBy={colorBy}
      onColorBy={({ measure, perArea }) =>
        onChange({ measure: measure ?? undefined, perArea: perArea || undefined, range: undefined, scale: undefined, palette: undefined })
      }
      cellPixels={cellPixels}
      onCellPixels={(cell) => onChange({ cell })}
      caption={list.caption}
      listLabel={list.label}
      cells={list.entries}
      isLoading={isLoading}
      selected={selected}
      onPoint={onPoint}
      onOpen={onOpen}
      actions={<RowsExportMenu description={description} cells={cells} recording={recording} canPlay={canPlay} />}
      legend={legend}
    />
  );
  if (!isPhone) return <div className={mapClasses["list"]}>{panel}</div>;
  return (
    <Drawer.Root {...sheet} position="bottom" size="85%">
      <Drawer.Overlay />
      <Drawer.Content aria-label="Rows by place">
        <Drawer.Body p={0} h="100%">
          {panel}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
