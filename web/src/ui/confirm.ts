import { create } from "zustand";

/** What `confirm` asks. */
export interface Confirmation {
  title: string;
  text: string;
  confirmLabel: string;
  /** A rose button, for what cannot be undone. */
  destructive?: boolean;
}

export interface PendingConfirm extends Confirmation {
  answer: (yes: boolean) => void;
}

export const usePendingConfirm = create<{ pending: PendingConfirm | null }>(() => ({ pending: null }));

/** Asks in a dialog. Escape, the scrim and Cancel answer false; focus returns to where it was. */
export function confirm(confirmation: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    usePendingConfirm.getState().pending?.answer(false);
    usePendingConfirm.setState({
      pending: {
        ...confirmation,
        answer: (yes) => {
          usePendingConfirm.setState({ pending: null });
          resolve(yes);
        },
      },
    });
  });
}
