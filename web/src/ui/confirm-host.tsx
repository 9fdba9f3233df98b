import { usePendingConfirm } from "./confirm.ts";
import { lazyPart } from "./lazy-part.tsx";
import { useHasBeen } from "./use-has-been.ts";

const ConfirmDialog = lazyPart(() => import("./confirm-dialog.tsx"));

/** Hosts the dialog of `confirm`. Mounted once, by the shell; the dialog is loaded on first use. */
export function ConfirmHost() {
  const pending = usePendingConfirm((state) => state.pending);
  return useHasBeen(pending !== null) && <ConfirmDialog pending={pending} />;
}
