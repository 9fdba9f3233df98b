import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { IconMovie } from "#ui/icons/movie.ts";
import { IconPhoto } from "#ui/icons/photo.ts";
import { copyText } from "#lib/text/copy.ts";
import { downloadBlob } from "#lib/browser/download.ts";
import { exportText, mapFileName, type MapExport, type MapFormat, mapFormats } from "#features/search/map/model/map-export.ts";
import type { MapRecording } from "./recording/use-recording.ts";
import { toastSuccess } from "#ui/toast/toast.ts";

interface Props {
  category: string;
  datasetId: string;
  data: MapExport;
  /** Null if the map cannot be drawn. */
  recording: MapRecording | null;
  /** There is more than one moment to play. */
  canPlay: boolean;
}

const formats: readonly MapFormat[] = ["geojson", "kml", "csv"];
const icon = { size: 16, "aria-hidden": true } as const;

/** Downloads or copies the listed items and the visible paths. */
export function MapExportMenu({ category, datasetId, data, recording, canPlay }: Props) {
  const save = async (what: "items" | "paths", format: MapFormat) => {
    const { mime } = mapFormats[format];
    downloadBlob(new Blob([await exportText(what, format, data)], { type: mime }), mapFileName(category, datasetId, what, format));
  };
  const copy = async (what: "items" | "paths", format: MapFormat) => {
    if (await copyText(await exportText(what, format, data))) toastSuccess(what === "items" ? "Items copied" : "Paths copied", 1200);
  };
  const menuSection = (what: "items" | "paths", label: string, isDisabled: boolean) => (
    <>
      <Menu.Label>{label}</Menu.Label>
      {formats.map((format) => (
        <Menu.Item key={format} leftSection={<IconDownload {...icon} />} disabled={isDisabled} onClick={() => void save(what, format)}>
          {label} as {mapFormats[format].label}
        </Menu.Item>
      ))}
      {formats.map((format) => (
        <Menu.Item key={format} leftSection={<IconCopy {...icon} />} disabled={isDisabled} onClick={() => void copy(what, format)}>
          Copy {label} as {mapFormats[format].label}
        </Menu.Item>
      ))}
    </>
  );
  return (
    <Menu position="bottom-end" width={232} trapFocus returnFocus>
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" rightSection={<IconChevronDown size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Export" mah="calc(100dvh - 16px)" style={{ overflowY: "auto" }}>
        <Menu.Label>Map</Menu.Label>
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
        {menuSection("items", "Items", data.items.length === 0)}
        <Menu.Divider />
        {menuSection("paths", "Paths", data.tracks.length === 0)}
      </Menu.Dropdown>
    </Menu>
  );
}
