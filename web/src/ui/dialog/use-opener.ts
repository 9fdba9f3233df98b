import { useEffect, useState } from "react";

/** Time Mantine's menus take to return the focus to their buttons. */
const settleMs = 10;
/** About one second. */
const maxFrames = 60;

type Openers = readonly HTMLElement[];

/** The openers of the open dialogs, topmost last. */
let openDialogs: readonly Openers[] = [];

/** The openers that the focus is about to return to, until it has. */
let pendingOpeners: Openers = [];

/** The last focused element, because a closing menu leaves no element focused for a moment. */
let lastOpener: HTMLElement | null = null;
if (typeof document !== "undefined") {
  document.addEventListener("focusin", ({ target }) => {
    lastOpener = openerAt(target);
  });
}

/**
 * Returns the focus to the element that opened a dialog once the dialog is closed or unmounted. The opener is recorded before
 * the dialog renders, while a menu item still has the focus; its menu's button is the opener. If a dialog replaces another one,
 * it also inherits the openers of the replaced one, even if that closed a moment before, as when the new one is still being loaded.
 */
export function useOpener(opened: boolean): void {
  const [wasOpened, setWasOpened] = useState(false);
  const [openers, setOpeners] = useState<Openers>([]);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setOpeners([...focusedOpener(), ...pendingOpeners, ...(openDialogs.at(-1) ?? [])]);
  }
  useEffect(() => {
    if (!opened) return undefined;
    openDialogs = [...openDialogs, openers];
    return () => {
      openDialogs = openDialogs.filter((entry) => entry !== openers);
      restoreFocus(openers);
    };
  }, [opened, openers]);
}

function restoreFocus(openers: Openers): void {
  const focusedAtClose = document.activeElement;
  const controller = new AbortController();
  pendingOpeners = openers;
  controller.signal.addEventListener("abort", () => {
    if (pendingOpeners === openers) pendingOpeners = [];
  });
  const attempt = (framesLeft: number): void => {
    if (controller.signal.aborted) return;
    const opener = openers.find(({ isConnected }) => isConnected);
    const current = document.activeElement;
    // An element focused in the meantime keeps the focus.
    const isFree = current === null || current === document.body || current === focusedAtClose;
    if (isFree) opener?.focus({ preventScroll: true });
    // The page behind a dialog stays inert until the next render.
    const isRefused = isFree && opener !== undefined && document.activeElement !== opener;
    if (isRefused && framesLeft > 0) requestAnimationFrame(() => attempt(framesLeft - 1));
    else controller.abort();
  };
  setTimeout(() => attempt(maxFrames), settleMs);
  document.addEventListener(
    "keydown",
    ({ key }) => {
      if (key === "Tab") controller.abort();
    },
    { signal: controller.signal },
  );
}

/** The element that opens what is about to be shown: the focused one, or the button of its menu. Null if there is none. */
export const currentOpener = (): HTMLElement | null => focusedOpener()[0] ?? null;

function focusedOpener(): Openers {
  const opener = openerAt(document.activeElement) ?? lastOpener;
  return opener === null ? [] : [opener];
}

function openerAt(focused: EventTarget | null): HTMLElement | null {
  if (!(focused instanceof HTMLElement) || focused === document.body) return null;
  const button = focused.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  return button ? document.getElementById(button) : focused;
}
