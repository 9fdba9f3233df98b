import { useEffect, useState } from "react";

type Listener = (text: string) => void;
const listeners = new Set<Listener>();
let screenChanged = false;
let focusedHeading: HTMLElement | null = null;

/** Announces a text to assistive technology. */
export function announce(text: string): void {
  for (const listener of listeners) listener(text);
}

const batchWindowMs = 1000;

interface Announcement {
  id: number;
  text: string;
  atMs: number;
}

/** The live region. Mounted once, by the shell. Texts announced in quick succession are kept together, so that none is dropped. */
export function Announcer() {
  const [announcements, setAnnouncements] = useState<readonly Announcement[]>([]);
  useEffect(() => {
    let id = 0;
    const listener = (text: string) => {
      id += 1;
      const latest: Announcement = { id, text, atMs: Date.now() };
      setAnnouncements((previous) => [...previous.filter(({ atMs }) => latest.atMs - atMs < batchWindowMs), latest]);
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return (
    <output aria-live="polite" className="visually-hidden">
      {announcements.map(({ id, text }) => (
        <span key={id}>{text} </span>
      ))}
    </output>
  );
}

/** Called when the screen changes. Its h1 receives the focus once it is rendered. */
export function expectScreenFocus(): void {
  screenChanged = true;
  // The screen may be rendered already, or keep its title, as from one search's results to another's.
  requestAnimationFrame(takeScreenFocus);
}

/**
 * Moves the focus to the screen's h1, once per screen change, and again if that h1 is replaced, as when a screen has loaded.
 * Leaves the focus alone if the screen or a dialog has set it.
 */
export function takeScreenFocus(): void {
  const focused = document.activeElement;
  const wasReplaced = focusedHeading?.isConnected === false && focused === document.body;
  if (!screenChanged && !wasReplaced) return;
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  screenChanged = false;
  if (focused?.closest("main, [role=dialog]") && !focused.matches("main")) return;
  heading.focus({ preventScroll: true });
  focusedHeading = heading;
}
