import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useDialog } from "./open-dialogs.ts";

interface Props {
  label: string;
  opened: boolean;
  position: "bottom" | "right";
  size: number | string;
  onClose: () => void;
  children: ReactNode;
}

/** A side panel over the content, for windows without room beside it. */
export default function SideDrawer({ label, opened, position, size, onClose, children }: Props) {
  return (
    <Drawer.Root {...useDialog({ opened, onClose })} position={position} size={size}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={label}>
        <Drawer.Body p={0} h="100%">
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
