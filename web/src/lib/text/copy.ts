import { create } from "zustand";

/** The text that could not be copied, for the user to copy manually; null if there is none. */
export const useFailedCopy = create<{ text: string | null }>(() => ({ text: null }));

export const dismissFailedCopy = (): void => useFailedCopy.setState({ text: null });

/** Copies to the clipboard. Resolves to false if the browser refused; the dialog 'Copy Failed' then shows the text. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    // No permission (DOMException), or no clipboard at all outside a secure context (TypeError).
    if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
    useFailedCopy.setState({ text });
    return false;
  }
}
