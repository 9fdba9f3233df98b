import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { needsRecentSignIn } from "#lib/gateway/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { island } from "#ui/island.tsx";

const FreshSignIn = island(async () => ({ default: (await import("./fresh-sign-in.tsx")).FreshSignIn }));

type FreshAction = [action: () => Promise<void>, onFailed: (error: unknown) => void];

/**
 * Runs actions that need a recent sign-in. When the gateway requires one, a dialog asks for it and the action is retried.
 * `onFailed` receives every other failure. Render `dialog` outside of any form, because its submit would bubble to that form.
 */
export function useFreshAction(): { run: (...action: FreshAction) => Promise<void>; dialog: ReactNode } {
  const { preferred_username: username } = useCurrentUser();
  const [pending, setPending] = useState<FreshAction | null>(null);
  // The dialog mounts on first use, and stays mounted to fade out.
  const [isMounted, setMounted] = useState(false);
  // A button loses focus while it is disabled. Restore it before the dialog records the focused element.
  const opener = useRef<Element | null>(null);
  const [attempts, setAttempts] = useState(0);
  useLayoutEffect(() => {
    if (attempts > 0 && document.activeElement === document.body && opener.current instanceof HTMLElement) opener.current.focus();
  }, [attempts]);

  async function attempt(...[action, onFailed]: FreshAction): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!needsRecentSignIn(error)) return onFailed(error);
      setMounted(true);
      setPending([action, onFailed]);
    } finally {
      setAttempts((count) => count + 1);
    }
  }

  const dialog = isMounted && (
    <FreshSignIn
      opened={pending !== null}
      username={username}
      onClose={() => setPending(null)}
      onSignedIn={() => {
        setPending(null);
        if (pending) void attempt(...pending);
      }}
    />
  );
  const run = (...action: FreshAction) => {
    opener.current = document.activeElement;
    return attempt(...action);
  };
  return { run, dialog };
}
