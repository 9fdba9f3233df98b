import { Menu } from "@mantine/core";
import { IconBookmark } from "#ui/icons/bookmark.ts";
import { IconDots } from "#ui/icons/dots.ts";
import { IconFileTypeCsv } from "#ui/icons/file-type-csv.ts";
import { IconFileTypePng } from "#ui/icons/file-type-png.ts";
import { IconFileTypeSvg } from "#ui/icons/file-type-svg.ts";
import { IconLayoutDashboard } from "#ui/icons/layout-dashboard.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconSum } from "#ui/icons/sum.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import type { GraphModel } from "@fairway/contract/charts/graph-model";
import type { Graph } from "@fairway/contract/charts/graph";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { toastError } from "#ui/toast/toast.ts";
import { downloadGraph, type GraphFile } from "./download.ts";

export interface GraphActions {
  onEdit: () => void;
  /** Undefined where the dataset cannot be summarized. */
  onSummarize: (() => void) | undefined;
  onSaveTemplate: () => void;
  onAddToBoard: () => void;
  onRemove: () => void;
}

const icon = { size: 16, "aria-hidden": true } as const;

/** The actions of a graph. */
export function GraphMenu({
  record,
  graph,
  model,
  onEdit,
  onSummarize,
  onSaveTemplate,
  onAddToBoard,
  onRemove,
}: GraphActions & { record: SearchRecord; graph: Graph; model: GraphModel | null }) {
  const areBoardsDisabled = useIsScreenDisabled("Boards");
  const download = (format: GraphFile) => {
    if (!model) return;
    downloadGraph(graph, model, format, record).catch(() => toastError("Download failed", "The file could not be created."));
  };
  return (
    <Menu position="bottom-end" trapFocus returnFocus>
      <Menu.Target>
        <IconButton label={`Graph menu: ${graph.title}`}>
          <IconDots {...icon} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Graph menu: ${graph.title}`}>
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onEdit}>
          Edit graph
        </Menu.Item>
        {onSummarize && (
          <Menu.Item leftSection={<IconSum {...icon} />} onClick={onSummarize}>
            Turn into a summary
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconBookmark {...icon} />} onClick={onSaveTemplate}>
          Save as template
        </Menu.Item>
        {!areBoardsDisabled && (
          <Menu.Item leftSection={<IconLayoutDashboard {...icon} />} onClick={onAddToBoard}>
            Add to board
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconFileTypePng {...icon} />} disabled={!model} onClick={() => download("png")}>
          Download PNG
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypeSvg {...icon} />} disabled={!model} onClick={() => download("svg")}>
          Download SVG
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypeCsv {...icon} />} disabled={!model} onClick={() => download("csv")}>
          Download CSV
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={onRemove}>
          Remove graph
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
