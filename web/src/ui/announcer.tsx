import { useEffect, useState } from "react";

type Listener = (text: string) => void;
const listeners = new Set<Listener>();
let screenChanged = false;
let focusedHeading: HTMLElement | null = null;

/** Says a text to assistive technology without moving anything on the screen. */
export function announce(text: string): void {
  for (const listener of listeners) listener(text);
}

const togetherMs = 1000;

interface Said {
  id: number;
  text: string;
  atMs: number;
}

/** The live region. Mounted once, by the shell. Texts that come close together stand side by side, so that none is lost unread. */
export function Announcer() {
  const [said, setSaid] = useState<readonly Said[]>([]);
  useEffect(() => {
    let id = 0;
    const hear = (text: string) => {
      id += 1;
      const now: Said = { id, text, atMs: Date.now() };
      setSaid((before) => [...before.filter(({ atMs }) => now.atMs - atMs < togetherMs), now]);
    };
    listeners.add(hear);
    return () => {
      listeners.delete(hear);
    };
  }, []);
  return (
    <output aria-live="polite" className="visually-hidden">
      {said.map(({ id, text }) => (
        <span key={id}>{text} </span>
      ))}
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
