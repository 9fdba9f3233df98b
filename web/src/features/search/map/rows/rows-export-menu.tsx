import type { DatasetDescription } from "@fairway/contract/datasets";
import { Button, Menu } from "@mantine/core";
import type { MapRecording } from "#features/search/map/recording/use-recording.ts";
import { downloadBlob } from "#lib/browser/download.ts";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { IconMovie } from "#ui/icons/movie.ts";
import { IconPhoto } from "#ui/icons/photo.ts";
import { cellFileName, type CellFormat, cellFormats } from "./cell-export.ts";
import { shownExport } from "./shown-export.ts";
import type { ShownCells } from "./use-cells.ts";

interface Props {
  description: DatasetDescription;
  cells: Pick<ShownCells, "loaded" | "inView" | "placed">;
  /** Null if the map cannot be drawn. */
  recording: MapRecording | null;
  /** There are times to play. */
  canPlay: boolean;
}

const formats: readonly CellFormat[] = ["csv", "geojson"];
const icon = { size: 16, "aria-hidden": true } as const;

/** Downloads the cells or rows in view, a picture of the map, or a video of its playback. */
export function RowsExportMenu({ description, cells: { loaded, inView, placed }, recording, canPlay }: Props) {
  const { category, datasetId, schema } = description;
  const what = loaded?.content.kind === "rows" ? "rows" : "cells";
  const write = shownExport({ loaded, inView, placed }, schema.columns);
  return (
    <Menu position="bottom-end" width={232} trapFocus returnFocus>
      <Menu.Target>
        <Button variant="subtle" size="compact-xs" rightSection={<IconChevronDown size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Export">
        <Menu.Item leftSection={<IconPhoto {...icon} />} disabled={recording === null} onClick={() => recording?.savePicture()}>
          Picture as PNG
        </Menu.Item>
        <Menu.Item
          leftSection={<IconMovie {...icon} />}
          disabled={recording === null || recording.progress !== null || !canPlay}
          onClick={() => recording?.record()}
        >
          Playback as WebM video
        </Menu.Item>
        <Menu.Divider />
        {formats.map((format) => (
          <Menu.Item
            key={format}
            leftSection={<IconDownload {...icon} />}
            disabled={write === null}
            onClick={() => {
              if (write === null) return;
              const { mime } = cellFormats[format];
              downloadBlob(new Blob([write(format)], { type: mime }), cellFileName(category.id, datasetId, what, format));
            }}
          >
            {what === "rows" ? "Rows" : "Cells"} as {cellFormats[format].label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
