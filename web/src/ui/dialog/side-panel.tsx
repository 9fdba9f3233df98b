import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useRef } from "react";
import { island } from "../island.tsx";
import classes from "./side-panel.module.css";
import { useFocusReturn } from "./use-focus-return.ts";
import { useHasBeen } from "../use-has-been.ts";

const SideDrawer = island(() => import("./side-drawer.tsx"));

interface Props {
  label: string;
  opened: boolean;
  width: number;
  onClose: () => void;
  /** Receives the focus when a panel that has it closes. Default: the element focused before. */
  returnTo?: (() => HTMLElement | null) | undefined;
  children: ReactNode;
}

const syncInitialValue = { getInitialValueInEffect: false };

/** Whether a side panel is next to the content rather than over it. */
export const useHasRoomForPanel = (): boolean => useMediaQuery("(min-width: 1181px)", undefined, syncInitialValue) ?? false;

/** A panel next to the content. In a narrow window a drawer over it, on a phone a bottom sheet. */
export function SidePanel({ label, opened, width, onClose, returnTo, children }: Props) {
  const hasRoom = useHasRoomForPanel();
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, syncInitialValue);
  const needsDrawer = useHasBeen(opened && !hasRoom);
  if (hasRoom) {
    return opened ? (
      <InlinePanel width={width} returnTo={returnTo}>
        {children}
      </InlinePanel>
    ) : null;
  }
  if (!needsDrawer) return null;
  return (
    <SideDrawer label={label} opened={opened} position={isPhone ? "bottom" : "right"} size={isPhone ? "85%" : width} onClose={onClose}>
      {children}
    </SideDrawer>
  );
}

function InlinePanel({ width, returnTo, children }: { width: number; returnTo: Props["returnTo"]; children: ReactNode }) {
  const aside = useRef<HTMLElement>(null);
  useFocusReturn(aside, returnTo);
  return (
    <aside ref={aside} className={classes["side"]} style={{ width }}>
      {children}
    </aside>
  );
}
