import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import classes from "./results-page.module.css";

interface Props {
  label: string;
  opened: boolean;
  width: number;
  onClose: () => void;
  children: ReactNode;
}

const now = { getInitialValueInEffect: false };

/** A panel beside the results; over them where there is no room, a sheet on a phone. */
export function ResultsSide({ label, opened, width, onClose, children }: Props) {
  const hasRoom = useMediaQuery("(min-width: 1181px)", undefined, now);
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, now);
  if (hasRoom) {
    return opened ? (
      <aside className={classes["side"]} style={{ width }}>
        {children}
      </aside>
    ) : null;
  }
  return (
    <Drawer.Root opened={opened} onClose={onClose} position={isPhone ? "bottom" : "right"} size={isPhone ? "85%" : width}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={label}>
        <Drawer.Body p={0} h="100%">
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
