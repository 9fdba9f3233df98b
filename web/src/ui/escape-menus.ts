/** Buttons whose menu or popover is open. */
const openButton = "[aria-haspopup][aria-expanded='true']:not([role=combobox], [popovertarget])";

/**
 * Closes menus and popovers by Escape from the moment their buttons say that they are open. Mantine handles the key only in the
 * dropdown, which gets the focus some frames later, or once its code has loaded. The browser closes menus that are its own
 * popovers, but a drawer around one would close, too. Returns the function that stops it.
 */
export function closeMenusOnEscape(): () => void {
  const controller = new AbortController();
  let pending = new AbortController();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
    const popover = document.querySelector<HTMLElement>("[role=menu]:popover-open");
    const button = popover ? null : buttonOf(document.activeElement);
    if ((popover === null || popover.contains(document.activeElement)) && button === null) return;
    event.preventDefault();
    // In the window's capture phase, ahead of dialogs: the key closes the menu alone.
    event.stopImmediatePropagation();
    popover?.hidePopover();
    if (button === null) return;
    button.click();
    pending.abort();
    pending = new AbortController();
    keepFocus(document.activeElement, button, pending);
  };
  window.addEventListener("keydown", onKeyDown, { capture: true, signal: controller.signal });
  return () => {
    controller.abort();
    pending.abort();
  };
}

/** The button of the open menu that waits for the focus: the focused element, one in it, or any if nothing has the focus. */
function buttonOf(focused: Element | null): HTMLElement | null {
  if (focused === null || focused === document.body) return document.querySelector<HTMLElement>(openButton);
  // An inner part of a dialog that is closing, for example, never is.
  return focused.matches(openButton) && focused instanceof HTMLElement ? focused : focused.querySelector<HTMLElement>(openButton);
}

/** The closed menu may still take the focus that it asked for when it opened. It goes back until the menu has been opened again. */
function keepFocus(focused: Element | null, button: HTMLElement, controller: AbortController): void {
  const dropdownId = button.getAttribute("aria-controls") ?? `${button.id}-dropdown`;
  document.addEventListener(
    "focusin",
    ({ target }) => {
      if (button.getAttribute("aria-expanded") === "true" || !button.isConnected) controller.abort();
      else if (target instanceof Element && target.closest(`#${CSS.escape(dropdownId)}, [aria-labelledby~='${CSS.escape(button.id)}']`))
        (focused instanceof HTMLElement && focused !== document.body ? focused : button).focus({ preventScroll: true });
    },
    { signal: controller.signal },
  );
}
