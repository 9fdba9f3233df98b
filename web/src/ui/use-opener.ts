import { useEffect, useState } from "react";

/** As long as Mantine's menus take to give the focus back to their buttons. */
const settleMs = 10;
/** A second, about. */
const maxFrames = 60;

type Openers = readonly HTMLElement[];

/** The openers of the dialogs that are open, the topmost last. */
let open: readonly Openers[] = [];

/** What had the focus last: a menu that closes leaves it nowhere for a moment. */
let lastOpener: HTMLElement | null = null;
if (typeof document !== "undefined") {
  document.addEventListener("focusin", ({ target }) => {
    lastOpener = openerAt(target);
  });
}

/**
 * Gives the focus back to what opened a dialog, once the dialog is closed or gone. The opener is noted before the dialog is
 * drawn: an entry of a menu still has the focus then, and its menu's button is the opener. Later the entry would be gone.
 * What a dialog opens that gives way to another, the other one gives back to.
 */
export function useOpener(opened: boolean): void {
  const [wasOpened, setWasOpened] = useState(false);
  const [openers, setOpeners] = useState<Openers>([]);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setOpeners([...focusedOpener(), ...(open.at(-1) ?? [])]);
  }
  useEffect(() => {
    if (!opened) return undefined;
    open = [...open, openers];
    return () => {
      open = open.filter((one) => one !== openers);
      giveBack(openers);
    };
  }, [opened, openers]);
}

function giveBack(openers: Openers): void {
  const atClose = document.activeElement;
  const done = new AbortController();
  const attempt = (framesLeft: number): void => {
    if (done.signal.aborted) return;
    const opener = openers.find(({ isConnected }) => isConnected);
    const now = document.activeElement;
    // Whoever took the focus meanwhile keeps it.
    const isFree = now === null || now === document.body || now === atClose;
    if (isFree) opener?.focus({ preventScroll: true });
    // The page behind a dialog takes no focus until it is drawn again.
    const isRefused = isFree && opener !== undefined && document.activeElement !== opener;
    if (isRefused && framesLeft > 0) requestAnimationFrame(() => attempt(framesLeft - 1));
    else done.abort();
  };
  setTimeout(() => attempt(maxFrames), settleMs);
  document.addEventListener(
    "keydown",
    ({ key }) => {
      if (key === "Tab") done.abort();
    },
    { signal: done.signal },
  );
}

function focusedOpener(): Openers {
  const opener = openerAt(document.activeElement) ?? lastOpener;
  return opener === null ? [] : [opener];
}

function openerAt(focused: EventTarget | null): HTMLElement | null {
  if (!(focused instanceof HTMLElement) || focused === document.body) return null;
  const button = focused.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  return button ? document.getElementById(button) : focused;
}
