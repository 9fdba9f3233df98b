import { Drawer } from "@mantine/core";
import { safeFileName } from "@fairway/contract/file-names";
import type { GridTotals } from "@fairway/contract/grid";
import type { ReactNode } from "react";
import type { RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import type { ColorScale } from "#features/search/map/model/color-scale.ts";
import type { ScaleText } from "#features/search/map/model/scale-text.ts";
import { drawLegend } from "#features/search/map/recording/draw-legend.ts";
import { mapCaption } from "#features/search/map/recording/map-caption.ts";
import { pictureOf } from "#features/search/map/recording/save-picture.ts";
import { pictureFoot } from "#features/search/pictures/picture-foot.ts";
import { downloadBlob } from "#lib/browser/download.ts";
import { logFailure } from "#lib/browser/log.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import { toastError } from "#ui/toast/toast.ts";
import mapClasses from "#features/search/map/frame/map.module.css";
import type { ListOfCells } from "./list-entries.ts";
import { colorByTitle, measureColumns, type ColorBy } from "./measures.ts";
import type { RowsState } from "#features/search/map/model/rows-state.ts";
import { countTexts } from "./rows-counts.ts";
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
  canvas: RowsCanvas | null;
  legend: ReactNode;
  /** The text of a picture about its colors. */
  picture: {
    readonly scale: ColorScale | null;
    readonly totals: GridTotals | null;
    readonly textOf: ScaleText;
    readonly timeText: string | null;
  };
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
    canvas,
    legend,
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
      actions={
        <RowsExportMenu
          category={description.category.id}
          datasetId={description.datasetId}
          cells={cells}
          onPicture={canvas === null ? undefined : () => void savePicture(canvas, props)}
        />
      }
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

async function savePicture(
  canvas: RowsCanvas,
  { record, cells, colorBy, picture: { scale, totals, textOf, timeText } }: Props,
): Promise<void> {
  const { category, datasetId, schema } = record.datasetDescription;
  const counts = [...(timeText === null ? [] : [timeText]), ...(totals === null ? [] : countTexts(totals, cells.rowsInView))].join(", ");
  const title = colorByTitle(colorBy, schema.columns);
  try {
    const blob = await pictureOf(canvas, mapCaption(datasetId), counts, pictureFoot(record), (context) => {
      if (scale !== null) drawLegend(context, { title, scale, textOf }, globalThis.devicePixelRatio || 1);
    });
    downloadBlob(blob, safeFileName(`${category.id}_${datasetId}_map.png`));
  } catch (error) {
    logFailure("The picture could not be saved", error);
    toastError("Failed to save the picture", "This browser can't save a picture of the map.");
  }
}
