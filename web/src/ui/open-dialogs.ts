import { useEffect, useId } from "react";
import { create } from "zustand";
import { useOpener } from "./use-opener.ts";
import { useDeferredOpen } from "./use-deferred-open.ts";

interface OpenDialog {
  id: string;
  zIndex: number;
}

/** The modal dialogs and drawers that are open, the topmost last. */
const useOpenDialogs = create<{ open: readonly OpenDialog[] }>(() => ({ open: [] }));

/** Whether the page lies behind a modal dialog. */
export const useBehindDialog = (): boolean => useOpenDialogs(({ open }) => open.length > 0);
export const isDialogOpen = (): boolean => useOpenDialogs.getState().open.length > 0;

// The key that closes a dialog reaches the one below it as well, which is the topmost by then.
let keyIsSpent = false;

export interface DialogState {
  opened: boolean;
  onClose: () => void;
  closeOnEscape?: boolean | undefined;
  zIndex?: number | undefined;
}

/**
 * What a modal dialog or drawer has to be told: the page and every dialog below it are out of reach, and Escape closes the
 * topmost alone. Closed, it gives the focus back to what opened it.
 */
export function useDialog({ opened, onClose, closeOnEscape = true, zIndex = 200 }: DialogState) {
  const id = useId();
  const opening = useDeferredOpen(opened);
  useOpener(opened);
  const covered = useOpenDialogs(({ open }) => open.at(-1)?.id !== id && open.some((one) => one.id === id));
  useEffect(() => {
    if (!opening) return undefined;
    const dialog = { id, zIndex };
    useOpenDialogs.setState(({ open }) => ({ open: withDialog(open, dialog) }));
    return () => {
      useOpenDialogs.setState(({ open }) => ({ open: open.filter((one) => one !== dialog) }));
      keyIsSpent = true;
      setTimeout(() => {
        keyIsSpent = false;
      });
    };
  }, [opening, id, zIndex]);
  return {
    opened: opening,
    onClose: () => {
      if (!keyIsSpent) onClose();
    },
    closeOnEscape: closeOnEscape && !covered,
    inert: covered,
    // Mantine would note what has the focus once the dialog is drawn.
    returnFocus: false,
    zIndex,
  };
}

/** Above all that do not lie higher by their own. */
export function withDialog(open: readonly OpenDialog[], dialog: OpenDialog): OpenDialog[] {
  return open.toSpliced(open.findLastIndex(({ zIndex }) => zIndex <= dialog.zIndex) + 1, 0, dialog);
}
