import { type ReactNode, useState } from "react";
import { isSignInAgain } from "#lib/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { lazyPart } from "#ui/lazy-part.tsx";

const FreshSignIn = lazyPart(async () => ({ default: (await import("./fresh-sign-in.tsx")).FreshSignIn }));

/**
 * Runs actions that need a recent sign-in. Where the gateway asks for one, a dialog does, and the action runs again after it.
 * `onFailed` gets every other failure. `dialog` has to be rendered.
 */
export function useFreshAction(onFailed: (error: unknown) => void): {
  run: (action: () => Promise<void>) => Promise<void>;
  dialog: ReactNode;
} {
  const { preferred_username: username } = useCurrentUser();
  const [waiting, setWaiting] = useState<(() => Promise<void>) | null>(null);
  // The dialog comes with its first use, and stays to close in its own time.
  const [needed, setNeeded] = useState(false);

  async function run(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!isSignInAgain(error)) return onFailed(error);
      setNeeded(true);
      setWaiting(() => action);
    }
  }

  const dialog = needed && (
    <FreshSignIn
      opened={waiting !== null}
      username={username}
      onClose={() => setWaiting(null)}
      onSignedIn={() => {
        setWaiting(null);
        if (waiting) void run(waiting);
      }}
    />
  );
  return { run, dialog };
}
