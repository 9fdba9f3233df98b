import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import classes from "./add-data.module.css";

interface Props {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The rows on a phone: a bottom sheet over the panel. */
export function RowsSheet({ opened, onClose, children }: Props) {
  return (
    <Drawer
      {...useDialog({ opened, onClose })}
      position="bottom"
      size="85%"
      title="First rows"
      padding="md"
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ content: classes["sheet"] ?? "", body: classes["sheetBody"] ?? "" }}
    >
      {children}
    </Drawer>
  );
}
