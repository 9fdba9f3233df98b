import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useRef } from "react";
import { useFocusReturn } from "#ui/dialog/use-focus-return.ts";
import { island } from "#ui/island.tsx";
import { useHasBeen } from "#ui/use-has-been.ts";
import classes from "./kit.module.css";

const SideDrawer = island(async () => ({ default: (await import("#ui/overlays.ts")).SideDrawer }));

interface PanelProps {
  label: string;
  opened: boolean;
  width: number;
  /** Of the sheet on a phone. Default: 85%. */
  phoneSize?: string;
  onClose: () => void;
  /** Receives the focus when a panel that has it closes. Default: the element focused before. */
  returnTo?: (() => HTMLElement | null) | undefined;
  children: ReactNode;
}

const syncInitialValue = { getInitialValueInEffect: false };

/** Whether a panel is next to the content rather than over it. */
export const useHasRoomForPanel = (): boolean => useMediaQuery("(min-width: 1181px)", undefined, syncInitialValue) ?? false;

/** A panel next to the content. In a narrow window a drawer over it, on a phone a bottom sheet. */
export function DetailPanel({ label, opened, width, phoneSize = "85%", onClose, returnTo, children }: PanelProps) {
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
    <SideDrawer label={label} opened={opened} position={isPhone ? "bottom" : "right"} size={isPhone ? phoneSize : width} onClose={onClose}>
      {children}
    </SideDrawer>
  );
}

function InlinePanel({ width, returnTo, children }: Pick<PanelProps, "width" | "returnTo" | "children">) {
  const aside = useRef<HTMLElement>(null);
  useFocusReturn(aside, returnTo);
  return (
    <aside ref={aside} className={classes["side"]} style={{ width }}>
      {children}
    </aside>
  );
}
