import { useEffect, useId } from "react";
import { create } from "zustand";
import { useOpener } from "./use-opener.ts";
import { useDeferredOpen } from "./use-deferred-open.ts";

interface OpenDialog {
  id: string;
  zIndex: number;
}

/** The open modal dialogs and drawers, topmost last. */
const useOpenDialogs = create<{ open: readonly OpenDialog[] }>(() => ({ open: [] }));

/** Whether a modal dialog covers the page. */
export const useHasOpenDialog = (): boolean => useOpenDialogs(({ open }) => open.length > 0);
export const isDialogOpen = (): boolean => useOpenDialogs.getState().open.length > 0;

// The key press that closes a dialog also reaches the dialog below, which is topmost by then. The one that makes a dialog ask
// for confirmation also reaches the dialog of the question, which is open by then.
let isKeyHandled = false;
function handleKey(): void {
  isKeyHandled = true;
  setTimeout(() => {
    isKeyHandled = false;
  });
}

/** Whether a dialog is open, or was closed by the key press that is being handled. */
export const isKeyOfDialog = (): boolean => isKeyHandled || isDialogOpen();

export interface DialogState {
  opened: boolean;
  onClose: () => void;
  closeOnEscape?: boolean | undefined;
  zIndex?: number | undefined;
}

/**
 * Props of a modal dialog or drawer. The page and every dialog below are inert, and Escape closes only the topmost dialog.
 * On close, the focus returns to the element that opened it.
 */
export function useDialog({ opened, onClose, closeOnEscape = true, zIndex = 200 }: DialogState) {
  const id = useId();
  const isOpen = useDeferredOpen(opened);
  useOpener(opened);
  const isCovered = useOpenDialogs(({ open }) => open.at(-1)?.id !== id && open.some((one) => one.id === id));
  useEffect(() => {
    if (!isOpen) return undefined;
    const dialog = { id, zIndex };
    useOpenDialogs.setState(({ open }) => ({ open: withDialog(open, dialog) }));
    return () => {
      useOpenDialogs.setState(({ open }) => ({ open: open.filter((one) => one !== dialog) }));
      handleKey();
    };
  }, [isOpen, id, zIndex]);
  return {
    opened: isOpen,
    onClose: () => {
      if (isKeyHandled) return;
      handleKey();
      onClose();
    },
    closeOnEscape: closeOnEscape && !isCovered,
    inert: isCovered,
    // useOpener returns the focus. Mantine would record the focused element too late, once the dialog is rendered.
    returnFocus: false,
    zIndex,
  };
}

/** Inserts a dialog above all dialogs with the same or a lower z-index. */
export function withDialog(open: readonly OpenDialog[], dialog: OpenDialog): OpenDialog[] {
  return open.toSpliced(open.findLastIndex(({ zIndex }) => zIndex <= dialog.zIndex) + 1, 0, dialog);
}
