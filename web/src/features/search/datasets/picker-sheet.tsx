import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import classes from "./datasets.module.css";

interface Props {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The datasets list on a phone: a bottom sheet over the form. */
export function PickerSheet({ opened, onClose, children }: Props) {
  return (
    <Drawer
      {...useDialog({ opened, onClose })}
      position="bottom"
      size="85%"
      title="Choose a dataset"
      padding={0}
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ content: classes["sheet"] ?? "", header: classes["sheetHeader"] ?? "", body: classes["sheetBody"] ?? "" }}
    >
      {children}
    </Drawer>
  );
}
