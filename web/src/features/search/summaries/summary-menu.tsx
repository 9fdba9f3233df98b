import { Menu } from "@mantine/core";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconBell } from "#ui/icons/bell.ts";
import { IconBookmark } from "#ui/icons/bookmark.ts";
import { IconDatabaseExport } from "#ui/icons/database-export.ts";
import { IconDots } from "#ui/icons/dots.ts";
import { IconFileTypePng } from "#ui/icons/file-type-png.ts";
import { IconFileTypeSvg } from "#ui/icons/file-type-svg.ts";
import { IconLayoutDashboard } from "#ui/icons/layout-dashboard.ts";
import { IconLink } from "#ui/icons/link.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import type { CardActions } from "./card-actions.ts";

const icon = { size: 16, "aria-hidden": true } as const;

interface Props extends Omit<CardActions, "onChange" | "onOpen"> {
  title: string;
  /** Undefined until there are figures. */
  onDownload: ((format: "png" | "svg") => void) | undefined;
}

/** The actions of a summary. */
export function SummaryMenu({ title, onDownload, onAlert, ...on }: Props) {
  const areBoardsDisabled = useIsScreenDisabled("Boards");
  const areAlertsDisabled = useIsScreenDisabled("Alerts");
  return (
    <Menu position="bottom-end" trapFocus returnFocus>
      <Menu.Target>
        <IconButton label={`Graph menu: ${title}`}>
          <IconDots {...icon} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Graph menu: ${title}`}>
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={on.onEdit}>
          Edit graph
        </Menu.Item>
        <Menu.Item leftSection={<IconBookmark {...icon} />} onClick={on.onSaveTemplate}>
          Save as template
        </Menu.Item>
        {!areBoardsDisabled && (
          <Menu.Item leftSection={<IconLayoutDashboard {...icon} />} onClick={on.onAddToBoard}>
            Add to board
          </Menu.Item>
        )}
        {onAlert && !areAlertsDisabled && (
          <Menu.Item leftSection={<IconBell {...icon} />} onClick={onAlert}>
            Alert on this measure
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconDatabaseExport {...icon} />} onClick={on.onExport}>
          Export table
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypePng {...icon} />} disabled={!onDownload} onClick={() => onDownload?.("png")}>
          Download PNG
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypeSvg {...icon} />} disabled={!onDownload} onClick={() => onDownload?.("svg")}>
          Download SVG
        </Menu.Item>
        <Menu.Item leftSection={<IconLink {...icon} />} onClick={on.onCopyLink}>
          Copy link
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={on.onRemove}>
          Remove graph
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
