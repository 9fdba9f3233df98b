import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { needsRecentSignIn } from "#lib/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { lazyPart } from "#ui/lazy-part.tsx";

const FreshSignIn = lazyPart(async () => ({ default: (await import("./fresh-sign-in.tsx")).FreshSignIn }));

/**
 * Runs actions that need a recent sign-in. Where the gateway asks for one, a dialog does, and the action runs again after it.
 * `onFailed` gets every other failure. `dialog` has to be rendered, outside of any form: what is submitted in it would reach that one, too.
 */
export function useFreshAction(onFailed: (error: unknown) => void): {
  run: (action: () => Promise<void>) => Promise<void>;
  dialog: ReactNode;
} {
  const { preferred_username: username } = useCurrentUser();
  const [waiting, setWaiting] = useState<(() => Promise<void>) | null>(null);
  // The dialog comes with its first use, and stays to close in its own time.
  const [needed, setNeeded] = useState(false);
  // A button that is disabled while its action runs loses the focus. It gets it back, before the dialog notes where the focus was.
  const opener = useRef<Element | null>(null);
  const [attempts, setAttempts] = useState(0);
  useLayoutEffect(() => {
    if (attempts > 0 && document.activeElement === document.body && opener.current instanceof HTMLElement) opener.current.focus();
  }, [attempts]);

  async function attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!needsRecentSignIn(error)) return onFailed(error);
      setNeeded(true);
      setWaiting(() => action);
    } finally {
      setAttempts((before) => before + 1);
    }
  }

  const dialog = needed && (
    <FreshSignIn
      opened={waiting !== null}
      username={username}
      onClose={() => setWaiting(null)}
      onSignedIn={() => {
        setWaiting(null);
        if (waiting) void attempt(waiting);
      }}
    />
  );
  const run = (action: () => Promise<void>) => {
    opener.current = document.activeElement;
    return attempt(action);
  };
  return { run, dialog };
}
