import { island } from "../island.tsx";
import type { DialogProps } from "../modal-dialog.tsx";
import { preloadFields } from "../select.tsx";
import { useHasBeen } from "../use-has-been.ts";

const ModalDialog = island(async () => {
  const [{ ModalDialog: Loaded }] = await Promise.all([import("../overlays.ts"), preloadFields()]);
  return { default: Loaded };
});

/**
 * A modal dialog, mounted on its first use. Everything below is inert; on close, the focus returns. Escape, a click outside and the
 * close button ask for confirmation if a form in it has unsaved changes. What Mantine needs for dialogs, menus and selects is one
 * island of all screens, so that a screen imports its dialogs plainly. Decision 0950.
 */
export function Dialog(props: DialogProps) {
  return useHasBeen(props.opened) && <ModalDialog {...props} />;
}
