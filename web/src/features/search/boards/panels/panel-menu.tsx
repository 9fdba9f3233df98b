import { safeFileName } from "@fairway/contract/file-names";
import { Menu } from "@mantine/core";
import { IconDots, IconFileTypeCsv, IconFileTypePng, IconFileTypeSvg, IconTable } from "@tabler/icons-react";
import { downloadBlob } from "#lib/download.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { toastError } from "#ui/toast.ts";
import type { PanelData } from "./load-panel.ts";
import { type SearchPanel, shownColumns } from "./panel-search.ts";

interface Props {
  panel: SearchPanel;
  record: SearchRecord;
  data: PanelData | null;
  onOpenRows: () => void;
}

const icon = { size: 16, "aria-hidden": true } as const;

/** Opens the rows of a panel, or saves what it shows. */
export function PanelMenu({ panel, record, data, onOpenRows }: Props) {
  const save = (format: "png" | "svg" | "csv") => {
    saveAs(format, panel, record, data).catch(() => toastError("Download failed", "The file could not be made."));
  };
  const label = `Menu of ${panel.title}`;
  return (
    <Menu position="bottom-end" trapFocus returnFocus withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <IconButton label={label}>
          <IconDots {...icon} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        <Menu.Item leftSection={<IconTable {...icon} />} onClick={onOpenRows}>
          Open rows
        </Menu.Item>
        {data?.kind === "graph" && (
          <>
            <Menu.Item leftSection={<IconFileTypePng {...icon} />} onClick={() => save("png")}>
              Download PNG
            </Menu.Item>
            <Menu.Item leftSection={<IconFileTypeSvg {...icon} />} onClick={() => save("svg")}>
              Download SVG
            </Menu.Item>
          </>
        )}
        {data !== null && (
          <Menu.Item leftSection={<IconFileTypeCsv {...icon} />} onClick={() => save("csv")}>
            Download CSV
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

async function saveAs(format: "png" | "svg" | "csv", panel: SearchPanel, record: SearchRecord, data: PanelData | null): Promise<void> {
  if (data === null) return;
  if (data.kind === "graph") {
    const [{ downloadGraph }, { modelOf }] = await Promise.all([
      import("#features/search/graphs/download.ts"),
      import("#features/search/graphs/model/graph-model.ts"),
    ]);
    const model = modelOf(data.graph, record.datasetDescription.schema.columns);
    if (model) await downloadGraph(data.graph, model, format);
    return;
  }
  const { csvLine, toCsv } = await import("#parts/result-export/csv.ts");
  const text =
    data.kind === "number"
      ? csvLine([panel.title]) + csvLine([String(data.value ?? "")])
      : toCsv(shownColumns(record), data.kind === "table" ? data.rows : data.list.items.map(({ row }) => row));
  downloadBlob(new Blob([text], { type: "text/csv;charset=utf-8" }), safeFileName(`${panel.dataset.datasetId}_${panel.title}.csv`));
}
