import { useEffect, useState } from "react";

type Listener = (text: string) => void;
const listeners = new Set<Listener>();

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

/** Announces a screen when it is shown; the document's title stays the branding. */
export function useAnnouncedTitle(title: string): void {
  useEffect(() => announce(title), [title]);
}
