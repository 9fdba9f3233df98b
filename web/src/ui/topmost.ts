/** For a dialog that opens others: Escape reaches all of them, and closes the topmost only. */
export const closesTopmost = (close: () => void) => (): void => {
  if (document.querySelectorAll("[aria-modal='true']").length <= 1) close();
};
