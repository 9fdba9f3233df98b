import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { needsRecentSignIn } from "#lib/gateway/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { island } from "#ui/island.tsx";

const FreshSignIn = island(async () => ({ default: (await import("./fresh-sign-in.tsx")).FreshSignIn }));

/**
 * Runs actions that need a recent sign-in. When the gateway requires one, a dialog asks for it and the action is retried.
 * `onFailed` receives every other failure. Render `dialog` outside of any form, because its submit would bubble to that form.
 */
export function useFreshAction(onFailed: (error: unknown) => void): {
  run: (action: () => Promise<void>) => Promise<void>;
  dialog: ReactNode;
} {
  const { preferred_username: username } = useCurrentUser();
  const [pendingAction, setPendingAction] = useState<(() => Promise<void>) | null>(null);
  // The dialog mounts on first use, and stays mounted to fade out.
  const [isMounted, setMounted] = useState(false);
  // A button loses focus while it is disabled. Restore it before the dialog records the focused element.
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
      setMounted(true);
      setPendingAction(() => action);
    } finally {
      setAttempts((count) => count + 1);
    }
  }

  const dialog = isMounted && (
    <FreshSignIn
      opened={pendingAction !== null}
      username={username}
      onClose={() => setPendingAction(null)}
      onSignedIn={() => {
        setPendingAction(null);
        if (pendingAction) void attempt(pendingAction);
      }}
    />
  );
  const run = (action: () => Promise<void>) => {
    opener.current = document.activeElement;
    return attempt(action);
  };
  return { run, dialog };
}
