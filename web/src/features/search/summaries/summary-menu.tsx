import { Menu } from "@mantine/core";
import { IconButton } from "#ui/icon-button.tsx";
import { IconDots } from "#ui/icons/dots.ts";
import { IconFileTypePng } from "#ui/icons/file-type-png.ts";
import { IconFileTypeSvg } from "#ui/icons/file-type-svg.ts";
import { IconLink } from "#ui/icons/link.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import type { CardActions } from "./card-actions.ts";

const icon = { size: 16, "aria-hidden": true } as const;

interface Props extends Pick<CardActions, "onEdit" | "onCopyLink" | "onRemove"> {
  title: string;
  /** Undefined until there are figures. */
  onDownload: ((format: "png" | "svg") => void) | undefined;
}

/** The actions of a summary. */
export function SummaryMenu({ title, onDownload, onEdit, onCopyLink, onRemove }: Props) {
  return (
    <Menu position="bottom-end" trapFocus returnFocus>
      <Menu.Target>
        <IconButton label={`Graph menu: ${title}`}>
          <IconDots {...icon} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Graph menu: ${title}`}>
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onEdit}>
          Edit graph
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconFileTypePng {...icon} />} disabled={!onDownload} onClick={() => onDownload?.("png")}>
          Download PNG
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypeSvg {...icon} />} disabled={!onDownload} onClick={() => onDownload?.("svg")}>
          Download SVG
        </Menu.Item>
        <Menu.Item leftSection={<IconLink {...icon} />} onClick={onCopyLink}>
          Copy link
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={onRemove}>
          Remove graph
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
