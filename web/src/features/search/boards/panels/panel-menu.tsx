import { Menu } from "@mantine/core";
import { IconDots } from "#ui/icons/dots.ts";
import { IconFileTypeCsv } from "#ui/icons/file-type-csv.ts";
import { IconFileTypePng } from "#ui/icons/file-type-png.ts";
import { IconFileTypeSvg } from "#ui/icons/file-type-svg.ts";
import { IconTable } from "#ui/icons/table.ts";
import type { DrawnMap } from "#features/search/map/recording/report-frame.ts";
import { logFailure } from "#lib/browser/log.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { toastError } from "#ui/toast/toast.ts";
import type { PanelData } from "./load-panel.ts";
import type { SearchPanel } from "./panel-search.ts";
import { type PanelFile, savePanel } from "./save-panel.ts";

interface Props {
  panel: SearchPanel;
  record: SearchRecord;
  data: PanelData | null;
  /** Null unless a map is drawn. */
  map: DrawnMap | null;
  /** Of a map of all rows; null until they are counted. */
  rowsCsv: (() => string) | null;
  onOpenRows: () => void;
}

const icon = { size: 16, "aria-hidden": true } as const;

/** Opens the rows of a panel, or saves what it shows. */
export function PanelMenu({ panel, record, data, map, rowsCsv, onOpenRows }: Props) {
  const zone = useResultZone();
  const save = async (format: PanelFile) => {
    if (data === null) return;
    try {
      await savePanel(format, { panel, record, data, map, rowsCsv, zone });
    } catch (error) {
      logFailure("The file of a panel could not be created", error);
      toastError("Download failed", "The file could not be created.");
    }
  };
  const label = `Menu of ${panel.title}`;
  return (
    <Menu position="bottom-end" trapFocus returnFocus>
      <Menu.Target>
        <IconButton label={label}>
          <IconDots {...icon} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        <Menu.Item leftSection={<IconTable {...icon} />} onClick={onOpenRows}>
          Open rows
        </Menu.Item>
        {(data?.kind === "graph" || map !== null) && (
          <Menu.Item leftSection={<IconFileTypePng {...icon} />} onClick={() => void save("png")}>
            Download PNG
          </Menu.Item>
        )}
        {data?.kind === "graph" && (
          <Menu.Item leftSection={<IconFileTypeSvg {...icon} />} onClick={() => void save("svg")}>
            Download SVG
          </Menu.Item>
        )}
        {data !== null && (data.kind !== "rows" || rowsCsv !== null) && (
          <Menu.Item leftSection={<IconFileTypeCsv {...icon} />} onClick={() => void save("csv")}>
            Download CSV
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
