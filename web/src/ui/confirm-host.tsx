import { useState } from "react";
import { usePendingConfirm } from "./confirm.ts";
import { lazyPart } from "./lazy-part.tsx";

const ConfirmDialog = lazyPart(() => import("./confirm-dialog.tsx"));

/** Where questions appear. Mounted once, by the shell; the dialog comes with the first question. */
export function ConfirmHost() {
  const pending = usePendingConfirm((state) => state.pending);
  const [loaded, setLoaded] = useState(false);
  if (pending && !loaded) setLoaded(true);
  return loaded && <ConfirmDialog pending={pending} />;
}
