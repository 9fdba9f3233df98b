import { create } from "zustand";

/** The texts of a confirmation dialog. */
export interface Confirmation {
  title: string;
  text: string;
  confirmLabel: string;
  /** Label of the other choice; default Cancel. */
  cancelLabel?: string;
  /** Shows a red button, for actions that cannot be undone. */
  destructive?: boolean;
}

export interface PendingConfirm extends Confirmation {
  answer: (isConfirmed: boolean) => void;
}

export const usePendingConfirm = create<{ pending: PendingConfirm | null }>(() => ({ pending: null }));

/** Asks for confirmation in a dialog. Escape, a click outside and Cancel resolve to false; the focus is restored. */
export function confirm(confirmation: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    usePendingConfirm.getState().pending?.answer(false);
    usePendingConfirm.setState({
      pending: {
        ...confirmation,
        answer: (isConfirmed) => {
          usePendingConfirm.setState({ pending: null });
          resolve(isConfirmed);
        },
      },
    });
  });
}
