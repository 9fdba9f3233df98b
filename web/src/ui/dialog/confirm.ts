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

/** A confirmation with another way to go on. */
interface Choice extends Confirmation {
  otherLabel: string;
}
type Chosen = "confirmed" | "other" | "canceled";

export interface PendingConfirm extends Confirmation {
  otherLabel?: string;
  answer: (chosen: Chosen) => void;
}

export const usePendingConfirm = create<{ pending: PendingConfirm | null }>(() => ({ pending: null }));

/** Asks for confirmation in a dialog. Escape, a click outside and Cancel resolve to false; the focus is restored. */
export const confirm = async (confirmation: Confirmation): Promise<boolean> => (await ask(confirmation)) === "confirmed";

/** The same with a third button. */
export const choose = (choice: Choice): Promise<Chosen> => ask(choice);

function ask(confirmation: Confirmation | Choice): Promise<Chosen> {
  return new Promise((resolve) => {
    usePendingConfirm.getState().pending?.answer("canceled");
    usePendingConfirm.setState({
      pending: {
        ...confirmation,
        answer: (chosen) => {
          usePendingConfirm.setState({ pending: null });
          resolve(chosen);
        },
      },
    });
  });
}
