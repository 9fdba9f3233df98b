import { type ComponentType, useEffect, useState } from "react";
import { lazyPart } from "#ui/lazy-part.tsx";
import { openKeptOverlay, type Overlay, useOverlay } from "./overlays.ts";

type OverlayDialog = ComponentType<{ opened: boolean }>;

const dialogs: Record<Overlay, OverlayDialog> = {
  feedback: lazyPart(() => import("./feedback.tsx")),
  palette: lazyPart(() => import("./palette/palette.tsx")),
  shortcuts: lazyPart(() => import("./shortcut-sheet.tsx")),
  "sign-in-again": lazyPart(() => import("./sign-in-again.tsx")),
};

/** Where the dialogs of every screen appear; each comes with its first use and then stays, so that it can fade out. */
export function OverlayHost() {
  const { overlay } = useOverlay();
  useEffect(openKeptOverlay, []);
  const [used, setUsed] = useState<readonly Overlay[]>([]);
  if (overlay && !used.includes(overlay)) setUsed([...used, overlay]);
  return used.map((name) => {
    const Dialog = dialogs[name];
    return <Dialog key={name} opened={overlay === name} />;
  });
}
