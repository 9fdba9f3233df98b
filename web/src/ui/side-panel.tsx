import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useDialog } from "./open-dialogs.ts";
import classes from "./side-panel.module.css";

interface Props {
  label: string;
  opened: boolean;
  width: number;
  onClose: () => void;
  /** Where the focus goes when a panel that holds it closes; undefined: where it was before. */
  returnTo?: (() => HTMLElement | null) | undefined;
  children: ReactNode;
}

const now = { getInitialValueInEffect: false };

/** A panel beside what is shown; over it where there is no room, a sheet on a phone. */
export function SidePanel({ label, opened, width, onClose, returnTo, children }: Props) {
  const hasRoom = useMediaQuery("(min-width: 1181px)", undefined, now);
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, now);
  const over = useDialog({ opened: opened && !hasRoom, onClose });
  if (hasRoom) {
    return opened ? (
      <Beside width={width} returnTo={returnTo}>
        {children}
      </Beside>
    ) : null;
  }
  return (
    <Drawer.Root {...over} position={isPhone ? "bottom" : "right"} size={isPhone ? "85%" : width}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={label}>
        <Drawer.Body p={0} h="100%">
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Beside({ width, returnTo, children }: { width: number; returnTo: Props["returnTo"]; children: ReactNode }) {
  const aside = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const panel = aside.current;
    return () => {
      if (!panel?.contains(document.activeElement)) return;
      const target = returnTo?.() ?? before;
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    };
  }, [returnTo]);
  return (
    <aside ref={aside} className={classes["side"]} style={{ width }}>
      {children}
    </aside>
  );
}
