import { usePendingConfirm } from "./confirm.ts";
import { island } from "../island.tsx";
import { useHasBeen } from "../use-has-been.ts";

const ConfirmDialog = island(async () => ({ default: (await import("../messages.ts")).ConfirmDialog }));

/** Hosts the dialog of `confirm`. Mounted once, by the shell; the dialog is loaded on first use. */
export function ConfirmHost() {
  const pending = usePendingConfirm((state) => state.pending);
  return useHasBeen(pending !== null) && <ConfirmDialog pending={pending} />;
}
