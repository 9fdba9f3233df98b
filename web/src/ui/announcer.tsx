import { useEffect, useState } from "react";

type Listener = (text: string) => void;
const listeners = new Set<Listener>();
let screenChanged = false;
let focusedHeading: HTMLElement | null = null;

/** Says a text to assistive technology without moving anything on the screen. */
export function announce(text: string): void {
  for (const listener of listeners) listener(text);
}

/** The live region. Mounted once, by the shell. */
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    listeners.add(setText);
    return () => {
      listeners.delete(setText);
    };
  }, []);
  return (
    <output aria-live="polite" className="visually-hidden">
      {text}
    </output>
  );
}

/** The address led to another screen: its h1 takes the focus as soon as it is there. */
export function expectScreenFocus(): void {
  screenChanged = true;
  // The screen may be there already, or need its title once more, as from one search's results to another's.
  requestAnimationFrame(takeScreenFocus);
}

/**
 * Moves the focus to the screen's h1, once per change of screen, and again where that h1 gave way to another, as when a screen
 * has loaded. What a screen or a dialog has focused itself is left alone.
 */
export function takeScreenFocus(): void {
  const focused = document.activeElement;
  const hasGivenWay = focusedHeading?.isConnected === false && focused === document.body;
  if (!screenChanged && !hasGivenWay) return;
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  screenChanged = false;
  if (focused?.closest("main, [role=dialog]") && !focused.matches("main")) return;
  heading.focus({ preventScroll: true });
  focusedHeading = heading;
}
