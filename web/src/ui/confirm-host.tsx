import { useState } from "react";
import { usePendingConfirm } from "./confirm.ts";
import { lazyPart } from "./lazy-part.tsx";

const ConfirmDialog = lazyPart(() => import("./confirm-dialog.tsx"));

/** Hosts the dialog of `confirm`. Mounted once, by the shell; the dialog is loaded on first use. */
export function ConfirmHost() {
  const pending = usePendingConfirm((state) => state.pending);
  const [loaded, setLoaded] = useState(false);
  if (pending && !loaded) setLoaded(true);
  return loaded && <ConfirmDialog pending={pending} />;
}
