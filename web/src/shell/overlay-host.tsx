import { type ComponentType, useEffect, useState } from "react";
import { lazyPart } from "#ui/lazy-part.tsx";
import { restoreOverlay, type Overlay, useOverlay } from "./overlays.ts";

type OverlayDialog = ComponentType<{ opened: boolean }>;

const dialogs: Record<Overlay, OverlayDialog> = {
  feedback: lazyPart(() => import("./feedback.tsx")),
  notifications: lazyPart(() => import("./notifications.tsx")),
  palette: lazyPart(() => import("./palette/palette.tsx")),
  shortcuts: lazyPart(() => import("./shortcut-sheet.tsx")),
  "sign-in-again": lazyPart(() => import("./sign-in-again.tsx")),
};

/** Hosts the dialogs of every screen. Each is loaded on first use and stays mounted so that it can fade out. */
export function OverlayHost() {
  const { overlay } = useOverlay();
  useEffect(restoreOverlay, []);
  const [opened, setOpened] = useState<readonly Overlay[]>([]);
  if (overlay && !opened.includes(overlay)) setOpened([...opened, overlay]);
  return opened.map((name) => {
    const Dialog = dialogs[name];
    return <Dialog key={name} opened={overlay === name} />;
  });
}
