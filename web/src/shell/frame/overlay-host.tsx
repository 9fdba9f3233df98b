import { type ComponentType, useEffect, useState } from "react";
import { island } from "#ui/island.tsx";
import { restoreOverlay, type Overlay, useOverlay } from "./overlays.ts";

type OverlayDialog = ComponentType<{ opened: boolean }>;

const dialogs: Record<Overlay, OverlayDialog> = {
  feedback: island(async () => ({ default: (await import("../shell-dialogs.ts")).Feedback })),
  notifications: island(async () => ({ default: (await import("../shell-dialogs.ts")).Notifications })),
  palette: island(() => import("../palette/palette.tsx")),
  shortcuts: island(async () => ({ default: (await import("../shell-dialogs.ts")).ShortcutSheet })),
  "sign-in-again": island(async () => ({ default: (await import("../shell-dialogs.ts")).SignInAgain })),
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
